// SPDX-License-Identifier: Apache-2.0
#include "reports/glossary.hpp"

#include <algorithm>

#include "reports/sentences.hpp"

namespace torchgate::reports {

std::vector<Term> terms_used(const std::vector<const Finding*>& findings, const Report& report, bool details_shown,
                             const Format& format) {
  std::vector<Term> terms;
  const auto any = [&](auto holds) { return std::any_of(findings.begin(), findings.end(), holds); };
  const auto says = [&](Verdict verdict) {
    return any([=](const Finding* finding) { return finding->verdict == verdict; });
  };
  const bool textbook_decides = judged_by_textbook(report);
  if (says(Verdict::regressed) && !textbook_decides) {
    terms.push_back(
        {"regressed",
         "worse beyond reasonable doubt: both sides were measured in turn on one machine and differ by more "
         "than chance, or an exact count differs."});
  }
  if (says(Verdict::suspected)) {
    terms.push_back({"suspected",
                     "further from the stored baseline than runs on this machine usually differ. But the two "
                     "sides were measured at different times, and the machine may have changed in between: "
                     "only interleaved pairs can tell."});
  }
  if (says(Verdict::inconclusive)) {
    terms.push_back(
        {"inconclusive", "too few or too noisy measurements to say either that it changed or that it did not."});
  }
  if (says(Verdict::equivalent)) {
    terms.push_back({"within " + format.plus_minus() + format.share(report.equivalence_ratio),
                     "the whole interval of the change lies inside this margin: shown to be equal."});
  }
  if (any([](const Finding* finding) { return finding->interval.has_value(); })) {
    terms.push_back({"interval",
                     "the changes that agree with the measurements. A 99 % interval misses the true change in "
                     "1 of 100 cases."});
  }
  if (any([](const Finding* finding) {
        return finding->before && finding->metric.kind == record::MetricKind::timed;
      })) {
    terms.push_back({"n", textbook_decides
                              ? "the number of samples before+after, as if each were an independent observation."
                              : "the number of independent observations. 5+5: launches of the benchmark "
                                "program before and after; the many iterations inside one launch count "
                                "once, because they share its memory layout and clock. 12 pairs: a launch "
                                "of each side, one after the other, 12 times."});
  }
  if (any([](const Finding* finding) { return finding->p.has_value(); })) {
    terms.push_back({"p", "how often a difference this large would appear if nothing had changed."});
  }
  if (any([](const Finding* finding) { return finding->cohens_d.has_value(); })) {
    terms.push_back({"Cohen's d",
                     "the change in standard deviations: how clearly it stands out of the noise, not how large "
                     "it is (0.2 small, 0.5 medium, 0.8 large)."});
  }
  if (textbook_decides ||
      (details_shown && any([](const Finding* finding) { return finding->textbook.has_value(); }))) {
    terms.push_back({"textbook rule",
                     textbook_decides ? "Welch's t-test p < 0.05 and d > 0.2 on all samples as if they were "
                                        "independent. They are not, so it raises many false alarms. It was asked to "
                                        "decide here."
                                      : "Welch's t-test p < 0.05 and d > 0.2 on all samples as if they were "
                                        "independent. They are not, so it raises many false alarms: for comparison "
                                        "only."});
  }
  if (details_shown && any([](const Finding* finding) {
        return (finding->before && finding->before->noise) || (finding->after && finding->after->noise);
      })) {
    terms.push_back({"noise",
                     "standard deviation of a single value in per cent: between iterations of a process, between "
                     "processes of a run, between stored runs; none seen: too small to be told from the level below."});
    terms.push_back({"independent samples",
                     "what the samples are worth where each resembles its neighbours. Outliers are counted, never "
                     "removed."});
  }
  if (!report.claims.empty()) {
    terms.push_back({"claim",
                     "what a group promises about an optimised variant. measured: its ratio to the reference in "
                     "this run; bound: the one-sided 99 % confidence bound of that ratio. A claim is broken only "
                     "when the bound excludes the promise, or an exact count does."});
  }
  return terms;
}

}  // namespace torchgate::reports
