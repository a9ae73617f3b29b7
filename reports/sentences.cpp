// SPDX-License-Identifier: Apache-2.0
#include "reports/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace torchgate::reports {
namespace {

/// Enough of a commit to be found, as git abbreviates in large repositories.
constexpr std::size_t commit_digits = 12;

std::optional<double> value_of(const std::optional<SideNumbers>& side) {
  return side ? std::optional(side->value) : std::nullopt;
}

/// A suspect that interleaved pairs did not confirm is still judged by its processes.
bool judged_by_pairs(const Finding& finding) {
  return finding.confirmation && finding.confirmation->pairs > 0 && finding.verdict != Verdict::suspected;
}

std::string observations_of(const Finding& finding, const Format& format) {
  if (finding.metric.kind == record::MetricKind::exact)
    return finding.before || finding.after ? "exact" : format.unknown();
  if (judged_by_pairs(finding)) return counted(finding.confirmation->pairs, "pair", "pairs");
  const auto processes = [&](const std::optional<SideNumbers>& side) {
    return side && side->processes > 0 ? grouped(side->processes) : format.unknown();
  };
  if (!finding.before && !finding.after) return format.unknown();
  return processes(finding.before) + "+" + processes(finding.after);
}

std::string change_of(const Finding& finding, const Format& format) {
  if (finding.change || !finding.before || !finding.after) return format.percent(finding.change);
  // From zero there is no relative change; for a count the difference still says what happened.
  if (finding.metric.kind != record::MetricKind::exact) return format.unknown();
  const double difference = finding.after->value - finding.before->value;
  return (difference > 0 ? "+" : "") + format.quantity(difference, finding.metric.unit);
}

void add_sentence(std::vector<std::string>& sentences, std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text.empty()) return;
  const bool ended = text.back() == '.' || text.back() == '!' || text.back() == '?';
  sentences.push_back(ended ? text : text + ".");
}

/// "+12.5 % [+10.2 %, +14.9 %]", "p 2.0e-04 (needed below 0.0025)", the note: what of it is known.
std::string pairs_result(const Confirmation& confirmation, const Format& format) {
  std::vector<std::string> parts;
  if (confirmation.change) parts.push_back(format.percent(confirmation.change));
  if (confirmation.change && confirmation.interval) {
    parts.back() = fmt::format("{} {}", parts.back(), format.change_interval(confirmation.interval));
  }
  if (confirmation.p) parts.push_back(fmt::format("p {}", format.p_value(confirmation.p)));
  if (confirmation.p && confirmation.alpha > 0) {
    parts.back() = fmt::format("{} (needed below {})", parts.back(), format.p_value(confirmation.alpha));
  }
  if (!confirmation.note.empty()) parts.push_back(confirmation.note);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string confirmation_words(const Finding& finding, const Format& format) {
  const Confirmation& confirmation = *finding.confirmation;
  const std::string pairs = counted(confirmation.pairs, "interleaved pair", "interleaved pairs");
  std::string words = pairs;
  if (confirmation.pairs <= 0) {
    words = "Not confirmed by interleaved pairs";
  } else if (confirmation.confirmed) {
    words = fmt::format("Confirmed by {}", pairs);
  } else if (finding.verdict == Verdict::suspected) {
    words = fmt::format("{} did not decide it", pairs);
  }
  const std::string result = pairs_result(confirmation, format);
  return result.empty() ? words : fmt::format("{}: {}", words, result);
}

bool any_finding(const Report& report, Verdict verdict) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [verdict](const Finding& finding) { return finding.verdict == verdict; });
}

std::int64_t count_findings(const Report& report, Verdict verdict) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [verdict](const Finding& finding) { return finding.verdict == verdict; });
}

void steps_without_verdict(const Report& report, std::vector<std::string>& steps) {
  const bool refused = std::any_of(report.differences.begin(), report.differences.end(),
                                   [](const Difference& difference) { return difference.refuses; });
  if (refused) {
    steps.push_back(
        "Runs of different machines are never compared: measure both sides on one machine with `torchgate ab`, or "
        "store "
        "a baseline of this one with `torchgate baseline add`.");
  } else if (report.before.run_ids.empty()) {
    steps.push_back(
        "Nothing to compare with: measure the main branch with `torchgate run` and store it with `torchgate baseline "
        "add`, or compare two builds at once with `torchgate ab`.");
  } else if (report.findings.empty()) {
    steps.push_back("No case was judged: check the filter, and that every shard was merged.");
  }
}

}  // namespace

