// SPDX-License-Identifier: Apache-2.0
#include "reports/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/record/imported.hpp"
#include "reports/accept_advice.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_states.hpp"
#include "reports/file_advice.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "stats/rules.hpp"

namespace torchgate::reports {
namespace {

/// Without those that a waiver covers: nothing is to be done about them.
std::int64_t count_findings(const Report& report, Verdict verdict) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [verdict](const Finding& finding) { return finding.verdict == verdict && !finding.waived; });
}

/// A case with one process on a side was compared, and nothing could be said of it.
bool has_single_processes(const Report& report) {
  if (stats::rule_reads(report.rule, stats::Reads::raw_samples)) return false;  // it needs none
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    if (finding.verdict != Verdict::inconclusive || finding.p || !finding.before || !finding.after) return false;
    return finding.before->processes == 1 || finding.after->processes == 1;
  });
}

/// A suspect neither fails nor passes, because of how many processes it has.
bool has_too_few_to_fail(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return !finding.waived && std::any_of(finding.reasons.begin(), finding.reasons.end(),
                                          [](const facts::Fact& reason) { return reason.is(facts::too_few_to_fail); });
  });
}

/// Of pairs that sample each case as the judged run did: with more calls of warm-up they would not show what only the first calls do, and
/// without --full they would not have its longest cases.
std::string sampling_flags(const Report& report) {
  return record::options_of(report.after.sampling);
}

/// Pairs of two builds, which it has to be told.
std::string ab_command(const Report& report) {
  return "torchgate ab --before PATH --after PATH" + sampling_flags(report);
}

/// Pairs left a case open because a file changed that both sides read as it is now.
bool has_unknown_files(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return is_undecided(finding.verdict) &&
           std::any_of(finding.reasons.begin(), finding.reasons.end(),
                       [](const facts::Fact& reason) { return reason.is(facts::data_changed); });
  });
}

/// A suite could not list its cases before, and no case was measured on both sides: nothing else is to be done first.
bool lacks_a_listing(const Report& report) {
  const auto is_of_listing = [](const facts::Fact& reason) {
    return reason.is(facts::no_numbers_before) && reason.inner().is(facts::suite_not_listed);
  };
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) {
                       return finding.verdict == Verdict::not_comparable && !finding.waived &&
                              std::any_of(finding.reasons.begin(), finding.reasons.end(), is_of_listing);
                     }) &&
         std::none_of(report.findings.begin(), report.findings.end(),
                      [](const Finding& finding) { return finding.before && finding.after; });
}

/// What decides more cases.
std::string too_few_decided(const Report& report) {
  const bool counts_only = stats::rule_reads(report.rule, stats::Reads::counts);
  if (std::string step = counts_only ? "" : step_for_lost_counts(report); !step.empty()) return step;
  if (is_of_files(report)) return more_files(report, false);
  if (report.paired && has_unknown_files(report)) {
    return "A file changed that the suite may read, and more pairs cannot show what it costs: measure both commits "
           "with "
           "their own files (`torchgate ab --before COMMIT --after COMMIT`), or compare with stored times (`torchgate "
           "run`, then `torchgate gate RUN`).";
  }
  if (stats::rule_reads(report.rule, stats::Reads::raw_samples)) {
    return "--rule textbook finds differences and cannot show that there is none: use the default rule, or set "
           "`gate.min_decided = 0`.";
  }
  if (counts_only) return "Too few cases have counts on both sides: measure both with `torchgate run --instructions`.";
  return report.paired ? "Too few cases were decided: give the pairs more time (`--budget`), or measure on a quieter "
                         "machine; `gate.min_decided` is the least share."
                       : fmt::format(
                             "Too few cases were decided: measure both builds in interleaved pairs (`{}`, "
                             "or `torchgate gate` with a larger `--budget`), or on a quieter machine; "
                             "`gate.min_decided` is the least share.",
                             ab_command(report));
}

std::string more_processes(const Report& report) {
  if (is_of_files(report)) return more_files(report, true);
  const bool spent_budget = std::any_of(report.notes.begin(), report.notes.end(),
                                        [](const facts::Fact& note) { return note.is(facts::budget_spent_before); });
  if (report.paired && spent_budget) return "Measure more pairs: give them a larger `--budget`.";
  return report.paired ? fmt::format("Measure more pairs: `--pairs 20{}`.", sampling_flags(report))
                       : "Measure at least two processes per side: `torchgate run --processes 5`, or several result "
                         "files per side (`torchgate compare a1.json,a2.json b1.json,b2.json`); `--rule textbook` "
                         "accepts one file per side.";
}

