// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/survey.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "harness/base/abandoned_files.hpp"
#include "harness/base/limits.hpp"
#include "harness/launch/count/count_cost.hpp"
#include "harness/launch/listing.hpp"
#include "harness/launch/program_file.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

base::Result<void> check(const Request& request) {
  const record::Plan& plan = request.plan;
  const auto bad = [](const std::string& message) { return base::Error{base::ErrorCode::bad_input, message}; };
  if (request.sides.empty() || request.sides.size() > 2)
    return bad("invalid number of sides: " + std::to_string(request.sides.size()) + "; a run has one or two");
  if (request.sides.size() == 2 && request.sides[0].label == request.sides[1].label)
    return bad("duplicate side label '" + request.sides[0].label + "'; give the sides different labels");
  if (plan.processes < 1)
    return bad("a run needs at least one process per group, not " + std::to_string(plan.processes));
  if (plan.processes > base::max_processes_per_group)
    return bad("invalid number of processes per group: " + std::to_string(plan.processes) + "; a run has 1 to " +
               std::to_string(base::max_processes_per_group));
  if (plan.shards < 1 || plan.shards > base::max_shards || plan.shard < 1 || plan.shard > plan.shards)
    return bad("invalid shard " + std::to_string(plan.shard) + " of " + std::to_string(plan.shards));
  for (const auto& limit : {plan.group_limit_s, plan.total_limit_s})
    if (limit && !(*limit > 0 && *limit <= base::max_seconds))
      return bad("invalid time limit: it must be above 0 s, and at most " +
                 std::to_string(static_cast<std::int64_t>(base::max_seconds)) + " s");
  return {};
}

std::chrono::nanoseconds limit_of(const std::optional<double>& seconds, std::chrono::seconds otherwise) {
  if (!seconds) return otherwise;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*seconds));
}

/// Makes METRIC the primary one where that is the time that a caller waits and METRIC is timed, too.
void judge_by(const std::string& metric, record::Case& definition) {
  const record::Metric* const primary = primary_metric(definition);
  if (primary == nullptr || primary->name != "time") return;
  const auto chosen = std::find_if(definition.metrics.begin(), definition.metrics.end(), [&](const auto& each) {
    return each.name == metric && each.kind == record::MetricKind::timed;
  });
  if (chosen == definition.metrics.end()) return;
  for (record::Metric& each : definition.metrics) each.primary = &each == &*chosen;
}

/// A schedule is made before the first process, and each of its processes takes memory.
base::Result<void> check_schedule(const Selection& selection, std::int64_t processes) {
  constexpr std::int64_t most_planned = 2'000'000;
  std::int64_t planned = 0;
  for (const SelectedGroup& group : selection.to_run)
    planned += processes * static_cast<std::int64_t>(group.sides.size());
  if (planned <= most_planned) return {};
  return base::Error{base::ErrorCode::bad_input,
                     "too many processes: " + std::to_string(planned) + " would be planned, and a run has at most " +
                         std::to_string(most_planned) + "; select fewer cases with --filter, or use fewer --processes"};
}

/// The common name of programs without a suite name, if each of two sides is one file: that of the second.
std::optional<std::string> common_name(const Request& request) {
  const auto is_one_file = [](const SideRequest& side) {
    std::error_code ignored;
    return side.suites.size() == 1 && !std::filesystem::is_directory(side.suites.front(), ignored);
  };
  if (request.sides.size() != 2 || !std::all_of(request.sides.begin(), request.sides.end(), is_one_file))
    return std::nullopt;
  return suite_name_of(request.sides.back().suites.front().filename().string());
}

using Executables = std::vector<std::filesystem::path>;

/// The executables of each side. They are hashed before any of them runs and could change another one.
base::Result<std::vector<Executables>> executables_of(const Request& request, ObjectHashes& hashes, Survey& result) {
  std::vector<Executables> of_sides;
  for (const SideRequest& side : request.sides) {
    auto found = find_suites(side.suites);
    if (!found) return found.error();
    for (const std::filesystem::path& path : *found) {
      if (!check_program(path)) continue;  // it is not started either, and may be large
      if (auto hash = hashes.sha256_of(path)) result.executables.push_back({path, *std::move(hash)});
    }
    of_sides.push_back(*std::move(found));
  }
  return of_sides;
}

/// An unknown part makes the sum unknown.
void add(const std::optional<double>& part, std::optional<double>& sum) {
  if (!part) sum.reset();
  if (part && sum) *sum += *part;
}

