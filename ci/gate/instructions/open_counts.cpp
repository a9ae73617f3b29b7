// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/open_counts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/instructions/function_changes.hpp"
#include "reports/facts/about_counts.hpp"

namespace torchgate::gate {
namespace {

using record::InstructionCount;
using reports::CountAnswer;
using reports::Verdict;

constexpr const char* capability_fact = "cpu_capability";
/// Of 1.05 - 1: counts have fewer digits.
constexpr double count_rounding = 1e-9;

bool times_left_open(const Judged& judged) {
  return judged.metric.primary && judged.metric.kind == record::MetricKind::timed &&
         reports::is_undecided(judged.decision.verdict) && !has_reason(judged, ReasonKind::same_objects) &&
         judged.older_run.empty();  // the nearest run did other work
}

// Both sides' counts of a case.
struct BothCounts {
  const InstructionCount* before = nullptr;
  const InstructionCount* after = nullptr;

  [[nodiscard]] bool any() const { return before != nullptr || after != nullptr; }
  // REQUIRES: both are known.
  [[nodiscard]] std::size_t fewer_processes() const {
    return std::min(before->per_call.size(), after->per_call.size());
  }
  // Absent: both are known.
  [[nodiscard]] std::optional<facts::Fact> unknown() const {
    if (before == nullptr || after == nullptr) return facts::one_side_counted;
    const InstructionCount& first = before->per_call.empty() ? *before : *after;
    if (!first.per_call.empty()) return std::nullopt;
    return first.unknown.empty() ? facts::nothing_counted() : facts::said(first.unknown);
  }
};

class CountSource {
 public:
  explicit CountSource(const OpenCounts& of)
      : of_(of),
        before_(counts_of(of.before)),
        after_(counts_of(of.after)),
        no_evidence_(counts_no_evidence(of.before, of.after)) {}

  [[nodiscard]] BothCounts find(std::string_view name) const {
    const auto before = before_.find(name);
    const auto after = after_.find(name);
    return {before == before_.end() ? nullptr : before->second, after == after_.end() ? nullptr : after->second};
  }
  [[nodiscard]] const OpenCounts& of() const { return of_; }
  [[nodiscard]] const std::optional<facts::Fact>& no_evidence() const { return no_evidence_; }

  // Where the counted kernels are not those that were timed.
  [[nodiscard]] facts::Facts other_kernels(const InstructionCount& count) const {
    const std::string* const timed = fact_of(of_.after, capability_fact);
    const std::string counted = count.cpu_capability.substr(0, count.cpu_capability.find(';'));
    if (timed == nullptr || counted.empty() || *timed == counted) return {};
    return {facts::timed_other_kernels(count.cpu_capability, *timed)};
  }

