// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/listing.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/launch/foreign/benchmark_process.hpp"
#include "harness/launch/program_file.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

const std::string list_flag = "--torchgate_list";

/// What is left of a limit that is over: the next start ends at once.
constexpr std::chrono::milliseconds shortest_limit{1};

// A program that lists nothing and ends well is another kind of program: it has no cases that could have ended it.
void read_list(const ReportFile& file, SuiteAnswer& answer) {
  read_suite_report(file, answer);
  if (answer.status == record::ProcessStatus::not_a_suite)
    answer.message = "ended normally without a report: not a torchgate suite";
}

bool is_executable_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// "libx.so", "libx.so.1.2": linkers make libraries executable, and starting one crashes.
bool is_library(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

base::Result<std::vector<fs::path>> executables_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_executable_file(entry->path()) && !is_library(entry->path())) found.push_back(entry->path());
  if (error) return base::Error{base::ErrorCode::io, "cannot read folder " + folder.string() + ": " + error.message()};
  std::sort(found.begin(), found.end());
  return found;
}

std::string joined(const std::vector<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) text += (text.empty() ? "" : ", ") + path.string();
  return text;
}

/// A suite must not define cases of another one: names start with the name of the suite.
std::string wrong_in(const record::ProcessReport& listing) {
  if (listing.suite.empty()) return "missing suite name in its listing";
  std::set<std::string> groups;
  for (const record::Group& group : listing.groups) {
    if (group.suite != listing.suite)
      return "invalid group '" + group.name + "' in its listing: it belongs to suite '" + group.suite + "'";
    if (!group.name.starts_with(listing.suite + "/"))
      return "invalid group name '" + group.name + "' in its listing: it must start with '" + listing.suite + "/'";
    if (!groups.insert(group.name).second) return "duplicate group '" + group.name + "' in its listing";
  }
  std::set<std::string> cases;
  for (const record::Case& each : listing.cases) {
    if (!groups.contains(each.group)) return "invalid case '" + each.name + "' in its listing: its group is not listed";
    if (!cases.insert(each.name).second) return "duplicate case '" + each.name + "' in its listing";
  }
  return "";
}

/// Whether the program does not know the flag, as opposed to a crash, a hang or another failure. Google Benchmark's
/// main() then exits with 1; other programs name the flag, or ignore it.
bool did_not_understand(const SuiteAnswer& answer) {
  const process::Outcome& outcome = answer.outcome;
  if (outcome.ending != process::Ending::exited || answer.status == record::ProcessStatus::bad_report) return false;
  // NOLINTNEXTLINE(misc-redundant-expression): clang 14 takes two comparisons with an optional for one
  return outcome.exit_code == 0 || outcome.exit_code == 1 || outcome.tail.find(list_flag) != std::string::npos;
}

BenchmarkAnswer ask_for_listing(const fs::path& executable, const ListingOptions& options, const fs::path& scratch) {
  const auto began = Clock::now();
  if (began >= options.deadline) return {not_started("not listed: the run reached its time limit before"), nullptr};
  if (const auto program = check_program(executable); !program && program.error().code == base::ErrorCode::bad_input)
    return {not_started(program.error().message), nullptr};
  const auto folder = process::TemporaryFolder::create(scratch);
  if (!folder) return {not_started(folder.error().message), nullptr};
  const fs::path report = folder->path() / "listing.json";
  process::Command command;
  command.executable = executable;
  command.arguments = {list_flag + "=" + report.string(), "--torchgate_profile=" + options.profile};
  command.arguments.insert(command.arguments.end(), options.flags.begin(), options.flags.end());
  command.environment = merged_environment(options.environment, {list_only});
  command.unset = options.unset;
  command.time_limit = std::min<std::chrono::nanoseconds>(options.limit, options.deadline - began);
  SuiteAnswer answer = ask_suite(command, report, read_list);
  if (!answer.report && did_not_understand(answer)) {
    const auto called = options.called.find(executable);
    const std::string name =
        called == options.called.end() ? suite_name_of(executable.filename().string()) : called->second;
    command.time_limit = std::max<std::chrono::nanoseconds>(began + *command.time_limit - Clock::now(), shortest_limit);
    auto as_benchmark = list_benchmarks(command, name, options.profile, scratch);
    if (as_benchmark.program || as_benchmark.answer.interrupted) return as_benchmark;
    answer.message +=
        "\nstarted as a Google Benchmark program (--benchmark_list_tests=true): " + as_benchmark.answer.message;
    return {std::move(answer), nullptr};
  }
  const std::string wrong = answer.report ? wrong_in(*answer.report) : "";
  if (!wrong.empty()) {
    answer.status = record::ProcessStatus::bad_report;
    answer.message = wrong;
    answer.report.reset();
  }
  return {std::move(answer), nullptr};
}

