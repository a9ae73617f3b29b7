// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/instructions/open_counts.hpp"

#include <fmt/format.h>

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
#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::gate {
namespace {

using record::InstructionCount;
using reports::CountAnswer;
using reports::Verdict;

constexpr const char* capability_fact = "cpu_capability";
/// Of 1.05 - 1: counts have fewer digits.
constexpr double count_rounding = 1e-9;

bool is_undecided(Verdict verdict) {
  return verdict == Verdict::inconclusive || verdict == Verdict::suspected;
}

bool times_left_open(const Judged& judged) {
  return judged.metric.primary && judged.metric.kind == record::MetricKind::timed &&
         is_undecided(judged.decision.verdict) && !has_reason(judged, ReasonKind::same_objects) &&
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
  // Empty: both are known.
  [[nodiscard]] std::string unknown() const {
    if (before == nullptr || after == nullptr) return "only one side was counted";
    const InstructionCount& first = before->per_call.empty() ? *before : *after;
    if (!first.per_call.empty()) return "";
    return first.unknown.empty() ? "nothing was counted" : first.unknown;
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
  [[nodiscard]] const std::optional<std::string>& no_evidence() const { return no_evidence_; }

  // Where the counted kernels are not those that were timed.
  [[nodiscard]] std::string other_kernels(const InstructionCount& count) const {
    const std::string* const timed = fact_of(of_.after, capability_fact);
    const std::string counted = count.cpu_capability.substr(0, count.cpu_capability.find(';'));
    if (timed == nullptr || counted.empty() || *timed == counted) return "";
    return fmt::format("; counted with kernels for {}, timed with those for {}", count.cpu_capability, *timed);
  }

 private:
  const OpenCounts& of_;
  std::map<std::string_view, const InstructionCount*> before_;
  std::map<std::string_view, const InstructionCount*> after_;
  std::optional<std::string> no_evidence_;
};

// What the counts of one case say; without evidence: why they say nothing.
struct CountFound {
  std::optional<reports::CountEvidence> evidence;
  std::string because;
};

// A regression needs FEWEST processes per side.
CountFound weigh_counts(const CountSource& source, const BothCounts& counts, const policy::CaseSettings& own,
                        std::size_t fewest) {
  if (counts.before == nullptr || counts.after == nullptr) return {std::nullopt, counts.unknown()};
  if (source.no_evidence()) return {std::nullopt, *source.no_evidence()};
  if (auto why = counts_not_comparable(*counts.before, *counts.after)) return {std::nullopt, *std::move(why)};
  reports::CountEvidence evidence{counts.after->counter, median_count(*counts.before), median_count(*counts.after)};
  if (!(evidence.before > 0) || !(evidence.after > 0)) return {std::nullopt, "0 were counted"};
  evidence.change = evidence.after / evidence.before - 1;
  const CountTolerance tolerance = tolerance_of(source.of().calibrated, *counts.before, *counts.after);
  if (!tolerance.repeats_known)
    return {std::nullopt, "each side was counted in one process, so whether its count repeats is unknown"};
  const bool at_gate = evidence.change >= own.latency - count_rounding;
  const bool equal = std::abs(evidence.change) <= own.instructions + count_rounding;
  if (std::abs(evidence.change) <= tolerance.ratio && tolerance.ratio > own.instructions)
    return {std::nullopt, "the count does not repeat: " + tolerance.source};
  const std::size_t processes = counts.fewer_processes();
  if (at_gate && processes < fewest)
    return {std::nullopt, fmt::format("{:+.3g} % in {} per side, and a regression needs {}", evidence.change * 100,
                                      base::counted(processes, "process", "processes"), fewest)};
  evidence.answer = at_gate ? CountAnswer::regressed : equal ? CountAnswer::no_more : CountAnswer::undecided;
  return {evidence, ""};
}

std::string numbers_text(const reports::CountEvidence& evidence, const BothCounts& counts) {
  return fmt::format(
      "{:+.3g} % instructions per call ({}, {})", evidence.change * 100, evidence.counter,
      base::counted(counts.before->per_call.size() + counts.after->per_call.size(), "process", "processes"));
}

std::string undecided_text(const reports::CountEvidence& evidence, const BothCounts& counts, double gate) {
  const std::string numbers = numbers_text(evidence, counts);
  if (evidence.answer == CountAnswer::no_more) return "counted: no more instructions: " + numbers;
  if (evidence.change < 0) return "counted: fewer instructions: " + numbers;
  return fmt::format("counted: {}, below the gate of {:g} %", numbers, gate * 100);
}

// What was found, for the notes.
class OpenCountsSummary {
 public:
  void add(CountAnswer answer) { ++found_[answer]; }
  void add_unknown(const std::string& why, bool counted, const std::string& name) {
    auto& [cases, first] = unknown_[{why, counted}];
    if (cases++ == 0) first = name;
  }

  void tell(Remarks& remarks) {
    const std::size_t all =
        found_[CountAnswer::regressed] + found_[CountAnswer::no_more] + found_[CountAnswer::undecided];
    if (all > 0) {
      remarks.notes.push_back(fmt::format(
          "times left {} open; by their instructions {} regressed, {} no more instructions than before, {} undecided",
          base::counted(all, "counted case", "counted cases"), found_[CountAnswer::regressed],
          base::counted(found_[CountAnswer::no_more], "executes", "execute"), found_[CountAnswer::undecided]));
    }
    for (const auto& [what, of] : unknown_) {
      const auto& [why, counted] = what;
      const auto& [cases, first] = of;
      const std::string who = cases == 1 ? "the open case " + first : base::counted(cases, "open case", "open cases");
      remarks.notes.push_back(counted ? fmt::format("instructions of {} are not evidence: {}", who, why)
                                      : fmt::format("instructions of {} were not counted: {}", who, why));
    }
  }

 private:
  std::map<CountAnswer, std::size_t> found_;
  std::map<std::pair<std::string, bool>, std::pair<std::size_t, std::string>> unknown_;
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
    std::string because;
    bool counted = false;
    for (const CountSource& source : sources_) {
      const BothCounts counts = source.find(judged.case_name());
      if (!counts.any()) continue;
      std::string unknown = counts.unknown();
      CountFound found =
          unknown.empty() ? weigh_counts(source, counts, policies_.of(judged.case_name()), source.of().fewest_processes)
                          : CountFound{std::nullopt, std::move(unknown)};
      if (found.evidence) return take(judged, source, counts, *found.evidence);
      const bool has_counts = counts.unknown().empty();
      if (because.empty() || (has_counts && !counted)) because = std::move(found.because), counted = has_counts;
    }
    if (because.empty()) return;
    summary_.add_unknown(because, counted, judged.case_name());
    if (counted) add_reason(judged, ReasonKind::counted, "its instructions are not evidence: " + because);
  }

  void take(Judged& judged, const CountSource& source, const BothCounts& counts,
            const reports::CountEvidence& evidence) {
    summary_.add(evidence.answer);
    judged.counted = evidence;
    const double gate = policies_.of(judged.case_name()).latency;
    const std::string kernels = source.other_kernels(*counts.after);
    if (evidence.answer != CountAnswer::regressed)
      return add_reason(judged, ReasonKind::counted, undecided_text(evidence, counts, gate) + kernels);
    add_reason(judged, ReasonKind::counted,
               fmt::format("its times leave it open; counted: {:+.3g} % instructions per call, which decides",
                           evidence.change * 100));
    Judged& regressed = finding_of_counts(judged);
    regressed.decision.verdict = Verdict::regressed;
    regressed.decision.change = evidence.change;
    regressed.counted = evidence;
    regressed.counts = Counts{evidence.before, evidence.after};
    regressed.before_processes = static_cast<std::int64_t>(counts.before->per_call.size());
    regressed.after_processes = static_cast<std::int64_t>(counts.after->per_call.size());
    regressed.action_rule = ActionRule::verdict;
    add_reason(regressed, ReasonKind::counted,
               fmt::format("its times leave it open; counted in {}: {}, at or above the gate of {:g} %{}",
                           source.of().where, numbers_text(evidence, counts), gate * 100, kernels));
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

std::optional<std::string> counts_no_evidence(const RunSide& before, const RunSide& after) {
  const std::string* const was = fact_of(before, capability_fact);
  const std::string* const is = fact_of(after, capability_fact);
  if (was != nullptr && is != nullptr && *was != *is)
    return fmt::format("LibTorch chose kernels for {} before and for {} after", *was, *is);
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
    if (each.side != 1 || !both.unknown().empty() || both.fewer_processes() >= processes_for_regression) continue;
    const CountFound found = weigh_counts(source, both, policies.of(each.case_name), both.fewer_processes());
    if (found.evidence && found.evidence->answer == CountAnswer::regressed) cases.push_back(each.case_name);
  }
  return cases;
}

CasesToCount cases_to_count(const record::Run& pairs, const policy::Judging& policy) {
  CasesToCount cases;
  const auto report = judge_paired(pairs, policy);
  if (!report) return cases;
  std::map<std::string_view, const record::Case*> definitions;
  for (const record::Case& each : pairs.cases) definitions.emplace(each.name, &each);
  std::set<std::string_view> counted;
  for (const InstructionCount& each : pairs.instructions) counted.insert(each.case_name);
  std::vector<const reports::Finding*> open;
  for (const reports::Finding& finding : report->findings) {
    const auto definition = definitions.find(finding.case_name);
    const bool timed = finding.metric.primary && finding.metric.kind == record::MetricKind::timed;
    if (!timed || !is_undecided(finding.verdict) || definition == definitions.end() ||
        counted.contains(finding.case_name) || same_objects_ran(pairs, definition->second->group))
      continue;
    open.push_back(&finding);
  }
  const auto slower = [](const reports::Finding* finding) {
    const double change = finding->change.value_or(0);
    return finding->metric.direction == record::Direction::lower_is_better ? change : 1 / (1 + change) - 1;
  };
  std::stable_sort(open.begin(), open.end(), [&](const auto* a, const auto* b) { return slower(a) > slower(b); });
  for (const reports::Finding* finding : open)
    (slower(finding) >= policy.latency / 2 ? cases.slower : cases.others).push_back(finding->case_name);
  return cases;
}

}  // namespace torchgate::gate
