// SPDX-License-Identifier: Apache-2.0
#include "reports/advice.hpp"

#include <algorithm>

namespace torchgate::reports {
namespace {

std::int64_t count_findings(const Report& report, Verdict verdict) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [verdict](const Finding& finding) { return finding.verdict == verdict; });
}

/// A case with one process on a side was compared, and nothing could be said of it.
bool has_single_processes(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    if (finding.verdict != Verdict::inconclusive || finding.p || !finding.before || !finding.after) return false;
    return finding.before->processes == 1 || finding.after->processes == 1;
  });
}

std::string without_verdict(const Report& report) {
  const bool refused = std::any_of(report.differences.begin(), report.differences.end(),
                                   [](const Difference& difference) { return difference.refuses; });
  if (refused) {
    return "Runs of different machines are never compared: measure both sides on one machine with `torchgate ab`, or "
           "store a baseline of this one with `torchgate baseline add`.";
  }
  if (report.before.run_ids.empty()) {
    return "Nothing to compare with: measure the main branch with `torchgate run` and store it with `torchgate "
           "baseline "
           "add`, or compare two builds at once with `torchgate ab`.";
  }
  if (has_single_processes(report)) {
    return "Measure at least two processes a side: `torchgate run --processes 5`, or several result files a side "
           "(`torchgate compare a1.json,a2.json b1.json,b2.json`); `--rule textbook` judges one file a side.";
  }
  return "Check the filter, and what the run says it skipped or lost.";
}

/// Suspects that nobody measured in pairs, and suspects for which pairs gave no answer, need different things.
void advise_on_suspects(const Report& report, std::vector<std::string>& steps) {
  const auto tried = std::count_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return finding.verdict == Verdict::suspected && finding.confirmation && finding.confirmation->pairs > 0;
  });
  const std::int64_t untried = count_findings(report, Verdict::suspected) - tried;
  if (untried > 0) {
    steps.push_back("Confirm or clear " + counted(untried, "suspect", "suspects") +
                    " with `torchgate ab`, which measures both builds in turn on one machine.");
  }
  if (tried > 0) {
    steps.push_back("Interleaved pairs left " + counted(tried, "suspect", "suspects") +
                    " undecided: more pairs or a quieter machine would help.");
  }
}

/// The most that an undecided case would take, so that one more run can decide them all.
void advise_on_inconclusive(const Report& report, std::vector<std::string>& steps) {
  const std::int64_t cases = count_findings(report, Verdict::inconclusive);
  std::int64_t processes = 0;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::inconclusive) processes = std::max(processes, finding.processes_needed.value_or(0));
  }
  if (cases == 0 || processes == 0) return;
  steps.push_back(
      "About " + counted(processes, "more process", "more processes") + " a side would decide " +
      (cases == 1 ? std::string("the inconclusive case.") : "the " + grouped(cases) + " inconclusive cases."));
}

}  // namespace

std::vector<std::string> next_steps(const Report& report) {
  std::vector<std::string> steps;
  const auto has = [&](Verdict verdict) { return count_findings(report, verdict) > 0; };
  if (report.outcome == Outcome::no_verdict) steps.push_back(without_verdict(report));
  if (has(Verdict::failed)) steps.emplace_back("A failed case has no speed: mend it first, then measure again.");
  if (has(Verdict::wrong)) {
    steps.emplace_back("A case with a wrong result is not faster or slower, it is wrong: compare its output first.");
  }
  if (has(Verdict::missing)) {
    steps.emplace_back(
        "A missing case was measured in the baseline: bring it back, or keep a run without it as the new baseline.");
  }
  if (has(Verdict::regressed)) {
    steps.emplace_back(
        "If a slow-down is meant, say why in the change, and `torchgate accept` lets it pass for a time (a waiver, "
        "reviewed like code); after the merge, a run of it kept with `torchgate baseline add` is what later runs are "
        "judged against.");
  }
  advise_on_suspects(report, steps);
  if (std::any_of(report.claims.begin(), report.claims.end(),
                  [](const ClaimFinding& claim) { return claim.state == ClaimState::broken; })) {
    steps.emplace_back(
        "A broken claim means that an optimisation does not give here what its group promises: mend it, or "
        "change the promise.");
  }
  advise_on_inconclusive(report, steps);
  if (has(Verdict::improved)) {
    steps.emplace_back(
        "After the merge, store the improvement as the new baseline (`torchgate baseline add`), or a later "
        "slow-down can hide in it.");
  }
  if (!report.doubts.empty())
    steps.emplace_back(
        "The answer is doubtful for the reasons above: end what else runs on this machine, and measure again.");
  return steps;
}

}  // namespace torchgate::reports