base::Result<void> check_names(const std::vector<ListedSuite>& suites) {
  for (std::size_t i = 1; i < suites.size(); ++i)
    if (suites[i - 1].listing.suite == suites[i].listing.suite)
      return base::Error{base::ErrorCode::bad_input, "duplicate suite '" + suites[i].listing.suite +
                                                         "': " + suites[i - 1].executable.string() + " and " +
                                                         suites[i].executable.string() + "; name only one of them"};
  return {};
}

}  // namespace

base::Result<std::vector<fs::path>> find_suites(const std::vector<fs::path>& paths) {
  std::vector<fs::path> found;
  std::set<fs::path> known;
  for (const fs::path& path : paths) {
    if (path.empty())
      return base::Error{base::ErrorCode::bad_input,
                         "no suites: an empty path was named; name suite executables or the folder that they were "
                         "built into"};
    std::error_code ignored;
    std::vector<fs::path> here = {path};
    if (fs::is_directory(path, ignored)) {
      auto inside = executables_in(path);
      if (!inside) return inside.error();
      here = *std::move(inside);
    }
    for (const fs::path& each : here) {
      // The same file given twice (a folder and a file in it) is one suite.
      std::error_code error;
      const fs::path absolute = fs::absolute(each, error).lexically_normal();
      if (error)
        return base::Error{base::ErrorCode::io, each.string() + ": the working directory cannot be read: " +
                                                    error.message() + "; change to an existing folder"};
      if (known.insert(absolute).second) found.push_back(absolute);
    }
  }
  if (found.size() > static_cast<std::size_t>(base::max_suites))
    return base::Error{base::ErrorCode::bad_input, joined(paths) + ": " + std::to_string(found.size()) +
                                                       " executable files, and a run has at most " +
                                                       std::to_string(base::max_suites) +
                                                       " suites; name the folder of the suites only"};
  if (found.empty())
    return base::Error{base::ErrorCode::bad_input,
                       "no suites: " + (paths.empty() ? "none were named" : "no executable files in " + joined(paths)) +
                           "; name suite executables or the folder that they were built into"};
  return found;
}

base::Result<Listing> list_suites(const std::vector<fs::path>& executables, const ListingOptions& options,
                                  const fs::path& scratch) {
  Listing listing;
  std::string not_started;
  for (const fs::path& executable : executables) {
    const std::string started = base::utc_timestamp(std::chrono::system_clock::now());
    auto [answer, program] = ask_for_listing(executable, options, scratch);
    if (answer.interrupted)
      return base::Error{base::ErrorCode::interrupted, "interrupted while listing the suites' cases"};
    if (answer.report) {
      listing.suites.push_back({executable, *std::move(answer.report), std::move(program)});
      continue;
    }
    UnlistedSuite failed{executable, {}};
    failed.process.suite = executable.filename().string();
    failed.process.started = started;
    failed.process.environment = options.environment;
    describe(answer, failed.process);
    failed.process.message = "listing its cases failed: " + failed.process.message;
    if (answer.status == record::ProcessStatus::not_started)
      not_started += (not_started.empty() ? "" : "; ") + answer.message;
    listing.failed.push_back(std::move(failed));
  }
  const auto startable = [](const UnlistedSuite& each) {
    return each.process.status != record::ProcessStatus::not_started;
  };
  if (listing.suites.empty() && std::none_of(listing.failed.begin(), listing.failed.end(), startable))
    return base::Error{base::ErrorCode::bad_input, not_started};
  std::sort(listing.suites.begin(), listing.suites.end(),
            [](const ListedSuite& a, const ListedSuite& b) { return a.listing.suite < b.listing.suite; });
  if (const auto unique = check_names(listing.suites); !unique) return unique.error();
  return listing;
}

namespace {

/// Swaps the two names of those benchmarks of SUITE that are in ALIKE.
void take_whole_names(const std::set<std::string>& alike, ListedSuite& suite) {
  auto program = std::make_shared<BenchmarkProgram>(*suite.program);
  for (record::Case& each : suite.listing.cases) {
    if (!each.other_name || each.other_name->size() <= each.name.size() || !alike.contains(each.name)) continue;
    if (program->run_names.contains(*each.other_name)) continue;
    const std::string was = std::exchange(each.name, *each.other_name);
    each.other_name = was;
    if (auto known = program->run_names.extract(was)) {
      known.key() = each.name;
      program->run_names.insert(std::move(known));
    }
    if (auto known = program->same_names.extract(was)) {
      known.key() = each.name;
      program->same_names.insert(std::move(known));
    }
  }
  suite.program = std::move(program);
}

}  // namespace

void align_suffixes(std::vector<Listing>& listings) {
  std::set<std::string> alike;  // without suffixes
  for (const Listing& listing : listings)
    for (const ListedSuite& suite : listing.suites)
      for (const record::Case& each : suite.listing.cases)
        if (suite.program && each.other_name && each.other_name->size() < each.name.size())
          alike.insert(*each.other_name);
  if (alike.empty()) return;
  for (Listing& listing : listings)
    for (ListedSuite& suite : listing.suites)
      if (suite.program) take_whole_names(alike, suite);
}

}  // namespace torchgate::launch
