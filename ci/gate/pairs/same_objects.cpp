// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/same_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/gate/outcome.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::Verdict;

constexpr const char* reason = "the same objects ran on both sides: no code differs, what was measured is noise";

struct Loaded {
  std::set<std::string> objects;
  std::set<std::string> environment;
};

// Absent: not known, or nothing ran.
std::optional<Loaded> loaded_by(const record::Run& pairs, std::string_view group, std::int64_t side) {
  Loaded all;
  for (const record::Process& process : pairs.processes) {
    if (process.group != group || process.side != side || process.status != record::ProcessStatus::ok) continue;
    if (process.objects.empty()) return std::nullopt;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = pairs.objects.at(static_cast<std::size_t>(index));
      // The system's own libraries are not always hashed; both sides ran on one system.
      if (object.sha256.empty() && !object.system) return std::nullopt;
      all.objects.insert(object.sha256.empty() ? object.path : object.sha256);
    }
    for (const record::Parameter& variable : process.environment) {
      if (variable.name != "LD_LIBRARY_PATH") all.environment.insert(variable.name + "=" + variable.value);
    }
  }
  if (all.objects.empty()) return std::nullopt;
  return all;
}

bool within(const std::optional<reports::Interval>& interval, double equivalence) {
  return interval && interval->low > 1 / (1 + equivalence) - 1 && interval->high < equivalence;
}

void take_back(Finding& finding, const policy::Policy& policy) {
  finding.verdict = within(finding.interval, policy.equivalence) ? Verdict::equivalent : Verdict::inconclusive;
  finding.reasons.assign(1, reason);  // a list of one is what g++ 12 warns of falsely (array-bounds)
  finding.processes_needed.reset();
  finding.smallest_detectable.reset();
  if (finding.confirmation) finding.confirmation->confirmed = false;
  set_plain_effect(finding, policy);
}

struct Noise {
  std::vector<double> sizes;  // |change| of each case's primary metric
  double largest = -1;
  std::string of_case;
  std::size_t taken_back = 0;
};

Noise settle(reports::Report& report, const std::map<std::string_view, std::string_view>& group_of,
             const std::set<std::string_view>& same, const policy::Policy& policy) {
  Noise noise;
  for (Finding& finding : report.findings) {
    const auto group = group_of.find(finding.case_name);
    const bool paired = finding.confirmation && finding.metric.kind == record::MetricKind::timed;
    if (!paired || group == group_of.end() || same.count(group->second) == 0) continue;
    if (finding.metric.primary && finding.confirmation->change) {
      const double size = std::abs(*finding.confirmation->change);
      noise.sizes.push_back(size);
      if (size > noise.largest) noise.largest = size, noise.of_case = finding.case_name;
    }
    const bool differs = finding.verdict == Verdict::regressed || finding.verdict == Verdict::improved;
    if (differs || finding.verdict == Verdict::suspected) {
      take_back(finding, policy);
      noise.taken_back += differs ? 1 : 0;
    } else if (finding.verdict == Verdict::inconclusive) {
      finding.reasons.insert(finding.reasons.begin(), reason);
      finding.processes_needed.reset();
    }
  }
  return noise;
}

}  // namespace

bool same_objects_ran(const record::Run& pairs, std::string_view group) {
  const auto before = loaded_by(pairs, group, 0);
  const auto after = loaded_by(pairs, group, 1);
  return before && after && before->objects == after->objects && before->environment == after->environment;
}

void judge_same_objects(reports::Report& report, const record::Run& pairs, const policy::Policy& policy) {
  std::map<std::string_view, std::string_view> group_of;
  std::set<std::string_view> groups;
  for (const record::Case& definition : pairs.cases) {
    group_of.emplace(definition.name, definition.group);
    if (!definition.skipped) groups.insert(definition.group);
  }
  std::set<std::string_view> same;
  for (const std::string_view group : groups) {
    if (same_objects_ran(pairs, group)) same.insert(group);
  }
  if (same.empty()) return;
  const Noise noise = settle(report, group_of, same, policy);
  if (noise.sizes.empty()) return;
  const std::string who = same.size() == groups.size() ? "both sides ran the same executables and libraries"
                                                       : fmt::format(
                                                             "{} of {} groups ran the same executables and "
                                                             "libraries on both sides",
                                                             same.size(), groups.size());
  report.notes.push_back(
      fmt::format("{}: what differs there is noise, over {} {} {:.1f} % in the median and at most "
                  "{:.1f} % ({})",
                  who, noise.sizes.size(), noise.sizes.size() == 1 ? "case" : "cases",
                  *stats::median(noise.sizes) * 100, noise.largest * 100, noise.of_case));
  if (noise.taken_back == 0) return;
  report.doubts.emplace_back(
      fmt::format(
          "{} {} that ran the same objects on both sides would have been called regressed or improved: something "
          "else differs between the sides, such as a file that a suite reads, or this machine misleads; other "
          "verdicts of this report may come from it, too",
          noise.taken_back, noise.taken_back == 1 ? "finding" : "findings"),
      reports::DoubtKind::same_files);
}

}  // namespace torchgate::gate