std::string enough_processes(const Report& report) {
  if (is_of_files(report))
    return "Name at least three files per side (`torchgate compare B1,B2,B3 A1,A2,A3`): a suspect of fewer does not "
           "fail.";
  return fmt::format(
      "Measure at least three processes per side (`torchgate run --processes 5`), or both builds in interleaved pairs "
      "(`{}`): a suspect of fewer processes does not fail.",
      ab_command(report));
}

std::string without_verdict(const Report& report) {
  const bool refused = std::any_of(report.differences.begin(), report.differences.end(),
                                   [](const Difference& difference) { return difference.refuses; });
  const bool other_host = report.before.host_key != report.after.host_key && !report.before.host_key.empty() &&
                          !report.after.host_key.empty();
  if (refused || (other_host && report.cases_judged == 0)) {
    if (is_of_files(report))
      return "Results of different machines are never compared: measure both sides on one machine, with the same tool.";
    return "Runs of different machines are never compared: measure both sides on one machine with `torchgate ab`, or "
           "add a baseline for this machine with `torchgate baseline add`.";
  }
  if (report.since && report.pairs_planned) {
    return "Measure the planned pairs with `torchgate ab --pair-plan FILE`, then judge them with `torchgate gate RUN "
           "--since PIN --pairs-from PAIRS`.";
  }
  if (report.pairs_planned) {
    return "Measure the planned pairs with `torchgate ab --pair-plan FILE`, then judge them with `torchgate gate RUN "
           "--pairs-from PAIRS`.";
  }
  if (report.since && !report.paired) {
    return "The change since a pin is measured in pairs: store the binaries of its run (`torchgate baseline add`), or "
           "set baseline.build to rebuild its commit.";
  }
  if (is_of_one_run(report) && report.before.label.empty()) {
    return "Compare it with another run, or with result files of the other build: `torchgate compare BEFORE AFTER`.";
  }
  if (report.before.run_ids.empty()) {
    if (is_of_files(report))
      return "No baseline: name the result files of both builds (`torchgate compare BEFORE AFTER`).";
    return "No baseline: measure the main branch with `torchgate run` and add it with `torchgate baseline add`, or "
           "compare two builds with `torchgate ab`. Where a CI job adds baselines, the log of the last push's job says "
           "why "
           "it added none.";
  }
  if (report.since) {
    return "Some cases have no pairs, and their reasons say why: pin a commit where they run, leave them out "
           "(`torchgate run --filter`), or give `torchgate gate --since` a larger `--budget`.";
  }
  if (lacks_a_listing(report)) {
    return fmt::format(
        "No case was measured on both sides, because a suite of {} could not list its cases (see the doubts): repair "
        "or rebuild it, and measure again.",
        report.paired ? "the before side" : "the baseline");
  }
  if (report.too_few_decided) return too_few_decided(report);
  if (has_single_processes(report)) return more_processes(report);
  if (has_too_few_to_fail(report)) return enough_processes(report);
  if (report.decided.cases > 0) return too_few_decided(report);
  return "Check the filter and the skipped or failed processes listed in the run.";
}

/// Suspects without pairs and suspects that stayed undecided in pairs need different steps.
void advise_on_suspects(const Report& report, std::vector<std::string>& steps) {
  const auto tried = std::count_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return finding.verdict == Verdict::suspected && !finding.waived && finding.confirmation &&
           finding.confirmation->pairs > 0;
  });
  const std::int64_t untried = count_findings(report, Verdict::suspected) - tried;
  if (untried > 0 && (is_of_files(report) || report.before.sampling.profile == record::imported_profile)) {
    for (std::string& step : steps_for_suspects(report, untried)) steps.push_back(std::move(step));
  } else if (untried > 0 && !report.paired) {
    steps.push_back(
        fmt::format("Confirm or clear {} in interleaved pairs: `torchgate gate AFTER --against BEFORE` runs the "
                    "programs of both runs again, `{}` those of two builds.",
                    counted(untried, "suspect", "suspects"), ab_command(report)));
  }
  if (tried > 0) {
    steps.push_back(counted(tried, "suspect is", "suspects are") +
                    " undecided after interleaved pairs: use more pairs (`--pairs`) or a quieter machine.");
  }
}

