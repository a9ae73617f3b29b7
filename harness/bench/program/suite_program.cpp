// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/suite_program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "harness/base/atomic_file.hpp"
#include "harness/bench/files/files_read.hpp"
#include "harness/bench/files/interposed.hpp"
#include "harness/bench/program/google_benchmark.hpp"
#include "harness/bench/program/process_report.hpp"
#include "harness/bench/program/start_times.hpp"
#include "harness/bench/ranks/rank_cpu.hpp"
#include "harness/bench/ranks/rank_files.hpp"
#include "harness/bench/ranks/socket_world.hpp"
#include "harness/bench/ranks/world_environment.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::bench {
namespace {

constexpr int exit_lost_rank = 3;  // as in harness/launch/rank_processes.hpp: this rank is not the cause

int complain(const std::string& suite, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", suite.c_str(), message.c_str());
  return exit_bad_input;
}

int write_report(const std::string& suite, const record::ProcessReport& report, const std::string& path) {
  const auto written = base::write_file_atomically(path, record::to_json(report), true);
  return written ? 0 : complain(suite, written.error().message);
}

// Groups without ranks() are measured by ordinary processes, whatever job this is part of.
bool wants_ranks(const std::vector<GroupCases>& groups, const SuiteOptions& options) {
  return std::any_of(groups.begin(), groups.end(), [&](const GroupCases& group) {
    return group.rank_count() > 1 && (!options.group || group.name() == *options.group);
  });
}

base::Result<void> join_others(const std::vector<GroupCases>& groups, const SuiteOptions& options) {
  const bool only_lists = options.list_file || std::find(options.rest.begin(), options.rest.end(),
                                                         "--benchmark_list_tests") != options.rest.end();
  if (only_lists || !wants_ranks(groups, options)) return {};
  const auto place = world_place(environment_lookup());
  if (!place) return place.error();
  if (!*place) return {};
  auto world = join_world(**place);
  if (!world) return world.error();
  join_this_world(std::move(world).value());
  return {};
}

/// Of all ranks, since one report speaks for them.
void take_files_read(record::ProcessReport& report) {
  FilesRead files = files_read();
  const bool has_traces = report.files_read || !report.files_unknown.empty();  // of cases in processes of their own
  if (has_traces) files = all_files_read({files, {report.files_read, report.files_unknown}});
  if (this_world().size() > 1) files = files_read_by(this_world(), files);
  report.files_read = std::move(files.paths);
  report.files_unknown = std::move(files.unknown);
  report.files_restored = has_restored_files();
}

int measure(const std::string& suite, const std::vector<GroupCases>& groups, Backend& backend,
            const SuiteOptions& options, std::int64_t main_at_ns) {
  auto report = measure_report(suite, groups, backend, options, real_clock());
  if (!report) return complain(suite, report.error().message);
  report->loaded_at_ns = libraries_loaded_at_ns();
  report->main_at_ns = main_at_ns;
  take_files_read(*report);
  // No rank exits while another one still communicates with it.
  this_world().barrier();
  return this_world().rank() == 0 ? write_report(suite, *report, *options.out_file) : 0;
}

}  // namespace

int run_suite(int argc, char** argv, const std::string& suite, std::unique_ptr<Backend> backend) {
  const std::int64_t main_at_ns = monotonic_ns();
  move_to_rank_cpu();  // before LibTorch starts threads
  const auto options = parse_suite_options(argc, argv);
  if (!options) return complain(suite, options.error().message);
  try {
    const std::vector<GroupCases> groups = groups_of(suite, registered_groups());
    if (std::find(options->rest.begin(), options->rest.end(), "--help") != options->rest.end()) {
      std::fprintf(stdout, "%s\n", suite_usage);  // Google Benchmark's own help follows
    }
    backend->start(options->threads);
    if (options->list_file) {
      return write_report(suite, list_report(suite, groups, *backend, *options), *options->list_file);
    }
    if (const auto joined = join_others(groups, *options); !joined) return complain(suite, joined.error().message);
    if (options->group) return measure(suite, groups, *backend, *options, main_at_ns);
    return run_google_benchmark(groups, *backend, *options);
  } catch (const RankLost& lost) {
    complain(suite, lost.what());
    return exit_lost_rank;
  } catch (const std::exception& error) {
    return complain(suite, error.what());
  } catch (...) {
    return complain(suite, "a group threw an object that is not a std::exception while its cases were made");
  }
}

}  // namespace torchgate::bench
