// SPDX-License-Identifier: Apache-2.0
#include "reports/sentences.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reports/advice.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/glossary.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

const Format format;

Finding suspected() {
  return models::suspected_unconfirmed().findings.front();
}
Finding confirmed() {
  return models::confirmed_regression().findings.front();
}

std::string last_explanation(const Finding& finding) {
  return explanation_of(finding, format).back();
}

TEST(Observations, SayWhatTheVerdictRestsOn) {
  EXPECT_EQ(cells_of(suspected(), Report{}, format).observations, "5+5");
  EXPECT_EQ(cells_of(confirmed(), Report{}, format).observations, "12 pairs");
  EXPECT_EQ(cells_of(models::exact_change().findings.front(), Report{}, format).observations, "exact");
  EXPECT_EQ(cells_of(models::failed_wrong_missing().findings.front(), Report{}, format).observations, "5+0");
  EXPECT_EQ(cells_of(Finding{}, Report{}, format).observations, "–");
}

TEST(Observations, PairsThatDidNotDecideAreNotWhatASuspicionRestsOn) {
  Finding finding = suspected();
  finding.confirmation->pairs = 48;
  EXPECT_EQ(cells_of(finding, Report{}, format).observations, "5+5");
}

TEST(Observations, OfTheTextbookRuleAreSamples) {
  const Report report = models::textbook_rule();
  EXPECT_EQ(cells_of(report.findings.front(), report, format).observations, "200+200");
}

TEST(Cells, ACountThatStartsAtZeroShowsItsDifference) {
  Finding finding = models::exact_change().findings[2];
  ASSERT_FALSE(finding.change);
  EXPECT_EQ(cells_of(finding, Report{}, format).change, "+3");
}

TEST(Cells, OfAnEmptyFindingAreAllUnknown) {
  const FindingCells cells = cells_of(Finding{}, Report{}, format);
  for (const std::string& cell :
       {cells.before, cells.after, cells.change, cells.interval, cells.p, cells.effect_size, cells.observations}) {
    EXPECT_EQ(cell, "–");
  }
}

// Where the whole interval has to lie beyond the gate, 4.998 % is not 5 %.
TEST(Cells, AnEndOfTheIntervalIsToldFromTheGate) {
  const Report report = models::suspected_unconfirmed();
  Finding finding = suspected();
  finding.own_gate = 0.05;
  finding.interval = Interval{0.04998, 0.129, 0.99};
  EXPECT_EQ(cells_of(finding, report, format).interval, "[+4.998 %, +12.9 %]");
  finding.interval = Interval{0.05, 0.129, 0.99};
  EXPECT_EQ(cells_of(finding, report, format).interval, "[+5.00 %, +12.9 %]");
  finding.metric.direction = record::Direction::higher_is_better;
  finding.own_gate = 1.0;  // half the rate
  finding.interval = Interval{-0.6, -0.49999, 0.99};
  EXPECT_EQ(cells_of(finding, report, format).interval, "[-60.0 %, -49.999 %]");
}

TEST(RelativeChange, IsUndefinedFromNothing) {
  EXPECT_DOUBLE_EQ(*relative_change(2.0, 3.0), 0.5);
  EXPECT_FALSE(relative_change(0.0, 3.0));
  EXPECT_FALSE(relative_change(std::nullopt, 3.0));
  EXPECT_FALSE(relative_change(2.0, std::nullopt));
}

TEST(CommonLevel, OnlyWhenAllIntervalsHaveIt) {
  Finding one = suspected();
  Finding other = suspected();
  EXPECT_EQ(common_level({&one, &other}, format), "99 %");
  other.interval->level = 0.9975;
  EXPECT_EQ(common_level({&one, &other}, format), std::nullopt);
  other.interval.reset();
  EXPECT_EQ(common_level({&one, &other}, format), "99 %");
  EXPECT_EQ(common_level({&other}, format), std::nullopt);
}

TEST(Explanation, OfAConfirmationThatTheRowAlreadyShows) {
  EXPECT_EQ(last_explanation(confirmed()), "Confirmed by 12 interleaved pairs: p needed below 0.005.");
}

