// SPDX-License-Identifier: Apache-2.0
#include "reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/short_commit.hpp"

namespace torchgate::reports {

std::string since_words(const SincePin& pin) {
  constexpr std::size_t date = std::string_view("YYYY-MM-DD").size();
  const std::string when = pin.created.substr(0, date);
  return pin.commit ? fmt::format("{} ({}, {})", pin.name, record::short_commit(*pin.commit), when)
                    : fmt::format("{} ({})", pin.name, when);
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
      return "failed";
    case Verdict::wrong:
      return "wrong";
    case Verdict::missing:
      return "missing";
    case Verdict::not_comparable:
      return "not_comparable";
    case Verdict::regressed:
      return "regressed";
    case Verdict::over_budget:
      return "over_budget";
    case Verdict::suspected:
      return "suspected";
    case Verdict::layout:
      return "layout";
    case Verdict::claim_broken:
      return "claim_broken";
    case Verdict::changed:
      return "changed";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::improved:
      return "improved";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::unchanged:
      return "unchanged";
    case Verdict::new_case:
      return "new";
    case Verdict::skipped:
      return "skipped";
  }
  return "inconclusive";
}

std::string verdict_words(Verdict verdict) {
  std::string words = to_string(verdict);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

const char* to_string(GateAction action) {
  switch (action) {
    case GateAction::fail:
      return "fail";
    case GateAction::warn:
      return "warn";
    case GateAction::note:
      return "note";
    case GateAction::pass:
      return "pass";
  }
  return "note";
}

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "pass";
    case Outcome::fail:
      return "fail";
    case Outcome::no_verdict:
      return "no_verdict";
  }
  return "no_verdict";
}

const char* to_string(ClaimState state) {
  switch (state) {
    case ClaimState::holds:
      return "holds";
    case ClaimState::broken:
      return "broken";
    case ClaimState::undecided:
      return "undecided";
    case ClaimState::not_measured:
      return "not_measured";
    case ClaimState::not_claimed:
      return "not_claimed";
  }
  return "not_measured";
}

const char* to_string(CountAnswer answer) {
  switch (answer) {
    case CountAnswer::regressed:
      return "regressed";
    case CountAnswer::no_more:
      return "no_more";
    case CountAnswer::undecided:
      return "undecided";
  }
  return "undecided";
}

bool is_counted_regression(const Finding& finding) {
  return finding.counted && finding.verdict == Verdict::regressed && finding.metric.kind == record::MetricKind::exact;
}

double opposite(double change) {
  return 1 / (1 + change) - 1;
}

double worse_change(double worse, const record::Metric& metric) {
  return metric.direction == record::Direction::lower_is_better ? worse : opposite(worse);
}

double gate_of(const Finding& finding, const Report& report) {
  return worse_change(finding.own_gate.value_or(report.gate_ratio), finding.metric);
}

}  // namespace torchgate::reports
