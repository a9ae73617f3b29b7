// SPDX-License-Identifier: Apache-2.0
// What holds for all practices: without evidence none applies and each says what to measure; the order; the side of pairs; the formats.
#include "ci/advise/advise.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/formats/model_advice_text.hpp"
#include "tests/ci/advise/advised_run.hpp"

namespace torchgate::advise {
namespace {

using reports::AdviceAnswer;
using reports::AdviceRow;
using testing::AdvisedRun;
using testing::na;
using testing::no;
using testing::one_case;
using testing::yes;

constexpr std::size_t practices = 27;

TEST(Advise, WithoutEvidenceNothingAppliesAndThereIsNoScore) {
  for (const AdvisedRun& made : {AdvisedRun(), one_case(), one_case("cuda")}) {
    const reports::ModelAdvice advice = advise(made.run);
    EXPECT_EQ(advice.rows.size(), practices);
    for (const AdviceRow& row : advice.rows) EXPECT_EQ(row.answer, na) << row.id;
    EXPECT_FALSE(advice.score().has_value());
    EXPECT_NE(reports::model_advice_text(advice).find("score unknown"), std::string::npos);
  }
}

TEST(Advise, WhatDoesNotApplySaysWhatIsMissing) {
  for (const AdviceRow& row : advise(one_case().run).rows) EXPECT_GT(row.missing.size(), 20U) << row.id;
  EXPECT_EQ(one_case().exact("retained_bytes", 0).row("released").missing, "");
  EXPECT_EQ(one_case().exact("retained_bytes", 1).row("released").missing, "");
}

TEST(Advise, PracticesHaveNamesOfTheirOwnThatFitTheirColumn) {
  std::map<std::string, int> of_category;
  std::set<std::string> ids;
  for (const AdviceRow& row : advise(AdvisedRun().run).rows) {
    ++of_category[row.category];
    ids.insert(row.id);
    EXPECT_LE(row.id.size(), 21U) << row.id;
    EXPECT_FALSE(row.fix.empty() || row.practice.empty() || row.saves_of.empty()) << row.id;
  }
  EXPECT_EQ(ids.size(), practices);
  EXPECT_EQ(of_category, (std::map<std::string, int>{{"memory", 5},
                                                     {"computation", 7},
                                                     {"fusion and model structure", 9},
                                                     {"compilation, data and distribution", 6}}));
}

TEST(Advise, EachPracticeIsShownByAGroupOfTheCatalogue) {
  std::ifstream file(std::string(TORCHGATE_TESTS_DIR) + "/../suites/README.md");
  const std::string catalogue{std::istreambuf_iterator<char>(file), {}};
  for (const AdviceRow& row : advise(AdvisedRun().run).rows)
    EXPECT_NE(catalogue.find("| `" + row.shown_by + "` |"), std::string::npos) << row.shown_by;
}

TEST(Advise, NoRecordCanAnswerTwoOfThem) {
  AdvisedRun made = one_case("cuda");
  made.profile({{"aten::cudnn_convolution", "cuda Float 8x3x8x8", 1, 1}, {"aten::_pin_memory", "Float 8", 1, 1}});
  EXPECT_EQ(made.answer("cudnn_autotuned"), na);
  EXPECT_EQ(made.answer("batches_pinned"), na);
}

TEST(Advise, TheWorstCaseComesFirstAndTheScoreIsThatOfApplicablePractices) {
  AdvisedRun made;
  made.add("g/one/a").exact("retained_bytes", 10);
  made.add("g/one/b").exact("retained_bytes", 30);
  made.add("g/one/c").exact("retained_bytes", 0).profile({{"aten::addmm", "Float 8x8", 1, 1}});
  const reports::ModelAdvice advice = advise(made.run);
  const AdviceRow& released = advice.rows.front();
  EXPECT_EQ(released.id, "released");
  ASSERT_EQ(released.evidence.size(), 2U);
  EXPECT_EQ(released.applicable, 3);
  EXPECT_EQ(released.evidence.front().case_name, "g/one/b");
  EXPECT_DOUBLE_EQ(*advice.score(), 2.0 / 3) << "released no; contiguous_inputs and bias_in_product yes";
}

TEST(Advise, WhatSavesMostComesFirst) {
  AdvisedRun made = one_case();
  made.timed("time", 100).timed("wait_time", 50).profile({{"aten::tanh", "Float 8", 1, 30'000}});
  made.exact("collective_calls", 0);
  EXPECT_EQ(made.answer("loader_keeps_up"), na) << "there it is the wait for other ranks";
  AdvisedRun alone = one_case();
  alone.timed("time", 100).timed("wait_time", 50).profile({{"aten::tanh", "Float 8", 1, 30'000}});
  const auto rows = advise(alone.run).rows;
  EXPECT_EQ(rows[0].id, "loader_keeps_up");
  EXPECT_DOUBLE_EQ(rows[0].saves.value(), 0.5);
  EXPECT_EQ(rows[1].id, "activations_cheap");
  EXPECT_DOUBLE_EQ(rows[1].saves.value(), 0.3);
  EXPECT_NE(rows[2].answer, no);
}

TEST(Advise, SelfTimesOfSeveralThreadsSaveAtMostTheCall) {
  EXPECT_DOUBLE_EQ(one_case().profile({{"aten::tanh", "Float 8", 4, 250'000}}).saves("activations_cheap"), 1);
}

TEST(Advise, AFailedCaseSaysNothing) {
  AdvisedRun made = one_case();
  made.exact("retained_bytes", 10);
  made.run.processes.front().cases.front().status = record::CaseStatus::failed;
  EXPECT_EQ(made.answer("released"), na);
}

TEST(Advise, CasesWithoutAResultAreCounted) {
  AdvisedRun made;
  made.add("g/one/a").exact("retained_bytes", 0);
  EXPECT_EQ(advise(made.run).gaps(), "");
  made.add("g/one/failed");
  made.run.processes.front().cases.back().status = record::CaseStatus::failed;
  made.add("g/one/not_reached");
  made.run.processes.front().cases.pop_back();
  EXPECT_EQ(advise(made.run).cases, 1);
  EXPECT_EQ(advise(made.run).gaps(), "2 cases without a result");
  made.run.cases.back().skipped = "no CUDA device";
  EXPECT_EQ(advise(made.run).gaps(), "1 case without a result");
  made.run.processes.front().cases.back().status = record::CaseStatus::skipped;
  EXPECT_EQ(advise(made.run).gaps(), "") << "skipped on this side";
  made.run.processes.front().cases.back().status = record::CaseStatus::wrong;
  made.run.interrupted = true;
  EXPECT_EQ(advise(made.run).gaps(), "incomplete, 1 case without a result");
  made.run.unchanged.push_back({"g/one", "0123456789abcdef", {}, {}});
  EXPECT_EQ(advise(made.run).gaps(), "incomplete");
}

TEST(Advise, ARunWithoutAShardOrASuiteIsIncomplete) {
  AdvisedRun made = one_case();
  EXPECT_TRUE(advise(made.run).complete);
  made.run.plan.missing_shards = {2};
  EXPECT_FALSE(advise(made.run).complete);
  made = one_case();
  made.run.plan.shards = 2;
  EXPECT_FALSE(advise(made.run).complete);
  made = one_case();
  made.run.processes.push_back({});
  made.run.processes.back().status = record::ProcessStatus::crashed;
  EXPECT_FALSE(advise(made.run).complete) << "what its suite has is not known";
}

TEST(Advise, OneDisturbedProcessSaysNothing) {
  AdvisedRun made = one_case();
  made.timed("time", 100e6).timed("rank_spread", 90e6);
  for (int i = 0; i < 4; ++i) {
    made.run.processes.push_back(made.run.processes.front());
    made.run.processes.back().cases.front().measurements.back().summary->median = 2;
  }
  EXPECT_EQ(made.answer("ranks_balanced"), yes);
}

TEST(Advise, APauseInTheProfileOfTheFirstProcessHidesNothing) {
  AdvisedRun made = one_case();
  made.profile({{"aten::copy_", "Float 512x512, Float 512x512 strided", 1, 90'000}});
  for (int i = 0; i < 4; ++i) made.run.processes.push_back(made.run.processes.front());
  made.run.processes.front().cases.front().profile->call_ns = 4'000'000;
  EXPECT_EQ(made.answer("contiguous_inputs"), no);
  EXPECT_NE(made.evidence("contiguous_inputs").find("90 %"), std::string::npos);
  made.run.processes.resize(2);
  EXPECT_EQ(made.answer("contiguous_inputs"), no) << "of two the shorter one";
}

TEST(Advise, OfPairsTheAfterSideIsJudged) {
  AdvisedRun made = one_case();
  made.exact("retained_bytes", 10);
  made.run.sides.resize(2);
  made.run.processes.push_back(made.run.processes.front());
  made.run.processes.back().side = 1;
  made.run.processes.back().cases.front().measurements.front().value = 0;
  EXPECT_EQ(made.answer("released"), yes);
}

// One practice of each answer, and two that miss the same.
reports::ModelAdvice made_advice() {
  reports::ModelAdvice advice;
  advice.run = "0123456789abcdef";
  advice.cases = 2;
  const auto add = [&](const std::string& id, AdviceAnswer answer, const std::string& missing) -> AdviceRow& {
    AdviceRow row;
    row.id = id;
    row.answer = answer;
    row.missing = missing;
    row.saves_of = "a call";
    advice.rows.push_back(row);
    return advice.rows.back();
  };
  AdviceRow& open = add("activations_cheap", no, "");
  open.category = "fusion and model structure";
  open.practice = "Activations take little";
  open.applicable = 2;
  open.evidence = {{"g/one/v", "activations take 31 % of a call, tanh the most", 0.31}};
  open.saves = 0.31;
  open.fix = "use another one";
  open.shown_by = "operators/choice";
  add("released", yes, "");
  add("cudnn_autotuned", na, "no case calls a convolution");
  add("threads_fit", na, "the fact is unknown");
  add("batches_pinned", na, "no case calls a convolution");
  return advice;
}

TEST(Advise, TheTextHasEvidenceFixAndWhatIsMissing) {
  EXPECT_EQ(reports::model_advice_text(made_advice()),
            "no   activations_cheap     Activations take little\n"
            "                           1 of 2 cases; saves at most 31 % of a call\n"
            "                           g/one/v: activations take 31 % of a call, tanh the most\n"
            "                           fix: use another one; operators/choice shows what it gains\n"
            "yes  released\n"
            "n/a  cudnn_autotuned, batches_pinned: no case calls a convolution\n"
            "n/a  threads_fit: the fact is unknown\n"
            "\nscore 50 %: 1 of 2 practices followed, 3 not applicable; run 0123456789abcdef, 2 cases\n");
  reports::ModelAdvice dated = made_advice();
  dated.created = "2026-11-22T10:00:00.000Z";
  dated.commit = std::string(40, 'a');
  dated.modified = true;
  dated.cases = 1;
  dated.cases_without_result = 1;
  EXPECT_NE(reports::model_advice_text(dated).find(
                "; run 0123456789abcdef, 2026-11-22T10:00:00.000Z, commit aaaaaaaaaaaa (modified tree), 1 case, 1 case "
                "without a result\n"),
            std::string::npos);
  reports::ModelAdvice unknown = made_advice();
  unknown.rows.front().saves.reset();
  EXPECT_NE(reports::model_advice_text(unknown).find("1 of 2 cases\n"), std::string::npos);
}

TEST(Advise, MarkdownAndJsonSayTheSame) {
  const std::string markdown = reports::model_advice_markdown(made_advice());
  for (const char* const part : {"| Activations take little | fusion and model structure | `g/one/v`: activations take "
                                 "31 % of a call, tanh the most "
                                 "| at most 31 % of a call |",
                                 "\nFollowed: released.\n", "\nNot applicable:\n\n",
                                 "- cudnn_autotuned, batches_pinned: no case calls a convolution\n"})
    EXPECT_NE(markdown.find(part), std::string::npos) << part << "\nin\n" << markdown;
  const auto json = nlohmann::json::parse(reports::model_advice_json(made_advice())).at("practices");
  ASSERT_EQ(json.size(), 5U);
  EXPECT_EQ(json[0].at("answer"), "no");
  EXPECT_EQ(json[0].at("saves"), 0.31);
  EXPECT_EQ(json[0].at("saves_of"), "a call");
  EXPECT_TRUE(json[0].at("missing").is_null());
  EXPECT_EQ(json[0].at("evidence")[0].at("case"), "g/one/v");
  EXPECT_EQ(json[2].at("missing"), "no case calls a convolution");
  EXPECT_TRUE(json[2].at("saves").is_null());
}

}  // namespace
}  // namespace torchgate::advise
