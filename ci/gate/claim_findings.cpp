// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/claim_findings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "ci/gate/action.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/weaker_claims.hpp"
#include "ci/policy/case_rules.hpp"
#include "harness/record/protocol.hpp"
#include "reports/facts/about_tests.hpp"
#include "stats/claim.hpp"

namespace torchgate::gate {
namespace {

using reports::ClaimState;

const record::Metric* metric_of(const record::Case& definition, const std::string& name) {
  const auto found =
      std::find_if(definition.metrics.begin(), definition.metrics.end(), [&](const auto& m) { return m.name == name; });
  return found == definition.metrics.end() ? nullptr : &*found;
}

// Log values of both cases from the processes that measured both; -infinity of 0.
struct Matched {
  std::vector<double> reference;
  std::vector<double> claimed;
};

std::optional<double> quantile_of(const record::SampleSummary& summary, record::Quantile quantile) {
  switch (quantile) {
    case record::Quantile::median:
      return summary.median;
    case record::Quantile::p95:
      return summary.p95;
    case record::Quantile::p99:
      return summary.p99;
  }
  return std::nullopt;
}

// The measurements of both cases in one process.
struct MeasuredBoth {
  const record::Measurement* reference;
  const record::Measurement* claimed;
  std::int64_t reference_calls;  // in a sample
  std::int64_t claimed_calls;
};

/// The expected smallest of 1.25 n normal samples lies a tenth of their SD below that of n (40 to 400 of them): nothing beside a claim of 5 %.
constexpr double about_as_many = 1.25;

/// Blocks of calls double until they are long enough: a case whose calls take as long as those of another may have the next block.
constexpr double next_block = 2;

bool within(double factor, std::int64_t a, std::int64_t b) {
  const auto [fewer, more] = std::minmax(a, b);
  return static_cast<double>(more) <= factor * static_cast<double>(fewer);
}

// The smallest of more samples is smaller, and so is that of single calls beside means of many: a mean has the delays of most of its calls. And a
// process that took turns with that of the other build measured its two cases far apart.
bool has_like_floors(const MeasuredBoth& both) {
  if (both.reference->turns || both.claimed->turns) return false;
  const record::SampleSummary& a = *both.reference->summary;
  const record::SampleSummary& b = *both.claimed->summary;
  return a.min > 0 && b.min > 0 && within(about_as_many, a.n, b.n) &&
         within(next_block, both.reference_calls, both.claimed_calls);
}

// Claims about the times of two cases of the CPU compare what both take when nothing disturbs them, where both have as many samples of as many calls:
// these are taken in turns (harness/bench/run/case_turns.cpp), and a delay only ever adds to one (Chen and Revels, "Robust benchmarking in noisy environments", 2016).
// On a machine with neighbours the medians of one process say how long these were busy.
bool compares_floors(const record::Claim& claim, const record::Case& claimed, const record::Case& reference,
                     const std::vector<MeasuredBoth>& all) {
  const auto is_floor = [](const record::Case& each) {
    return each.device == "cpu" && record::without_nodes(each.protocol) == record::wall_protocol;
  };
  return claim.metric == "time" && claim.metric_of_reference() == "time" && !claim.limit &&
         claim.quantile == record::Quantile::median && claim.reference_quantile == record::Quantile::median &&
         is_floor(claimed) && is_floor(reference) && std::all_of(all.begin(), all.end(), has_like_floors);
}

std::vector<MeasuredBoth> measured_both(const CaseEvidence& reference, const CaseEvidence& claimed,
                                        const record::Claim& claim) {
  std::vector<MeasuredBoth> all;
  for (const CaseProcess& one : claimed.measured) {
    for (const CaseProcess& other : reference.measured) {
      if (other.process != one.process) continue;
      const auto* const a = measurement_of(*other.result, claim.metric_of_reference());
      const auto* const b = measurement_of(*one.result, claim.metric);
      if (a != nullptr && a->summary && b != nullptr && b->summary)
        all.push_back({a, b, other.result->calls_per_sample, one.result->calls_per_sample});
    }
  }
  return all;
}

Matched match(const CaseEvidence& reference, const CaseEvidence& claimed, const record::Claim& claim) {
  const double reference_items = claim.per_item ? reference.definition->items_per_call.value_or(1) : 1;
  const double claimed_items = claim.per_item ? claimed.definition->items_per_call.value_or(1) : 1;
  const std::vector<MeasuredBoth> all = measured_both(reference, claimed, claim);
  const bool floors = compares_floors(claim, *claimed.definition, *reference.definition, all);
  const auto value_of = [&](const record::Measurement* of, record::Quantile quantile) {
    return floors ? std::optional(of->summary->min) : quantile_of(*of->summary, quantile);
  };
  Matched matched;
  for (const MeasuredBoth& both : all) {
    const auto a = value_of(both.reference, claim.reference_quantile);
    const auto b = value_of(both.claimed, claim.quantile);
    if (!a || !b) continue;
    matched.reference.push_back(std::log(*a / reference_items));
    matched.claimed.push_back(std::log(*b / claimed_items));
  }
  return matched;
}

bool keeps(const record::Claim& claim, double claimed, double reference) {
  return claim.relation == record::Relation::at_most ? claimed <= claim.ratio * reference
                                                     : claimed >= claim.ratio * reference;
}

void add_differing(const CaseEvidence& evidence, const std::string& metric, const CountRange& counts,
                   reports::ClaimFinding& finding) {
  if (counts.agrees()) return;
  const record::Metric* const found = metric_of(*evidence.definition, metric);
  const std::string unit = found == nullptr ? "1" : found->unit;
  finding.reasons.push_back(
      facts::claim_counts_differ(evidence.definition->name, {counts.least, unit}, {counts.most, unit}));
}

// Where processes disagree, the counts that are best for the claim can still break it, and those that are worst for it can still keep it.
void judge_exact(const CaseEvidence& reference, const CaseEvidence& claimed, const record::Claim& claim,
                 reports::ClaimFinding& finding) {
  const auto a = claim.limit ? std::optional(CountRange{*claim.limit, *claim.limit})
                             : count_range(reference, claim.metric_of_reference());
  const auto b = count_range(claimed, claim.metric);
  if (!a || !b) {
    finding.reasons = {facts::claim_not_counted};
    return;
  }
  const bool at_most = claim.relation == record::Relation::at_most;
  const double best = at_most ? b->least : b->most;
  const double best_reference = at_most ? a->most : a->least;
  const double worst = at_most ? b->most : b->least;
  const double worst_reference = at_most ? a->least : a->most;
  const bool is_broken = !keeps(claim, best, best_reference);
  if (!is_broken && !(a->of_all && b->of_all)) {
    finding.reasons = {facts::claim_not_counted};
    return;
  }
  const bool holds = keeps(claim, worst, worst_reference);
  finding.state = is_broken ? ClaimState::broken : holds ? ClaimState::holds : ClaimState::undecided;
  add_differing(claimed, claim.metric, *b, finding);
  if (!claim.limit) add_differing(reference, claim.metric_of_reference(), *a, finding);
  const double shown_reference = is_broken ? best_reference : worst_reference;
  if (finding.state != ClaimState::undecided && shown_reference > 0)
    finding.measured_ratio = (is_broken ? best : worst) / shown_reference;
}

// A claim about times: judged together with all others of the run.
struct TimedClaim {
  Matched matched;
  std::size_t finding = 0;  // its place among the findings
};

stats::ClaimSample sample_of(const Matched& matched, const reports::ClaimFinding& finding) {
  if (finding.at_most) return {matched.reference, matched.claimed, finding.promised_ratio};
  // "At least r" is "at most 1/r" with the sides swapped.
  return {matched.claimed, matched.reference, 1 / finding.promised_ratio};
}

ClaimState state_of(stats::ClaimCall call) {
  switch (call) {
    case stats::ClaimCall::holds:
      return ClaimState::holds;
    case stats::ClaimCall::broken:
      return ClaimState::broken;
    case stats::ClaimCall::undecided:
      return ClaimState::undecided;
  }
  return ClaimState::undecided;
}

void judge_timed(const std::vector<TimedClaim>& claims, double alpha, std::vector<reports::ClaimFinding>& findings) {
  std::vector<stats::ClaimSample> samples;
  samples.reserve(claims.size());
  for (const TimedClaim& each : claims) samples.push_back(sample_of(each.matched, findings[each.finding]));
  stats::ClaimOptions options;
  options.alpha = alpha;
  const std::vector<stats::ClaimJudgement> judgements = stats::judge_claims(samples, options);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const stats::ClaimJudgement& judged = judgements[i];
    reports::ClaimFinding& finding = findings[claims[i].finding];
    finding.state = state_of(judged.call);
    if (finding.at_most)
      finding.measured_ratio = judged.ratio;
    else if (judged.ratio && *judged.ratio > 0)
      finding.measured_ratio = 1 / *judged.ratio;
    const auto bound = judged.call == stats::ClaimCall::broken ? judged.lower : judged.upper;
    if (bound) finding.bound = finding.at_most ? *bound : 1 / *bound;
    for (const stats::Reason reason : judged.reasons.list()) finding.reasons.push_back(facts::test(reason));
  }
}

}  // namespace