FindingCells cells_of(const Finding& finding, const Format& format) {
  FindingCells cells;
  std::tie(cells.before, cells.after) =
      format.quantities(value_of(finding.before), value_of(finding.after), finding.metric);
  cells.change = change_of(finding, format);
  cells.interval = format.change_interval(finding.interval);
  cells.p = format.p_value(finding.p);
  cells.effect_size = format.effect_size(finding.cohens_d, finding.cohens_d_word);
  cells.observations = observations_of(finding, format);
  return cells;
}

std::optional<double> relative_change(std::optional<double> before, std::optional<double> after) {
  if (!before || !after || !(*before > 0)) return std::nullopt;
  return *after / *before - 1;
}

std::optional<std::string> common_level(const std::vector<const Finding*>& findings, const Format& format) {
  std::optional<std::string> level;
  for (const Finding* finding : findings) {
    if (!finding->interval) continue;
    const std::string own = format.share(finding->interval->level);
    if (level && *level != own) return std::nullopt;
    level = own;
  }
  return level;
}

std::vector<std::string> explanation_of(const Finding& finding, const Format& format) {
  std::vector<std::string> sentences;
  for (const std::string& reason : finding.reasons) add_sentence(sentences, reason);
  if (finding.confirmation) add_sentence(sentences, confirmation_words(finding, format));
  if (finding.verdict != Verdict::inconclusive) return sentences;
  if (finding.smallest_detectable) {
    add_sentence(sentences, "A change smaller than " + format.share(finding.smallest_detectable) +
                                " could not be seen in these measurements");
  }
  if (finding.processes_needed) {
    add_sentence(sentences, "About " + counted(*finding.processes_needed, "more process", "more processes") +
                                " a side would decide it");
  }
  return sentences;
}

std::string textbook_words(const TextbookAnswer& answer, const Format& format) {
  std::string text = answer.call.empty() ? "no answer" : answer.call;
  text += fmt::format(" (p {}, d {})", format.p_value(answer.p), format.effect_size(answer.d, answer.word));
  return answer.samples.empty() ? text : text + " on " + answer.samples;
}

std::string side_words(const SideHeader& side) {
  std::string text = side.label.empty() ? "unnamed" : side.label;
  if (side.commit && !side.commit->empty()) text += fmt::format(" {}", side.commit->substr(0, commit_digits));
  if (side.modified.value_or(false)) text += " (modified tree)";
  const auto runs = static_cast<std::int64_t>(side.run_ids.size());
  if (runs > 1) text += ", " + counted(runs, "run", "runs");
  if (!side.created.empty()) text += (runs > 1 ? ", newest " : ", ") + side.created;
  return text;
}

std::string rule_words(const Report& report, const Format& format) {
  std::string text = (report.rule.empty() ? "default" : report.rule) + " rule, gate " +
                     format.percent(report.gate_ratio) + "; " + counted(report.cases_judged, "case", "cases") +
                     " judged";
  if (report.suspects > 0) text += ", " + counted(report.suspects, "suspect", "suspects");
  return text;
}

std::string promise_words(const ClaimFinding& claim, const Format& format) {
  return std::string(claim.at_most ? "at most " : "at least ") + format.factor(claim.promised_ratio);
}

std::string claims_tally(const std::vector<ClaimFinding>& claims) {
  std::map<ClaimState, std::int64_t> counts;
  for (const ClaimFinding& claim : claims) ++counts[claim.state];
  std::string text;
  const auto add = [&](ClaimState state, const std::string& one, const std::string& many) {
    if (counts[state] > 0) text += (text.empty() ? "" : ", ") + counted(counts[state], one, many);
  };
  add(ClaimState::broken, "broken", "broken");
  add(ClaimState::undecided, "undecided", "undecided");
  add(ClaimState::holds, "holds", "hold");
  add(ClaimState::not_measured, "not measured", "not measured");
  return text;
}