std::vector<SuiteForecast> forecast_of_suites(const Selection& selection, const record::Plan& plan) {
  std::map<std::string, SuiteForecast> suites;
  for (const record::Group& group : selection.groups) {
    SuiteForecast& suite = suites[group.suite];
    suite.seconds = 0;
    ++suite.groups;
  }
  for (const record::Case& each : selection.cases) {
    SuiteForecast& suite = suites[each.suite];
    ++(each.skipped ? suite.skipped : suite.cases);
  }
  for (const SelectedGroup& group : selection.to_run) {
    for (const GroupOnSide& side : group.sides) {
      std::optional<double> seconds = side.seconds;
      if (seconds) *seconds *= static_cast<double>(plan.processes);
      add(seconds, suites[group.suite].seconds);
    }
  }
  std::vector<SuiteForecast> by_name;
  for (auto& [name, suite] : suites) {
    suite.name = name;
    by_name.push_back(std::move(suite));
  }
  return by_name;
}

}  // namespace

base::Result<process::TemporaryFolder> scratch_folder() {
  constexpr std::int64_t enough_bytes = std::int64_t{1}
                                        << 20;  // of a listing; a report takes as much for each 100 cases
  auto folder = process::TemporaryFolder::create();
  if (!folder) return folder;
  if (auto writable = base::check_writable(folder->path() / "report.json", enough_bytes); !writable)
    return base::Error{base::ErrorCode::io, "the folder for temporary files (TMPDIR) has no space: " +
                                                writable.error().message + ", or set TMPDIR to another folder"};
  return folder;
}

base::Result<Survey> survey(const Request& request, const std::filesystem::path& scratch, ObjectHashes& hashes) {
  if (const auto valid = check(request); !valid) return valid.error();
  Survey result;
  result.began = std::chrono::steady_clock::now();
  const auto found = executables_of(request, hashes, result);
  if (!found) return found.error();
  std::vector<Listing> listings;
  std::vector<std::string> labels;
  const auto alike = common_name(request);
  for (const SideRequest& side : request.sides) {
    labels.push_back(side.label);
    const Executables& executables = found->at(listings.size());
    ListingOptions options;
    options.profile = request.plan.profile;
    options.flags = sampling_flags(request.plan);
    options.environment = merged_environment(request.environment, side.environment);
    options.unset = request.unset;
    options.limit =
        std::min<std::chrono::nanoseconds>(listing_limit, limit_of(request.plan.group_limit_s, default_group_limit));
    options.deadline = result.began + limit_of(request.plan.total_limit_s, default_total_limit);
    for (const auto& [path, name] : side.called)
      options.called.emplace(std::filesystem::absolute(path).lexically_normal(), name);
    // If each side is one program, both are the same suite whatever their file names: bench_old and bench_new.
    if (alike && executables.size() == 1) options.called.emplace(executables.front(), *alike);
    auto listing = list_suites(executables, options, scratch);
    if (!listing) return listing.error();
    for (UnlistedSuite& failed : listing->failed) {
      failed.process.side = static_cast<std::int64_t>(listings.size());
      result.failed.push_back(std::move(failed.process));
    }
    for (ListedSuite& suite : listing->suites)
      result.objects.push_back(
          {static_cast<std::int64_t>(listings.size()), suite.listing.suite, std::exchange(suite.listing.objects, {})});
    listings.push_back(*std::move(listing));
  }
  align_suffixes(listings);
  auto selection = select_cases(listings, labels, request.plan, request.only_cases);
  if (!selection) return selection.error();
  result.selection = *std::move(selection);
  for (record::Case& definition : result.selection.cases) judge_by(request.device_metric, definition);
  if (auto fits = check_schedule(result.selection, request.plan.processes); !fits) return fits.error();
  return result;
}

Forecast forecast_of(const Survey& survey, const record::Plan& plan) {
  Forecast forecast;
  forecast.suites = forecast_of_suites(survey.selection, plan);
  forecast.groups = survey.selection.groups;
  forecast.cases = survey.selection.cases;
  forecast.failed = survey.failed;
  forecast.warnings = survey.selection.warnings;
  forecast.weights = survey.selection.weights;
  forecast.seconds = 0;
  for (const SuiteForecast& suite : forecast.suites) add(suite.seconds, forecast.seconds);
  for (const SelectedGroup& group : survey.selection.to_run)
    forecast.processes += plan.processes * static_cast<std::int64_t>(group.sides.size());
  return forecast;
}

base::Result<Forecast> forecast(const Request& request) {
  const process::InterruptScope interrupts;
  const auto scratch = scratch_folder();
  if (!scratch) return scratch.error();
  ObjectHashes hashes;
  const auto found = survey(request, scratch->path(), hashes);
  if (!found) return found.error();
  Forecast forecast = forecast_of(*found, request.plan);
  if (request.count) forecast.count = forecast_count(request, *request.count, found->selection, {});
  return forecast;
}

}  // namespace torchgate::launch
