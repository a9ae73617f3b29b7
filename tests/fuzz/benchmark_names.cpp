// SPDX-License-Identifier: Apache-2.0
// What a Google Benchmark program lists, one name a line: groups, cases, and the filter that finds them again.
#include <regex.h>

#include <sstream>
#include <vector>

#include "harness/import/google_benchmark_context.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/launch/foreign/benchmark_listing.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

// As Google Benchmark matches where it was built with POSIX.
bool finds(const std::string& pattern, const std::string& name) {
  regex_t compiled;
  fuzz::require(regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) == 0,
                "the filter is an expression: " + pattern);
  const bool found = regexec(&compiled, name.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

bool is_plain(std::string_view name) {
  return std::string(name).find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:<>_.*+?()[]{}|^$\\ -") ==
         std::string::npos;
}

}  // namespace

TORCHGATE_FUZZ_TARGET(benchmark_names) {
  std::vector<std::string> names;
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) names.push_back(line);
  for (const std::string& name : names) {
    fuzz::require(!import::google_benchmark_protocol(import::parse_google_benchmark_name(name)).empty(),
                  "a protocol has a name");
    (void)import::utc_of_google_benchmark_date(name);
  }
  launch::BenchmarkProgram program;
  program.suite = launch::suite_name_of(names.empty() ? "" : names.front());
  const auto listing = launch::listing_of_benchmarks(names, "quick", program);
  if (!listing.cases.empty()) fuzz::accepted();
  fuzz::require(listing.cases.size() == program.run_names.size(), "a case for each benchmark");
  const bool quick_to_match = names.size() < 8 && input.size() < 200;
  for (const auto& [case_name, run_name] : program.run_names)
    if (quick_to_match && is_plain(run_name))
      fuzz::require(finds(launch::exact_benchmark_filter({run_name}), run_name),
                    "the filter finds its own name: " + run_name);
}
