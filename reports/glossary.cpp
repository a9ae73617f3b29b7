// SPDX-License-Identifier: Apache-2.0
#include "reports/glossary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "reports/overview.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr std::array meanings{
    VerdictMeaning{Verdict::failed, "its code threw, crashed or reported an invalid time, in any process."},
    VerdictMeaning{Verdict::wrong, "its output is wrong, or the expected code path did not run."},
    VerdictMeaning{Verdict::missing, "measured in the baseline but not now."},
    VerdictMeaning{Verdict::not_comparable,
                   "both sides have the case, but measured it in different ways, or the baseline has no usable numbers "
                   "of it."},
    VerdictMeaning{Verdict::regressed,
                   "significantly worse: both sides were measured in interleaved pairs on one machine, or an exact "
                   "count differs."},
    VerdictMeaning{Verdict::over_budget,
                   "above an absolute limit that the policy sets for the case, with its whole interval; the baseline "
                   "does not matter."},
    VerdictMeaning{Verdict::suspected,
                   "differs from the stored baseline by more than the usual run-to-run variation. The sides were "
                   "measured at different times, so the machine may have changed; interleaved pairs can confirm it."},
    VerdictMeaning{
        Verdict::layout,
        "the time changed in interleaved pairs, but every function that the case executes has the same "
        "instructions on both sides: other code may have changed, which moved the addresses of code or data."},
    VerdictMeaning{Verdict::claim_broken, "a claim of its group does not hold."},
    VerdictMeaning{Verdict::changed,
                   "an exact count (operators, allocations, bytes, instructions) differs, up or down."},
    VerdictMeaning{Verdict::inconclusive,
                   "too few or too noisy measurements to report a change or to exclude one, or faster than a stored "
                   "baseline and not confirmed in pairs."},
    VerdictMeaning{Verdict::improved, "significantly better, as for regressed."},
    VerdictMeaning{Verdict::equivalent,
                   "two one-sided 5 % tests place the change inside this margin (equivalent, which is stronger than "
                   "'not significant')."},
    VerdictMeaning{Verdict::unchanged,
                   "not measured: executable, libraries and the files that its group reads are byte-identical to those "
                   "of the baseline, on a machine in the same state."},
    VerdictMeaning{Verdict::new_case, "no run of the baseline has it, or it was skipped there."},
    VerdictMeaning{Verdict::skipped, "cannot run on this machine."},
};

constexpr bool in_the_order_of_the_enumeration() {
  for (std::size_t i = 0; i < meanings.size(); ++i) {
    if (meanings[i].verdict != static_cast<Verdict>(i)) return false;
  }
  return meanings.size() == static_cast<std::size_t>(Verdict::skipped) + 1;
}
static_assert(in_the_order_of_the_enumeration());

std::string meaning_of(Verdict verdict) {
  return meanings.at(static_cast<std::size_t>(verdict)).meaning;
}

// Which rows of a report have values of this estimator; needed only where there are several.
const char* rows_with(stats::Estimator estimator) {
  switch (estimator) {
    case stats::Estimator::process_mean:
      return "compared with the processes of stored runs";
    case stats::Estimator::history:
      return "compared with a history of stored runs";
    case stats::Estimator::pairs:
      return "judged by pairs";
    case stats::Estimator::floor:
      return "judged by the floor of pairs";
    case stats::Estimator::typical:
      return "judged by the typical change of pairs";
    case stats::Estimator::sample_mean:
      return "judged by the raw samples";
    case stats::Estimator::run_value:
    case stats::Estimator::median:
      return "without a test";
    case stats::Estimator::count:
      return "exact";
  }
  return "";
}

// What the columns "before" and "after" are. A count is what it is; of timed rows there may be several kinds.
std::optional<Term> term_of_values(const std::vector<const Finding*>& findings) {
  std::set<stats::Estimator> used;
  for (const Finding* finding : findings) {
    const bool timed = finding->metric.kind == record::MetricKind::timed && finding->before && finding->after;
    if (timed && finding->estimator) used.insert(*finding->estimator);
  }
  if (used.empty()) return std::nullopt;
  std::string meaning;
  for (const stats::Estimator estimator : used) {
    if (!meaning.empty()) meaning += "; ";
    if (used.size() > 1) meaning += std::string(rows_with(estimator)) + ": ";
    meaning += stats::describe(estimator);
  }
  return Term{"before, after", meaning + ". change = after / before - 1."};
}

// With fewer, the screen assumes the run-to-run variance (stats/screen.hpp).
constexpr std::size_t runs_with_a_history = 5;

bool few_stored_runs(const Report& report) {
  return !judged_by_textbook(report) && !report.before.run_ids.empty() &&
         report.before.run_ids.size() < runs_with_a_history;
}

// Measured: `simulations recordings`, in tests/simulations/RESULTS.md.
std::string interval_meaning(bool of_few_stored_runs) {
  const std::string meaning =
      "confidence interval of the change. A 99 % interval misses the true change in 1 of 100 cases";
  if (!of_few_stored_runs) return meaning + ".";
  return meaning +
         "; against fewer than five stored runs the level is nominal: of recorded runs it missed 3 to 7 in 100.";
}