TEST(Explanation, OfPairsInTurnsNamesTheMeasureAndTheOtherWhereItDisagrees) {
  Finding finding = confirmed();
  finding.estimator = stats::Estimator::floor;
  finding.confirmation->measure = stats::Measure::floor;
  EXPECT_EQ(cells_of(finding, Report{}, format).observations, "12 pairs, floor");
  EXPECT_EQ(last_explanation(finding), "Confirmed by 12 interleaved pairs (by their floor): p needed below 0.005.");
  finding.confirmation->other_change = -0.012;
  EXPECT_EQ(
      last_explanation(finding),
      "Confirmed by 12 interleaved pairs (by their floor; their typical change is -1.20 %): p needed below 0.005.");
  finding.estimator = stats::Estimator::typical;
  finding.confirmation->measure = stats::Measure::typical;
  EXPECT_EQ(cells_of(finding, Report{}, format).observations, "12 pairs, typical");
  EXPECT_EQ(last_explanation(finding),
            "Confirmed by 12 interleaved pairs (by their typical change; that of their floor is -1.20 %): p needed "
            "below 0.005.");
}

TEST(Explanation, OfAConfirmationThatDiffersFromTheRow) {
  Finding finding = confirmed();
  finding.confirmation->change = 0.125;
  EXPECT_EQ(last_explanation(finding),
            "Confirmed by 12 interleaved pairs: +12.5 % [+10.7 %, +14.7 %], p 4.9e-04 (needed below 0.005).");
}

TEST(Explanation, OfASuspectWithoutPairs) {
  EXPECT_EQ(last_explanation(suspected()), "Not confirmed by interleaved pairs: the baseline keeps no objects.");
}

TEST(Explanation, WhyThereWereNoPairsIsSaidOnce) {
  Finding finding = models::timed("a", Verdict::suspected, GateAction::warn, 1e6, 0.1);
  finding.reasons = {facts::not_confirmed("the baseline keeps no objects")};
  finding.confirmation = Confirmation{};
  finding.confirmation->note = "the baseline keeps no objects";
  EXPECT_EQ(notes_on(finding, Format()), std::vector<std::string>{"not confirmed: the baseline keeps no objects."});
}

TEST(Explanation, OfPairsThatDidNotDecide) {
  Finding finding = suspected();
  finding.confirmation->pairs = 1;
  finding.confirmation->note = {};
  EXPECT_EQ(last_explanation(finding), "Undecided after 1 interleaved pair.");
}

TEST(Explanation, OfAnInconclusiveCaseSaysWhatCouldHaveBeenSeen) {
  Finding finding;
  finding.smallest_detectable = 0.104;
  finding.processes_needed = 1;
  EXPECT_EQ(explanation_of(finding, format),
            (std::vector<std::string>{"Smallest detectable change in these measurements: 10.4 %.",
                                      "About 1 more process per side needed for a verdict."}));
  finding.verdict = Verdict::equivalent;
  EXPECT_TRUE(explanation_of(finding, format).empty());
}

TEST(Explanation, ReasonsBecomeSentences) {
  Finding finding;
  finding.reasons = {"No stop", "A stop.", "Really?", "trailing  ", ""};
  EXPECT_EQ(explanation_of(finding, format), (std::vector<std::string>{"No stop.", "A stop.", "Really?", "trailing."}));
}

TEST(Details, AreThoseThatAreKnownOnEitherSide) {
  std::vector<std::string> labels;
  for (const Detail& detail : details_of(confirmed(), format)) labels.push_back(detail.label);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"P95", "P99", "throughput", "peak memory", "noise", "independent samples"}));
  const Detail p99 = details_of(confirmed(), format)[1];
  EXPECT_EQ(p99.before, "–");
  EXPECT_EQ(p99.after, "16.02 ms");
  EXPECT_EQ(p99.change, "–");
  EXPECT_TRUE(details_of(Finding{}, format).empty());
}

TEST(Details, OfTheNoise) {
  Finding finding = confirmed();
  finding.before->noise->run.sd = 0.0144;
  finding.after->noise->process = {0, true};
  finding.after->noise->effective_samples.reset();
  const auto details = details_of(finding, format);
  EXPECT_EQ(details[4].before, "iterations 2.1 %, processes 0.62 %, runs 1.4 %");
  EXPECT_EQ(details[4].after, "iterations 2.1 %, processes none seen");
  EXPECT_EQ(details[4].change, "–");
  EXPECT_EQ(details[5].before, "82, 3 outliers");
  EXPECT_EQ(details[5].after, "3 outliers");
  finding.before->noise.reset();
  finding.after->noise = Noise{};
  EXPECT_EQ(details_of(finding, format).size(), 4U);
}