std::vector<std::string> next_steps(const Report& report) {
  std::vector<std::string> steps;
  if (report.outcome == Outcome::no_verdict) steps_without_verdict(report, steps);
  if (any_finding(report, Verdict::failed)) {
    steps.push_back("A failed case has no speed: mend it first, then measure again.");
  }
  if (any_finding(report, Verdict::wrong)) {
    steps.push_back("A case with a wrong result is not faster or slower, it is wrong: compare its output first.");
  }
  if (any_finding(report, Verdict::missing)) {
    steps.push_back("A missing case was measured in the baseline: bring it back, or waive it with a reason.");
  }
  if (any_finding(report, Verdict::regressed)) {
    steps.push_back(
        "`torchgate explain` shows which operators and counters moved. A slow-down that is meant needs a waiver with a "
        "reason and an expiry date.");
  }
  if (const auto suspects = count_findings(report, Verdict::suspected); suspects > 0) {
    steps.push_back("Confirm or clear the " + counted(suspects, "suspect", "suspects") +
                    " with `torchgate ab`, which measures both builds in turn on one machine.");
  }
  if (std::any_of(report.claims.begin(), report.claims.end(),
                  [](const ClaimFinding& claim) { return claim.state == ClaimState::broken; })) {
    steps.push_back(
        "A broken claim: the optimisation no longer gives what its group promises, here. Mend it, or change "
        "the promise.");
  }
  if (any_finding(report, Verdict::improved)) {
    steps.push_back(
        "Store the improvement as the new baseline after the merge (`torchgate baseline add`), or a later "
        "slow-down can hide in it.");
  }
  if (!report.doubts.empty()) steps.push_back("`torchgate doctor` says what disturbs this machine and how to mend it.");
  return steps;
}

std::vector<Term> terms_used(const Report& report, const Format& format) {
  std::vector<Term> terms;
  const auto has = [&](auto member) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [member](const Finding& finding) { return (finding.*member).has_value(); });
  };
  if (any_finding(report, Verdict::regressed)) {
    terms.push_back({"regressed",
                     "slower (or larger) beyond doubt: both sides were measured in turn on one machine, or "
                     "the metric is a count that repeats exactly."});
  }
  if (any_finding(report, Verdict::suspected)) {
    terms.push_back({"suspected",
                     "further from the stored baseline than runs of this machine usually differ. The two "
                     "sides were measured at different times, so something else may have changed with "
                     "them; only interleaved pairs can tell."});
  }
  if (any_finding(report, Verdict::inconclusive)) {
    terms.push_back({"inconclusive",
                     "too few or too noisy measurements to say either \"changed\" or \"within the "
                     "margin\"."});
  }
  if (any_finding(report, Verdict::equivalent)) {
    terms.push_back(
        {"within " + format.plus_minus() + format.share(report.equivalence_ratio),
         "the whole interval of the change lies inside this margin: shown to be equal, not just not shown to "
         "differ."});
  }
  if (has(&Finding::interval)) {
    terms.push_back({"interval",
                     "the changes that the measurements allow. A 99 % interval misses the true change once "
                     "in a hundred times."});
  }
  if (has(&Finding::before)) {
    terms.push_back({"n",
                     "what was counted as one observation: processes before+after (each launch of a benchmark "
                     "program once, however many iterations it timed, because those share its memory layout and "
                     "clock), or pairs of processes, one of each side, measured one after the other."});
  }
  if (has(&Finding::p)) {
    terms.push_back({"p", "how often a difference this large would appear if nothing had changed."});
  }
  if (has(&Finding::cohens_d)) {
    terms.push_back({"Cohen's d",
                     "the change in standard deviations: how clearly it stands out of the noise, not how "
                     "large it is (0.2 small, 0.5 medium, 0.8 large)."});
  }
  if (has(&Finding::textbook)) {
    terms.push_back({"textbook rule",
                     "Welch's t-test p < 0.05 and d > 0.2 on all samples as if they were independent. "
                     "They are not, so it raises many false alarms; shown for comparison unless it was "
                     "asked to decide."});
  }
  return terms;
}

}  // namespace torchgate::reports
