// SPDX-License-Identifier: Apache-2.0
// What a store takes for many runs (ci/scripts/bench.sh store):
//
//   time_store LOCATION RUNS CASES      puts, lists and loads RUNS runs of CASES cases in five processes with samples
//   time_store postgresql RUNS CASES    the same in a server of its own, which ends with it
//   ... COMMITS NEXT COMMAND            each run is of the commit in a line of the file COMMITS; then the run after them is written to the file
//                                       NEXT, and COMMAND is run in a shell, with the location in $TORCHGATE_BASELINE_STORE
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "baselines/open_store.hpp"
#include "harness/record/codec.hpp"
#include "tests/baselines/postgresql_server.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

constexpr int processes_of_a_run = 5;
constexpr int samples_of_a_process = 3;

/// A run each hour. The last tenth of RUNS takes 7 % longer in every tenth case.
record::Run timed_run(unsigned number, unsigned runs, int cases, const std::string& of_commit) {
  std::mt19937 random(number);
  std::normal_distribution<double> normal;
  record::Run run = sample_run(number, of_commit);
  char created[32];
  constexpr unsigned hours_a_day = 24;
  constexpr unsigned hours_a_month = 28 * hours_a_day;
  constexpr unsigned hours_a_year = 12 * hours_a_month;
  std::snprintf(created, sizeof created, "%04u-%02u-%02uT%02u:00:00.000Z", 2020 + number / hours_a_year,
                1 + number % hours_a_year / hours_a_month, 1 + number % hours_a_month / hours_a_day,
                number % hours_a_day);
  run.created = created;
  run.id = id(number * 2654435761U);  // odd: no two are the same
  const record::Case definition = run.cases.front();
  const record::Process process = run.processes.front();
  run.cases.assign(static_cast<std::size_t>(cases), definition);
  run.processes.assign(processes_of_a_run, process);
  for (int c = 0; c < cases; ++c) {
    auto& one = run.cases[static_cast<std::size_t>(c)];
    one.name = "fusion/conv_bn/eager/device:cpu/batch:" + std::to_string(c);
    one.parameters[1].value = std::to_string(c);
  }
  std::int64_t index = 0;
  for (auto& each : run.processes) {
    each.index = index++;
    const record::CaseResult result = each.cases.front();
    each.cases.assign(static_cast<std::size_t>(cases), result);
    for (int c = 0; c < cases; ++c) {
      auto& one = each.cases[static_cast<std::size_t>(c)];
      one.name = run.cases[static_cast<std::size_t>(c)].name;
      auto& measured = one.measurements.front();
      measured.samples.clear();
      const double level = c % 10 == 0 && number >= runs - runs / 10 ? 1.07e5 : 1e5;
      for (int i = 0; i < samples_of_a_process; ++i)
        measured.samples.push_back(level * std::exp(0.03 * normal(random)));
      auto sorted = measured.samples;
      std::sort(sorted.begin(), sorted.end());
      measured.summary = record::SampleSummary{
          samples_of_a_process, sorted[1], 1.0, sorted[0], sorted[0], sorted[1], sorted[2], {}, {}, sorted[2], {}};
    }
  }
  return run;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What is done with a store after it was filled.
struct Afterwards {
  std::vector<std::string> commits;  ///< one more than runs; or none
  std::string next;                  ///< file for the next run
  std::string command;               ///< empty: nothing
};

int run_command(const std::string& location, const record::Run& next, const Afterwards& afterwards) {
  record::Run written = next;
  if (const auto saved = record::save_run(written, afterwards.next, true); !saved) {
    std::fprintf(stderr, "%s\n", saved.error().message.c_str());
    return EXIT_FAILURE;
  }
  ::setenv("TORCHGATE_BASELINE_STORE", location.c_str(), 1);
  std::fflush(stdout);
  return std::system(afterwards.command.c_str()) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int time_store(const std::string& location, unsigned runs, int cases, const Afterwards& afterwards) {
  const auto run_number = [&](unsigned number) {
    const auto& commits = afterwards.commits;
    return timed_run(number, runs, cases, commits.empty() ? commit("c0ffee") : commits.at(number));
  };
  const auto store = open_store(location, OpenMode::create);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return EXIT_FAILURE;
  }
  double put_seconds = 0;
  double last_seconds = 0;
  std::vector<std::string> ids;
  for (unsigned number = 0; number < runs; ++number) {
    const auto run = run_number(number);
    ids.push_back(run.id);
    const auto begin = std::chrono::steady_clock::now();
    const auto put = (*store)->put(run, true);
    if (!put) {
      std::fprintf(stderr, "%s\n", put.error().message.c_str());
      return EXIT_FAILURE;
    }
    last_seconds = seconds_since(begin);
    put_seconds += last_seconds;
  }
  std::printf("  %-54s %8.3f s\n", "put, all runs", put_seconds);
  std::printf("  %-54s %8.4f s\n", "put, the last one", last_seconds);
  auto begin = std::chrono::steady_clock::now();
  const auto opened = open_store(location, OpenMode::existing);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return EXIT_FAILURE;
  }
  const std::size_t listed = (*opened)->list({}).value().size();
  std::printf("  %-54s %8.4f s\n", ("open and list " + std::to_string(listed)).c_str(), seconds_since(begin));
  constexpr std::size_t loaded_runs = 100;
  double load_seconds = 0;
  double samples_seconds = 0;
  const std::size_t count = std::min(loaded_runs, ids.size());
  for (std::size_t i = 0; i < count; ++i) {
    begin = std::chrono::steady_clock::now();
    auto run = (*opened)->load(ids[i * ids.size() / count]).value();
    load_seconds += seconds_since(begin);
    begin = std::chrono::steady_clock::now();
    if (!(*opened)->load_samples(run)) return EXIT_FAILURE;
    samples_seconds += seconds_since(begin);
  }
  std::printf("  %-54s %8.4f s\n", "load one by its id", load_seconds / static_cast<double>(count));
  std::printf("  %-54s %8.4f s\n", "load its samples", samples_seconds / static_cast<double>(count));
  return afterwards.command.empty() ? EXIT_SUCCESS : run_command(location, run_number(runs), afterwards);
}

}  // namespace
}  // namespace torchgate::baselines::testing

