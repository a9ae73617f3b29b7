// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/last_report.hpp"

#include <gtest/gtest.h>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

using testing::WorkingFolder;
using testing::write_text;

TEST(LastReport, IsReadBackAsItWasKept) {
  const WorkingFolder folder;
  reports::Report report;
  report.after.commit = std::string(40, 'c');
  reports::Finding finding;
  finding.case_name = "suite/group/variant/device:cpu";
  finding.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  finding.verdict = reports::Verdict::regressed;
  finding.action = reports::GateAction::fail;
  finding.change = 0.25;
  report.findings = {finding};
  ASSERT_TRUE(keep_last_report(report));
  const auto saved = load_report(last_report_file);
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->commit, report.after.commit);
  ASSERT_EQ(saved->findings.size(), 1U);
  EXPECT_EQ(saved->findings[0].case_name, finding.case_name);
  EXPECT_EQ(saved->findings[0].metric, "time");
  EXPECT_EQ(saved->findings[0].verdict, "regressed");
  EXPECT_EQ(saved->findings[0].action, "fail");
  EXPECT_EQ(saved->findings[0].change, 0.25);
  EXPECT_FALSE(saved->findings[0].exact);
}

TEST(LastReport, SaysWhyItCannotBeKept) {
  const WorkingFolder folder;
  write_text(".torchgate", "a file where the folder should be");
  const auto kept = keep_last_report({});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("torchgate accept"), std::string::npos) << kept.error().message;
}

TEST(LastReport, RefusesOtherFiles) {
  const WorkingFolder folder;
  EXPECT_EQ(load_report("nothing.json").error().code, base::ErrorCode::not_found);
  for (const char* text :
       {"", "[]", "{}", "{\"schema\": \"torchgate.run/1\"}", "{\"schema\": \"torchgate.report/1\"}"}) {
    write_text("other.json", text);
    const auto other = load_report("other.json");
    ASSERT_FALSE(other) << text;
    EXPECT_EQ(other.error().code, base::ErrorCode::bad_input) << text;
    EXPECT_NE(other.error().message.find("other.json: not a torchgate report"), std::string::npos)
        << other.error().message;
  }
}

}  // namespace
}  // namespace torchgate::workflow
