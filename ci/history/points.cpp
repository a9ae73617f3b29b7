// SPDX-License-Identifier: Apache-2.0
#include "ci/history/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/record/imported.hpp"
#include "harness/record/sampling.hpp"
#include "stats/run_value.hpp"

namespace torchgate::history {
namespace {

// Of a SHA-256: enough to tell the few protocols of a case apart.
constexpr std::size_t kind_digits = 16;

std::string kind_of(const record::Case& definition, const record::Machine& machine) {
  std::string text = fmt::format("{}\n{}\n", definition.protocol, definition.input_seed);
  for (const auto& [name, value] : definition.parameters) text += fmt::format("{}={}\n", name, value);
  if (definition.device != "cpu") text += machine.device_key.value_or("");
  return base::sha256(text).substr(0, kind_digits);
}

// Times of fewer calls of warm-up, or the median of fewer samples, are not those of the same calls. Nothing is known of other tools.
std::string sampling_of(const record::Run& run) {
  const record::Sampling sampling = record::sampling_of(run.plan);
  std::string flags;
  if (record::is_imported(run)) return flags;
  if (sampling.profile != record::Sampling{}.profile) flags += " --" + sampling.profile;
  if (sampling.warmup_calls) flags += fmt::format(" --warmup {}", *sampling.warmup_calls);
  if (sampling.samples) flags += fmt::format(" --samples {}", *sampling.samples);
  return flags.empty() ? flags : flags.substr(1);
}

std::string libtorch_version(const record::Machine& machine) {
  const auto fact = std::find_if(machine.facts.begin(), machine.facts.end(),
                                 [](const record::MachineFact& each) { return each.name == "libtorch_version"; });
  return fact == machine.facts.end() ? "" : fact->value.value_or("");
}

/// What the newest run of HISTORY, which is RUN, was measured with, where it is not what the runs before were.
void note_versions(reports::History& history, const RunPoints& run) {
  const auto note = [&](const char* name, const std::string& version) {
    if (version.empty()) return;
    const auto last = std::find_if(history.versions.rbegin(), history.versions.rend(),
                                   [&](const reports::HistoryVersion& each) { return each.name == name; });
    const bool known = last != history.versions.rend();
    if (known && last->version == version) return;
    const std::string before = known ? last->version : "";
    history.versions.push_back({history.runs.size() - 1, name, version, before});
  };
  note("LibTorch", run.libtorch);
  note("torchgate", run.torchgate);
}

}  // namespace

bool of_one_series(const CasePoint& a, const CasePoint& b) {
  return a.series == b.series || *a.series == *b.series;
}

std::optional<CasePoint> point_of(const gate::CaseEvidence& evidence, const record::Run& run) {
  const record::Metric* const metric = record::primary_metric(*evidence.definition);
  // A case that fails now and then is not a number.
  if (metric == nullptr || !evidence.failures.empty() || !evidence.wrongs.empty()) return std::nullopt;
  const gate::TimedEvidence timed = gate::timed_evidence(evidence, *metric);
  const auto worse_log = stats::run_value(timed.worse_logs);
  if (!worse_log) return std::nullopt;
  auto series = std::make_shared<const Series>(
      Series{evidence.definition->name, *metric, kind_of(*evidence.definition, run.machine), sampling_of(run)});
  return CasePoint{std::move(series), *worse_log, static_cast<std::int64_t>(timed.worse_logs.size())};
}

RunPoints points_of(const record::Run& run) {
  RunPoints points;
  points.run_id = run.id;
  points.host_key = run.machine.host_key;
  points.created = run.created;
  points.torchgate = run.tool_version;
  points.libtorch = libtorch_version(run.machine);
  points.is_whole = run.sides.size() == 1 && !run.interrupted;
  if (!points.is_whole) {
    for (const record::Case& definition : run.cases) points.without_value.push_back(definition.name);
    return points;
  }
  points.commit = run.sides.front().source.commit;
  const gate::SideEvidence side(run, 0);
  for (const auto& [name, evidence] : side.cases()) {
    if (auto point = point_of(evidence, run)) {
      points.cases.push_back(*std::move(point));
    } else {
      points.without_value.emplace_back(name);
    }
  }
  return points;
}

std::vector<reports::History> histories_of(const std::vector<const RunPoints*>& runs, const SeriesOptions& options) {
  using Points = std::vector<std::pair<const RunPoints*, const CasePoint*>>;
  std::map<std::string_view, Points> of_case;
  std::unordered_map<const Series*, Points*> places;  // names are compared once for each series
  for (const RunPoints* run : runs) {
    for (const CasePoint& point : run->cases) {
      Points*& place = places[point.series.get()];
      if (place == nullptr) place = &of_case[point.series->case_name];
      place->emplace_back(run, &point);
    }
  }
  std::vector<reports::History> histories;
  for (const auto& [name, points] : of_case) {
    const CasePoint& newest = *points.back().second;
    reports::History history;
    history.case_name = name;
    history.metric = newest.series->metric;
    history.host_key = points.back().first->host_key;
    history.store = options.store;
    history.alpha = options.alpha;
    history.smallest_change = options.smallest_change;
    std::vector<double> worse_logs;
    for (const auto& [run, point] : points) {
      if (!of_one_series(*point, newest)) continue;
      history.runs.push_back({run->run_id, run->created, run->commit, 0, point->processes, false, std::nullopt});
      note_versions(history, *run);
      worse_logs.push_back(point->worse_log);
    }
    judge_values(history, std::move(worse_logs));
    histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace torchgate::history