constexpr const char* n_meaning =
    "number of independent observations. 5+5: processes before and after; the iterations inside one process count "
    "once, "
    "because they share its memory layout and clock. 12 pairs: 12 processes of each side, in alternation.";
constexpr const char* p_meaning = "the probability of a difference at least this large if nothing had changed.";
constexpr const char* d_meaning =
    "the change in standard deviations: its size relative to the noise (0.2 small, 0.5 medium, 0.8 large).";
constexpr const char* noise_meaning =
    "standard deviation of a single value in per cent: between iterations of a process, between processes of a run, "
    "between stored runs. 'none seen': too small to separate from the noise of the level below.";
constexpr const char* independent_meaning =
    "effective sample size after autocorrelation. Outliers are counted, never removed.";
constexpr const char* claim_meaning =
    "what a group states about an optimised variant. measured: its ratio to the reference in this run; bound: a "
    "one-sided confidence bound of that ratio, of 99 % or more. A claim is broken only when the bound, or an exact "
    "count, contradicts it. Claims about times that are measured beyond what they state share the risk of a false "
    "'broken'; the others take no part of it.";

}  // namespace

std::vector<Term> terms_of_numbers() {
  return {
      {"before, after",
       "of stored runs: geometric mean of the process medians; of pairs: Hodges-Lehmann estimate over the pairs, of "
       "the floor (1 % quantile) or the typical change where they took turns. "
       "change = after / before - 1."},
      {"interval", interval_meaning(false)},
      {"n", n_meaning},
      {"p", p_meaning},
      {"Cohen's d", d_meaning},
      {"noise", noise_meaning},
      {"independent samples", independent_meaning},
      {"claim", claim_meaning}};
}

std::span<const VerdictMeaning> verdict_meanings() {
  return meanings;
}

std::vector<Term> terms_used(const std::vector<const Finding*>& findings, const Report& report, bool details_shown,
                             const Format& format) {
  std::vector<Term> terms;
  const auto any = [&](auto holds) { return std::any_of(findings.begin(), findings.end(), holds); };
  const auto says = [&](Verdict verdict) {
    return any([=](const Finding* finding) { return finding->verdict == verdict; });
  };
  const bool textbook_decides = judged_by_textbook(report);
  if (says(Verdict::regressed) && !textbook_decides) {
    terms.push_back({"regressed", meaning_of(Verdict::regressed)});
  }
  if (says(Verdict::not_comparable)) {
    terms.push_back({"not comparable", meaning_of(Verdict::not_comparable)});
  }
  if (says(Verdict::over_budget)) {
    terms.push_back({"over budget", meaning_of(Verdict::over_budget)});
  }
  if (says(Verdict::suspected)) {
    terms.push_back({"suspected", meaning_of(Verdict::suspected)});
  }
  if (says(Verdict::layout)) {
    terms.push_back({"layout", meaning_of(Verdict::layout)});
  }
  if (says(Verdict::inconclusive)) {
    terms.push_back({"inconclusive", meaning_of(Verdict::inconclusive)});
  }
  if (says(Verdict::equivalent) && !judged_by_counts(report)) {
    terms.push_back(
        {"within " + format.plus_minus() + format.share(report.equivalence_ratio), meaning_of(Verdict::equivalent)});
  }
  if (auto values = term_of_values(findings)) terms.push_back(*std::move(values));
  if (says(Verdict::unchanged)) {
    terms.push_back({"unchanged", meaning_of(Verdict::unchanged)});
  }
  if (any([](const Finding* finding) { return finding->interval.has_value(); })) {
    const bool is_nominal = any(
        [&](const Finding* finding) { return finding->interval && !finding->confirmation && few_stored_runs(report); });
    terms.push_back({"interval", interval_meaning(is_nominal), is_nominal});
  }
  if (any([](const Finding* finding) {
        return finding->before && finding->metric.kind == record::MetricKind::timed;
      })) {
    terms.push_back({"n", textbook_decides ? "number of samples before+after, as if they were independent." : n_meaning,
                     textbook_decides});
  }
  if (any([](const Finding* finding) { return finding->p.has_value(); })) {
    terms.push_back({"p", p_meaning});
  }
  if (any([](const Finding* finding) { return finding->cohens_d.has_value(); })) {
    terms.push_back({"Cohen's d", d_meaning});
  }
  if (textbook_decides ||
      (details_shown && any([](const Finding* finding) { return finding->textbook.has_value(); }))) {
    terms.push_back(
        {"textbook rule",
         std::string("Welch's t-test p < 0.05 and d > 0.2 on all samples, treated as independent. They are "
                     "not independent, so its false-alarm rate is high. ") +
             (textbook_decides ? "It decides here because --rule textbook was given." : "For comparison only."),
         textbook_decides});
  }
  if (details_shown && any([](const Finding* finding) {
        return (finding->before && finding->before->noise) || (finding->after && finding->after->noise);
      })) {
    terms.push_back({"noise", noise_meaning});
    terms.push_back({"independent samples", independent_meaning});
  }
  if (!report.claims.empty()) {
    terms.push_back({"claim", claim_meaning});
  }
  return terms;
}

}  // namespace torchgate::reports