std::vector<reports::ClaimFinding> claim_findings(const SideEvidence& side, const policy::CaseGates& policy,
                                                  const std::vector<SideEvidence>& stored) {
  policy::CasePolicies policies(policy);
  std::vector<reports::ClaimFinding> findings;
  std::vector<TimedClaim> timed;
  for (const record::Group& group : side.run().groups) {
    for (const record::Claim& claim : group.claims) {
      reports::ClaimFinding finding = promised_by(claim);
      const CaseEvidence* claimed = side.find(claim.case_name);
      // An absolute bound has no other case.
      const CaseEvidence* reference = claim.limit ? claimed : side.find(claim.reference_case);
      if (claim.not_claimed) {
        finding.state = ClaimState::not_claimed;
        finding.reasons = {facts::said(*claim.not_claimed)};
      } else if (claimed == nullptr || reference == nullptr || claimed->measured.empty() ||
                 reference->measured.empty()) {
        const facts::Fact unchanged = not_measured_because_unchanged(side.run(), group.name);
        finding.reasons = {unchanged.empty() ? facts::claim_not_measured() : unchanged};
      } else {
        const record::Metric* metric = metric_of(*claimed->definition, claim.metric);
        if (metric != nullptr && metric->kind == record::MetricKind::timed) {
          finding.timed = true;
          Matched matched = match(*reference, *claimed, claim);
          if (matched.claimed.empty() && claim.quantile != record::Quantile::median) {
            finding.reasons = {facts::too_few_for_percentile};
          } else {
            timed.push_back({std::move(matched), findings.size()});
          }
        } else {
          judge_exact(*reference, *claimed, claim, finding);
        }
      }
      findings.push_back(std::move(finding));
    }
  }
  judge_timed(timed, policy.alpha, findings);
  std::ranges::move(weaker_claims(stored, side), std::back_inserter(findings));
  for (reports::ClaimFinding& finding : findings) {
    finding.action = finding.state == ClaimState::broken  ? action_of(policies.of(finding.case_name).claim_broken)
                     : finding.state == ClaimState::holds ? reports::GateAction::pass
                                                          : reports::GateAction::note;
  }
  const auto rank = [](const reports::ClaimFinding& f) {
    return f.state == ClaimState::broken         ? 0
           : f.state == ClaimState::undecided    ? 1
           : f.state == ClaimState::not_measured ? 3
           : f.state == ClaimState::not_claimed  ? 4
                                                 : 2;
  };
  std::stable_sort(findings.begin(), findings.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return findings;
}

}  // namespace torchgate::gate