/// The most that an undecided case would take, so that one more run can decide them all. More than can be asked for would decide none.
void advise_on_inconclusive(const Report& report, std::vector<std::string>& steps) {
  const std::int64_t limit = report.paired ? base::max_pairs : base::max_processes_per_group;
  std::int64_t cases = 0;
  std::int64_t processes = 0;
  std::int64_t hopeless = 0;
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::inconclusive || finding.waived) continue;
    const std::int64_t needed = finding.processes_needed.value_or(0);
    if (needed > limit) {
      ++hopeless;
      continue;
    }
    ++cases;
    processes = std::max(processes, needed);
  }
  if (processes > 0) {
    const std::string more = report.paired ? counted(processes, "more pair", "more pairs")
                                           : counted(processes, "more process", "more processes") + " per side";
    steps.push_back(
        "About " + more + " needed to decide " +
        (cases == 1 ? std::string("the inconclusive case.") : "the " + grouped(cases) + " inconclusive cases."));
  }
  if (hopeless > 0) {
    steps.push_back(fmt::format(
        "{} too much on this machine for more {} to decide {} (at most {} can be measured): use a quieter machine, or "
        "a benchmark that varies less.",
        counted(hopeless, "inconclusive case varies", "inconclusive cases vary"), report.paired ? "pairs" : "processes",
        hopeless == 1 ? "it" : "them", grouped(limit)));
  }
}

/// Short calls on a GPU: most of what a caller waits for is the CPU's part, which varies more than the device's.
void advise_on_device_times(const Report& report, std::vector<std::string>& steps) {
  const auto open = std::count_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return is_undecided(finding.verdict) && finding.metric.primary && finding.metric.name == "time" &&
           finding.case_name.find("/device:cuda") != std::string::npos;
  });
  if (open == 0) return;
  steps.push_back(
      counted(open, "undecided case runs", "undecided cases run") +
      " on a GPU, and what is judged is the time that a caller waits: measure with `--device-metric gpu_time_hot` "
      "(`run.device_metric`) to judge the device's own time, which varies less.");
}

/// "stop other programs; connect the power supply": what the doubts of this kind name, each once; OTHERWISE, where they name nothing. A record can name anything: commands
/// are between backquotes, so there are none in it.
std::string fixes_of(const Report& report, DoubtKind kind, const std::string& otherwise = "stop other work") {
  std::vector<std::string> fixes;
  for (const Doubt& doubt : report.doubts) {
    std::string fix = one_line(doubt.fix);
    std::replace(fix.begin(), fix.end(), '`', '\'');
    const bool known = std::find(fixes.begin(), fixes.end(), fix) != fixes.end();
    if (doubt.kind == kind && !fix.empty() && !known) fixes.push_back(std::move(fix));
  }
  return fixes.empty() ? otherwise : fmt::format("{}", fmt::join(fixes, "; "));
}

/// What removes the doubts of this kind; empty: their sentences are enough.
std::string step_against(const Report& report, DoubtKind kind) {
  if (std::string step = is_of_files(report) ? step_for_files(kind) : ""; !step.empty()) return step;
  switch (kind) {
    case DoubtKind::unfit:
      return "The machine was unfit for timing: " + fixes_of(report, kind) +
             "; check it with `torchgate doctor`, then measure again.";
    case DoubtKind::machine:
      return "The machine was noisy: " + fixes_of(report, kind) +
             "; check it with `torchgate doctor`, then measure again.";
    case DoubtKind::separate_runs:
      return report.paired ? ""
                           : fmt::format(
                                 "The sides were measured at different times: use `{}` to measure them in "
                                 "alternation.",
                                 ab_command(report));
    case DoubtKind::incomplete:
      if (report.paired)
        return "Some pairs are missing (see the doubts): " +
               fixes_of(report, kind, "resume them (`torchgate ab --resume`), or measure them again") + ".";
      return "Some measurements are incomplete (see the doubts): resume or repeat them (`torchgate run --resume`, or "
             "the missing shards and `torchgate merge`), then judge again.";
    case DoubtKind::lost:
      return std::string(
                 "Some processes were lost or not started (see the doubts): fix what ended them, or raise the ") +
             "limit that they reached (`--group-limit`, `--total-limit`), and measure again" +
             (report.paired ? "." : "; then judge again.");
    case DoubtKind::other_machine:
      return "Some times of the baseline may be of another machine (see the doubts): measure both builds here in pairs "
             "(`torchgate ab`), or add a run of this machine with `torchgate baseline add`.";
    case DoubtKind::inputs:
      return "Check the files named in the doubts: copies, results of an earlier run, files that were cut off and "
             "swapped "
             "sides do not show what this change does.";
    case DoubtKind::suite_shift:
      return fmt::format(
          "The suite as a whole moved: check compiler flags, libraries and machine settings that all cases share, "
          "and compare the two builds with `{}`.",
          ab_command(report));
    case DoubtKind::same_files:
      return "Identical files gave different times: check what else differs between the sides, such as input files or "
             "environment variables, before trusting the other verdicts.";
    case DoubtKind::policy:
      return "Review the policy or waiver problem named in the doubts; " +
             fixes_of(report, kind, "it may change the verdict") + ".";
    case DoubtKind::other: {
      const std::string fixes = fixes_of(report, kind, "");
      return fixes.empty() ? "" : "To settle the doubts: " + fixes + ".";
    }
  }
  return "";
}