int main(int count, char** arguments) {
  using namespace torchgate::baselines::testing;
  constexpr int without_command = 4;
  constexpr int with_command = 7;
  if (count != without_command && count != with_command) {
    std::fprintf(stderr, "usage: time_store LOCATION|postgresql RUNS CASES [COMMITS NEXT COMMAND]\n");
    return 2;
  }
  const std::string location = arguments[1];
  const auto runs = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
  const int cases = std::atoi(arguments[3]);
  Afterwards afterwards;
  if (count == with_command) {
    std::ifstream list(arguments[without_command]);
    for (std::string line; std::getline(list, line);) afterwards.commits.push_back(line);
    afterwards.next = arguments[without_command + 1];
    afterwards.command = arguments[without_command + 2];
  }
  if (location != "postgresql") return time_store(location, runs, cases, afterwards);
  if (PostgresqlServer::get() == nullptr) {
    std::fprintf(stderr, "%s\n", PostgresqlServer::why_not().c_str());
    return EXIT_FAILURE;
  }
  const int code = time_store(PostgresqlServer::get()->url("timed"), runs, cases, afterwards);
  std::printf(
      "%s\n",
      PostgresqlServer::get()
          ->sql("timed",
                "SELECT '  ' || rpad(relname, 20) || pg_size_pretty(pg_total_relation_size(oid)) FROM pg_class WHERE "
                "relkind "
                "= 'r' AND relnamespace = 'timed'::regnamespace ORDER BY pg_total_relation_size(oid) DESC LIMIT 4")
          .c_str());
  return code;
}
