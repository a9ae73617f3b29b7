// SPDX-License-Identifier: Apache-2.0
// Causes and reports for the tests of triage.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ci/github/comment/last_report.hpp"
#include "ci/github/triage/triage_cause.hpp"

namespace torchgate::testing {

inline const std::string before_hash(40, 'a');
inline const std::string cause_hash(40, 'b');
inline const std::string later_hash(40, 'c');

inline github::ReportedFinding finding(const std::string& name, const std::string& verdict, double change) {
  github::ReportedFinding one;
  one.case_name = name;
  one.metric = "time";
  one.unit = "ns";
  one.verdict = verdict;
  one.action = verdict == "regressed" ? "fail" : "pass";
  one.change = change;
  one.interval = reports::Interval{change - 0.01, change + 0.01, 0.99};
  one.value_before = 1e6;
  one.value = 1e6 * (1 + change);
  one.reasons = {"why: aten::mm has other inputs, 98 % of the added time"};
  return one;
}

inline github::SavedReport report(std::vector<github::ReportedFinding> findings, bool paired = false) {
  github::SavedReport saved;
  saved.commit = paired ? later_hash : cause_hash;
  saved.before_commit = before_hash;
  saved.host = "x86_64-epyc-2cpu";
  saved.paired = paired;
  saved.findings = std::move(findings);
  return saved;
}

inline github::Cause cause(std::vector<github::ReportedFinding> findings) {
  return cause_of(report(std::move(findings)), "report.json").value().value();
}

}  // namespace torchgate::testing