void advise_on_doubts(const Report& report, std::vector<std::string>& steps) {
  std::set<DoubtKind> kinds;
  for (const Doubt& doubt : report.doubts) kinds.insert(doubt.kind);
  for (const DoubtKind kind : kinds) {
    if (kind == DoubtKind::lost && lacks_a_listing(report)) continue;  // the process that should have listed them
    if (std::string step = step_against(report, kind); !step.empty()) steps.push_back(std::move(step));
  }
}

}  // namespace

std::vector<std::string> next_steps(const Report& report) {
  std::vector<std::string> steps;
  const auto has = [&](Verdict verdict) { return count_findings(report, verdict) > 0; };
  if (report.outcome == Outcome::no_verdict) steps.push_back(without_verdict(report));
  if (has_single_processes(report) && (steps.empty() || steps.front() != more_processes(report)))
    steps.push_back(more_processes(report));
  if (has(Verdict::failed)) steps.emplace_back("A failed case cannot be timed: fix it, then measure again.");
  if (has(Verdict::wrong)) {
    steps.emplace_back(
        "A case with a wrong result is not timed: compare its output with the reference and fix it first.");
  }
  // The sides of pairs and of files have no baseline in the store.
  const bool has_baseline = !report.paired && !is_of_files(report);
  if (has(Verdict::missing) && !report.since) {
    steps.push_back(
        fmt::format("A missing case was measured {}: restore it, or, if its removal is intended, accept it with "
                    "`torchgate accept CASE --reason ...` (many cases: `missing` in a [[case]] table){}.",
                    has_baseline ? "in the baseline" : "before",
                    has_baseline ? ", or add a run without it as the new baseline" : ""));
  }
  const bool unlisted = lacks_a_listing(report);
  if (has(Verdict::not_comparable) && !unlisted) {
    steps.push_back(fmt::format(
        "A case that is not comparable says nothing about its speed: measure it as {} did{}, or accept it with "
        "`torchgate accept CASE --reason ...` (many cases: `missing` in a [[case]] table){}.",
        has_baseline ? "the baseline" : "the side before",
        has_baseline ? ", compare two builds that measure it in one way with `torchgate ab`" : "",
        has_baseline ? "; the next baseline has its new form" : ""));
  }
  for (std::string& step : steps_for_slower(report)) steps.push_back(std::move(step));
  if (std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.verdict == Verdict::layout && finding.action == GateAction::warn;
      })) {
    steps.emplace_back(
        "A case called layout needs no change of its code; if it has to keep its time, align its hot functions or data "
        "(-falign-functions=64, alignas).");
  }
  advise_on_suspects(report, steps);
  if (std::any_of(report.claims.begin(), report.claims.end(),
                  [](const ClaimFinding& claim) { return claim.state == ClaimState::broken; })) {
    steps.emplace_back(
        "A broken claim means that an optimisation does not achieve here what its group states: fix the "
        "optimisation, or change the claim.");
  }
  advise_on_inconclusive(report, steps);
  advise_on_device_times(report, steps);
  if (has(Verdict::improved) && !report.since && !is_of_files(report)) {
    steps.emplace_back(
        "After merging, add the improvement as the new baseline (`torchgate baseline add`); otherwise a later "
        "slow-down of the same size passes.");
  }
  advise_on_doubts(report, steps);
  return steps;
}

}  // namespace torchgate::reports
