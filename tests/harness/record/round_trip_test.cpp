// SPDX-License-Identifier: Apache-2.0
// What is written reads back equal, whatever it is.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "harness/record/codec.hpp"
#include "tests/harness/record/arbitrary_record.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

TEST(RoundTrip, OfAnyRun) {
  EXPECT_TRUE(rc::check([] {
    const record::Run run = *testing::arbitrary_run(true);
    const std::string text = to_json(run);
    const base::Result<record::Run> read = run_from_json(text, "run.json");
    if (!read) RC_FAIL(read.error().message);
    RC_ASSERT(*read == testing::without_samples(run));
    RC_ASSERT(to_json(*read) == text);
  }));
}

TEST(RoundTrip, OfAnyProcessReport) {
  EXPECT_TRUE(rc::check([] {
    const ProcessReport report = *testing::arbitrary_report();
    const std::string text = to_json(report);
    const base::Result<ProcessReport> read = process_report_from_json(text, "report.json");
    if (!read) RC_FAIL(read.error().message);
    RC_ASSERT(*read == report);
    RC_ASSERT(to_json(*read) == text);
  }));
}

TEST(RoundTrip, OfAnExampleWithEveryField) {
  const record::Run run = testing::example_run();
  const base::Result<record::Run> read = run_from_json(to_json(run), "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, testing::without_samples(run));

  const ProcessReport report = testing::example_report();
  const base::Result<ProcessReport> reread = process_report_from_json(to_json(report), "report.json");
  ASSERT_TRUE(reread.ok()) << reread.error().message;
  EXPECT_EQ(*reread, report);
}

// A path or the last words of a crash may be any bytes: the run must not be lost over them.
TEST(RoundTrip, ReplacesWhatIsNotUtf8) {
  record::Run run = testing::example_run();
  run.processes[2].message = "before \xFF\xC0\xAF after";
  const base::Result<record::Run> read = run_from_json(to_json(run), "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->processes[2].message, "before \uFFFD\uFFFD\uFFFD after");
}

// An output that holds NaN has no finite distance from its reference: the answer "wrong" must survive that.
TEST(RoundTrip, KeepsAnOutputCheckThatFoundNaN) {
  ProcessReport report = testing::example_report();
  report.results[1].check->max_abs = std::numeric_limits<double>::quiet_NaN();
  report.results[1].check->relative_l2 = std::numeric_limits<double>::infinity();
  report.results[1].check->cosine = std::numeric_limits<double>::quiet_NaN();
  const base::Result<ProcessReport> read = process_report_from_json(to_json(report), "report.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->results[1].check->max_abs, std::numeric_limits<double>::infinity());
  EXPECT_EQ(read->results[1].check->relative_l2, std::numeric_limits<double>::infinity());
  EXPECT_EQ(read->results[1].check->cosine, std::nullopt);
}

}  // namespace
}  // namespace torchgate::record