TEST(Explanation, SaysWhatIsOddAboutTheSeries) {
  Finding finding = confirmed();
  finding.confirmation.reset();
  finding.reasons.clear();
  finding.before->noise->drift = {false, 1, 5};
  EXPECT_TRUE(explanation_of(finding, format).empty()) << "one process of five has it by chance";
  finding.before->noise->drift = {true, 4, 5};
  finding.after->noise->drift = {true, 1, 1};
  finding.after->noise->not_steady = {true, 3, 5};
  finding.after->noise->two_modes = {true, 5, 5};
  finding.after->noise->modes = Modes{101200, 107400, 0.38};
  EXPECT_EQ(
      explanation_of(finding, format),
      (std::vector<std::string>{
          "No steady state in 3 of 5 processes after: the times still change when sampling ends.",
          "Drift in 4 of 5 processes before and 1 of 1 after: the times rise or fall while a process runs.",
          "Two modes in 5 of 5 processes after (62 % of samples near 101.2 µs, 38 % near 107.4 µs): the value of a "
          "process depends on which mode dominates."}));
}

TEST(SideWords, SayWhatRan) {
  EXPECT_EQ(side_words(models::all_pass().before), "baseline 1a2b3c4d5e6f, 3 runs, newest 2026-01-30T04:12:09Z");
  EXPECT_EQ(side_words(models::interleaved().after), "build/suites/fusion (modified tree), 2026-01-31T09:40:51Z");
  EXPECT_EQ(side_words(SideHeader{}), "unnamed");
}

TEST(HostWords, OneOrBoth) {
  Report report;
  EXPECT_EQ(host_words(report, format), "");
  report.after.host_key = "b";
  EXPECT_EQ(host_words(report, format), "b");
  report.before.host_key = "a";
  EXPECT_EQ(host_words(report, format), "a → b");
  report.after.host_key = "a";
  EXPECT_EQ(host_words(report, format), "a");
}

TEST(Glossary, ExplainsWhatIsUsedAndNothingElse) {
  const auto words_of = [](const Report& report, bool details_shown) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report.findings) findings.push_back(&finding);
    std::vector<std::string> words;
    for (const Term& term : terms_used(findings, report, details_shown, format)) words.push_back(term.word);
    return words;
  };
  EXPECT_EQ(words_of(models::suspected_unconfirmed(), true),
            (std::vector<std::string>{"suspected", "within ±5 %", "before, after", "interval", "n", "p", "Cohen's d",
                                      "textbook rule", "noise", "independent samples"}));
  EXPECT_EQ(words_of(models::suspected_unconfirmed(), false).back(), "Cohen's d");
  EXPECT_EQ(words_of(models::textbook_rule(), false).back(), "textbook rule");
  EXPECT_EQ(words_of(models::claims_broken(), false).back(), "claim");
  EXPECT_TRUE(words_of(Report{}, true).empty());
}

TEST(Glossary, NamesTheEstimatorOfTheValuesAndWhereThereAreSeveralWhichRowsHaveIt) {
  const auto meaning = [](const Report& report) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report.findings) findings.push_back(&finding);
    for (const Term& term : terms_used(findings, report, false, format))
      if (term.word == "before, after") return term.meaning;
    return std::string();
  };
  EXPECT_EQ(meaning(models::textbook_rule()), "arithmetic mean of the raw samples. change = after / before - 1.");
  EXPECT_EQ(meaning(models::confirmed_regression()),
            "compared with the processes of stored runs: geometric mean of the process medians; judged by pairs: "
            "Hodges-Lehmann estimate over the interleaved pairs. change = after / before - 1.");
}

// The screen assumes the run-to-run variance below five stored runs; pairs and a history measure it.

TEST(Glossary, SaysWhereTheLevelOfAnIntervalIsNominal) {
  const auto nominal = [](const Report& report) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report.findings) findings.push_back(&finding);
    for (const Term& term : terms_used(findings, report, false, format)) {
      if (term.word == "interval") return term.meaning.find("nominal") != std::string::npos;
    }
    ADD_FAILURE() << "the interval is not explained";
    return false;
  };
  Report report = models::suspected_unconfirmed();
  report.before.run_ids.assign(1, "a");
  EXPECT_TRUE(nominal(report));
  report.before.run_ids.assign(4, "a");
  EXPECT_TRUE(nominal(report));
  report.before.run_ids.assign(5, "a");
  EXPECT_FALSE(nominal(report));
  EXPECT_FALSE(nominal(models::textbook_rule()));
  report.before.run_ids.assign(1, "a");
  for (Finding& finding : report.findings) finding.confirmation = Confirmation{};
  EXPECT_FALSE(nominal(report)) << "the intervals are those of pairs";
}

TEST(ClaimsTally, LeavesOutWhatThereIsNone) {
  EXPECT_EQ(claims_tally(models::claims_broken().claims), "2 broken, 1 undecided, 1 not measured, 1 not claimed here");
  EXPECT_EQ(claims_tally({}), "");
}

}  // namespace
}  // namespace torchgate::reports
