// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/suite_program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "harness/bench/google_benchmark.hpp"
#include "harness/bench/process_report.hpp"
#include "harness/bench/start_times.hpp"
#include "harness/record/atomic_file.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::bench {
namespace {

constexpr int exit_bad_input = 2;

int complain(const std::string& suite, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", suite.c_str(), message.c_str());
  return exit_bad_input;
}

int write_report(const std::string& suite, const record::ProcessReport& report, const std::string& path) {
  const auto written = record::write_file_atomically(path, record::to_json(report), true);
  return written ? 0 : complain(suite, written.error().message);
}

}  // namespace

int run_suite(int argc, char** argv, const std::string& suite, std::unique_ptr<Backend> backend) {
  const std::int64_t main_at_ns = monotonic_ns();
  const auto options = parse_suite_options(argc, argv);
  if (!options) return complain(suite, options.error().message);
  try {
    const auto& groups = registered_groups();
    check_groups(suite, groups);
    if (std::find(options->rest.begin(), options->rest.end(), "--help") != options->rest.end()) {
      std::fprintf(stdout, "%s\n", suite_usage);  // Google Benchmark's own help follows
    }
    backend->start(options->threads);
    if (options->list_file) {
      return write_report(suite, list_report(suite, groups, *backend, *options), *options->list_file);
    }
    if (options->group) {
      auto report = measure_report(suite, groups, *backend, *options, real_clock());
      if (report) {
        report->loaded_at_ns = libraries_loaded_at_ns();
        report->main_at_ns = main_at_ns;
      }
      return report ? write_report(suite, *report, *options->out_file) : complain(suite, report.error().message);
    }
    return run_google_benchmark(groups, *backend, *options);
  } catch (const std::exception& error) {
    return complain(suite, error.what());
  } catch (...) {
    return complain(suite, "a group threw something that is no std::exception while its cases were made");
  }
}

}  // namespace torchgate::bench
