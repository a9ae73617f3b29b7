// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/same_objects.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "reports/facts/about_inputs.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

bool within(const std::optional<reports::Interval>& interval, double equivalence) {
  return interval && interval->low > 1 / (1 + equivalence) - 1 && interval->high < equivalence;
}

void replace(Judged& judged, const policy::CaseSettings& policy, bool files_known) {
  const bool equal = within(judged.decision.interval, policy.equivalence);
  // One program can be slower by what it reads, which is not known: neither a regression of the code nor noise.
  const bool by_a_file = !files_known && !equal && judged.decision.verdict != Verdict::improved &&
                         worse_ratio(judged) >= 1 + policy.latency;
  judged.forbids_pass = by_a_file;
  replace_decision(judged, equal ? Verdict::equivalent : Verdict::inconclusive, ReasonKind::same_objects,
                   by_a_file ? facts::slower_with_unknown_files : facts::same_objects);
  judged.decision.processes_needed.reset();
  judged.decision.smallest_detectable.reset();
  judged.pairs_stand = false;
}

struct Noise {
  std::vector<double> sizes;  // |change| of each case's primary metric
  double largest = -1;
  std::string of_case;
  std::size_t replaced = 0;
  std::int64_t compared = 0;   // primary metrics that pairs have tested
  std::int64_t different = 0;  // of those: replaced
};

bool rests_on_pairs(const Judged& judged) {
  return judged.asked_pairs() && judged.metric.kind == record::MetricKind::timed;
}

Noise guard(std::vector<Judged>& cases, const std::map<std::string_view, std::string_view>& group_of,
            const std::map<std::string_view, bool>& same, policy::CasePolicies& policies) {
  Noise noise;
  for (Judged& judged : cases) {
    const auto group = group_of.find(judged.case_name());
    if (!rests_on_pairs(judged) || group == group_of.end()) continue;
    const auto files_known = same.find(group->second);
    if (files_known == same.end()) continue;
    if (judged.uncompared) continue;  // the stored runs differ, and not by what these pairs compared
    if (judged.metric.primary && judged.pairs != nullptr && judged.pairs->effect) {
      const double size = std::abs(relative_change(*judged.pairs->effect, judged.metric));
      noise.sizes.push_back(size);
      if (size > noise.largest) noise.largest = size, noise.of_case = judged.case_name();
    }
    const bool weighed = judged.metric.primary && judged.pairs != nullptr && judged.pairs->p;
    noise.compared += weighed ? 1 : 0;
    const Verdict verdict = judged.decision.verdict;
    const bool differs = verdict == Verdict::regressed || verdict == Verdict::improved;
    if (differs || verdict == Verdict::suspected) {
      replace(judged, policies.of(judged.case_name()), files_known->second);
      noise.replaced += differs ? 1 : 0;
      noise.different += differs && weighed ? 1 : 0;
    } else if (verdict == Verdict::inconclusive) {
      add_reason(judged, ReasonKind::same_objects, facts::same_objects);
      judged.decision.processes_needed.reset();
    }
  }
  return noise;
}

}  // namespace

void guard_same_objects(std::vector<Judged>& cases, const record::Run& pairs, policy::CasePolicies& policies,
                        Remarks& remarks) {
  std::map<std::string_view, std::string_view> group_of;
  std::set<std::string_view> groups;
  for (const record::Case& definition : pairs.cases) {
    group_of.emplace(definition.name, definition.group);
    if (!definition.skipped) groups.insert(definition.group);
  }
  std::map<std::string_view, bool> same;  // and whether the files are known that its cases read
  for (const std::string_view group : groups) {
    if (same_objects_ran(pairs, group)) same.emplace(group, same_files_read(pairs, group).has_value());
  }
  if (same.empty()) return;
  const Noise noise = guard(cases, group_of, same, policies);
  remarks.identical = {noise.compared, noise.different};
  if (noise.sizes.empty()) return;
  const facts::Fact who = same.size() == groups.size() ? facts::same_programs()
                                                       : facts::same_programs_of_groups(same.size(), groups.size());
  remarks.notes.push_back(
      facts::noise_of_same(who, noise.sizes.size(), *stats::median(noise.sizes), noise.largest, noise.of_case));
  if (noise.replaced == 0) return;
  remarks.doubts.emplace_back(facts::same_called_different(noise.replaced), reports::DoubtKind::same_files);
}

}  // namespace torchgate::gate