 private:
  const OpenCounts& of_;
  std::map<std::string_view, const InstructionCount*> before_;
  std::map<std::string_view, const InstructionCount*> after_;
  std::optional<facts::Fact> no_evidence_;
};

// What the counts of one case say; without evidence: why they say nothing.
struct CountFound {
  std::optional<reports::CountEvidence> evidence;
  facts::Fact because = {};
};

// A regression needs FEWEST processes per side.
CountFound weigh_counts(const CountSource& source, const BothCounts& counts, const policy::CaseSettings& own,
                        std::size_t fewest) {
  if (counts.before == nullptr || counts.after == nullptr) return {std::nullopt, *counts.unknown()};
  if (source.no_evidence()) return {std::nullopt, *source.no_evidence()};
  if (auto why = counts_not_comparable(*counts.before, *counts.after)) return {std::nullopt, *std::move(why)};
  reports::CountEvidence evidence{counts.after->counter, median_count(*counts.before), median_count(*counts.after)};
  if (!(evidence.before > 0) || !(evidence.after > 0)) return {std::nullopt, facts::counted_0};
  evidence.change = evidence.after / evidence.before - 1;
  const CountTolerance tolerance = tolerance_of(source.of().calibrated, *counts.before, *counts.after);
  if (!tolerance.repeats_known) return {std::nullopt, facts::one_process_counted};
  const bool at_gate = evidence.change >= own.latency - count_rounding;
  const bool equal = std::abs(evidence.change) <= own.instructions + count_rounding;
  if (std::abs(evidence.change) <= tolerance.ratio && tolerance.ratio > own.instructions)
    return {std::nullopt, facts::does_not_repeat(tolerance.source)};
  const std::size_t processes = counts.fewer_processes();
  if (at_gate && processes < fewest) return {std::nullopt, facts::too_few_counted(evidence.change, processes, fewest)};
  evidence.answer = at_gate ? CountAnswer::regressed : equal ? CountAnswer::no_more : CountAnswer::undecided;
  return {evidence};
}

facts::Fact numbers_of(const reports::CountEvidence& evidence, const BothCounts& counts) {
  return facts::counted_change(evidence.change, evidence.counter,
                               counts.before->per_call.size() + counts.after->per_call.size());
}

facts::Fact undecided(const reports::CountEvidence& evidence, const BothCounts& counts, double gate,
                      const facts::Facts& kernels) {
  const facts::Fact numbers = numbers_of(evidence, counts);
  if (evidence.answer == CountAnswer::no_more) return facts::no_more_instructions(numbers, kernels);
  if (evidence.change < 0) return facts::fewer_instructions(numbers, kernels);
  return facts::below_gate_counted(numbers, gate, kernels);
}

// What was found, for the notes.
class OpenCountsSummary {
 public:
  void add(CountAnswer answer) { ++found_[answer]; }
  void add_unknown(const facts::Fact& why, bool counted, const std::string& name) {
    Unknown& unknown = unknown_[{why.words(), counted}];
    unknown.why = why;
    if (unknown.cases++ == 0) unknown.first = name;
  }
  void tell(Remarks& remarks) {
    const std::size_t all =
        found_[CountAnswer::regressed] + found_[CountAnswer::no_more] + found_[CountAnswer::undecided];
    if (all > 0) {
      remarks.notes.push_back(facts::open_cases_counted(all, found_[CountAnswer::regressed],
                                                        found_[CountAnswer::no_more], found_[CountAnswer::undecided]));
    }
    for (const auto& [what, of] : unknown_) {
      const bool counted = what.second;
      remarks.notes.push_back(
          of.cases == 1 ? (counted ? facts::open_case_no_evidence : facts::open_case_not_counted)(of.first, of.why)
                        : (counted ? facts::open_cases_no_evidence : facts::open_cases_not_counted)(of.cases, of.why));
    }
  }

 private:
  struct Unknown {
    std::size_t cases = 0;
    std::string first;
    facts::Fact why;
  };
  std::map<CountAnswer, std::size_t> found_;
  std::map<std::pair<std::string, bool>, Unknown>
      unknown_;  // by the words, which give the order, and whether it was counted
};

class OpenCountsJudge {
 public:
  OpenCountsJudge(std::vector<Judged>& cases, const std::vector<OpenCounts>& sources, policy::CasePolicies& policies)
      : cases_(cases), policies_(policies) {
    for (const OpenCounts& each : sources) sources_.emplace_back(each);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (cases[i].metric.name == record::instructions_metric) counted_.emplace(cases[i].case_name(), i);
  }

  void judge(Remarks& remarks) {
    for (Judged& judged : cases_)
      if (times_left_open(judged)) judge_case(judged);
    std::move(added_.begin(), added_.end(), std::back_inserter(cases_));
    summary_.tell(remarks);
  }

 private:
  void judge_case(Judged& judged) {
    facts::Fact because;
    bool counted = false;
    for (const CountSource& source : sources_) {
      const BothCounts counts = source.find(judged.case_name());
      if (!counts.any()) continue;
      auto unknown = counts.unknown();
      const bool has_counts = !unknown;
      CountFound found =
          has_counts ? weigh_counts(source, counts, policies_.of(judged.case_name()), source.of().fewest_processes)
                     : CountFound{std::nullopt, *std::move(unknown)};
      if (found.evidence) return take(judged, source, counts, *found.evidence);
      if (because.empty() || (has_counts && !counted)) because = std::move(found.because), counted = has_counts;
    }
    if (because.empty()) return;
    summary_.add_unknown(because, counted, judged.case_name());
    if (counted) add_reason(judged, ReasonKind::counted, facts::no_evidence(because));
  }

  void take(Judged& judged, const CountSource& source, const BothCounts& counts,
            const reports::CountEvidence& evidence) {
    summary_.add(evidence.answer);
    judged.counted = evidence;
    const double gate = policies_.of(judged.case_name()).latency;
    const facts::Facts kernels = source.other_kernels(*counts.after);
    if (evidence.answer != CountAnswer::regressed)
      return add_reason(judged, ReasonKind::counted, undecided(evidence, counts, gate, kernels));
    add_reason(judged, ReasonKind::counted, facts::count_decides(evidence.change));
    Judged& regressed = finding_of_counts(judged);
    regressed.decision.verdict = Verdict::regressed;
    regressed.decision.change = evidence.change;
    regressed.counted = evidence;
    regressed.counts = Counts{evidence.before, evidence.after};
    regressed.before_processes = static_cast<std::int64_t>(counts.before->per_call.size());
    regressed.after_processes = static_cast<std::int64_t>(counts.after->per_call.size());
    regressed.action_rule = ActionRule::verdict;
    add_reason(regressed, ReasonKind::counted,
               facts::counted_at_gate(source.of().where, numbers_of(evidence, counts), gate, kernels));
    if (!has_reason(regressed, ReasonKind::why))
      add_reasons(regressed, ReasonKind::why, function_changes(*counts.before, *counts.after));
  }

  // The finding that there is about its instructions, or a new one.
  Judged& finding_of_counts(const Judged& judged) {
    if (const auto known = counted_.find(judged.case_name()); known != counted_.end()) return cases_[known->second];
    added_.push_back(judged_count(*judged.definition, Verdict::regressed));
    return added_.back();
  }

  std::vector<Judged>& cases_;
  policy::CasePolicies& policies_;
  std::vector<CountSource> sources_;
  std::map<std::string_view, std::size_t> counted_;
  std::vector<Judged> added_;
  OpenCountsSummary summary_;
};

}  // namespace

std::optional<facts::Fact> counts_no_evidence(const RunSide& before, const RunSide& after) {
  const std::string* const was = fact_of(before, capability_fact);
  const std::string* const is = fact_of(after, capability_fact);
  if (was != nullptr && is != nullptr && *was != *is) return facts::kernels_of_libtorch(*was, *is);
  return counts_not_comparable(before, after);
}

void judge_open_counts(std::vector<Judged>& cases, const std::vector<OpenCounts>& sources,
                       policy::CasePolicies& policies, const policy::Gate& policy, Remarks& remarks) {
  if (!policy.count_undecided || !judges_time(policy)) return;
  OpenCountsJudge(cases, sources, policies).judge(remarks);
}

OpenCounts counts_of_pairs(const record::Run& pairs) {
  OpenCounts counts{{&pairs, 0}, {&pairs, 1}, "the pairs"};
  counts.fewest_processes = processes_for_regression;
  return counts;
}

std::vector<std::string> cases_to_count_again(const record::Run& pairs, const policy::Judging& policy) {
  std::vector<std::string> cases;
  policy::CasePolicies policies(policy);
  const OpenCounts counts = counts_of_pairs(pairs);
  const CountSource source(counts);
  for (const InstructionCount& each : pairs.instructions) {
    const BothCounts both = source.find(each.case_name);
    if (each.side != 1 || both.unknown() || both.fewer_processes() >= processes_for_regression) continue;
    const CountFound found = weigh_counts(source, both, policies.of(each.case_name), both.fewer_processes());
    if (found.evidence && found.evidence->answer == CountAnswer::regressed) cases.push_back(each.case_name);
  }
  return cases;
}

}  // namespace torchgate::gate
