// SPDX-License-Identifier: Apache-2.0
// What a calibration says of the cases of a run.
#include "ci/workflow/baseline/calibrated.hpp"

#include <gtest/gtest.h>

#include "baselines/folder_store.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace {

using namespace torchgate;

const std::vector<std::string> ten{"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"};

struct Calibrated : ::testing::Test {
  base::testing::TemporaryFolder scratch;
  std::unique_ptr<baselines::Store> store =
      baselines::open_folder_store(scratch.path() / "store", baselines::OpenMode::create).value();
  record::Run current;

  Calibrated() {
    current.machine.host_key = "host-a";
    current.machine.device_key = "h200";
    current.cases.resize(2);
    current.cases[0].name = "cpu";
    current.cases[1].name = "gpu";
    current.cases[1].device = "cuda";
  }

  void calibrate(const std::optional<std::string>& device_key, const std::string& created,
                 const std::vector<std::string>& cases = {"cpu", "gpu"}, double run_sd = 0.02) {
    record::Calibration made;
    made.host_key = "host-a";
    made.created = created;
    made.runs = {"aaaa", "bbbb", "cccc"};
    made.run_sd = run_sd;
    made.device_key = device_key;
    for (const std::string& name : cases) {
      made.cases.emplace_back();
      made.cases.back().name = name;
      made.cases.back().run_sd = made.run_sd;
    }
    ASSERT_TRUE(store->put_calibration(made));
  }

  gate::Comparison compared() {
    gate::Comparison comparison;
    comparison.current = &current;
    EXPECT_TRUE(workflow::use_calibration(comparison, store.get(), {}));
    return comparison;
  }

  std::optional<double> sd_of(const std::string& name) { return compared().run_sd_of(name); }
};

TEST_F(Calibrated, TheNoiseOfAnotherGpuIsNotThatOfThisOne) {
  calibrate("h200", "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(sd_of("cpu"), 0.02);
  EXPECT_EQ(sd_of("gpu"), 0.02);
  calibrate("t4", "2026-01-02T00:00:00.000Z");
  EXPECT_EQ(sd_of("cpu"), 0.02);
  EXPECT_EQ(sd_of("gpu"), std::nullopt);
  calibrate(std::nullopt, "2026-01-03T00:00:00.000Z");
  EXPECT_EQ(sd_of("gpu"), std::nullopt) << "of an unknown one";
}

TEST_F(Calibrated, SaysOnWhichGpuAndWhenTheCasesWereCalibrated) {
  calibrate("t4", "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(compared().notes.front(), "calibrated on another GPU (t4): not used for CUDA cases");
  calibrate(std::nullopt, "2026-01-02T00:00:00.000Z");
  EXPECT_EQ(compared().notes.front(), "not calibrated on a GPU: CUDA cases take the assumed variation");
  auto kept = *store->calibration("host-a").value().calibration;
  kept.created = "2026-03-01T00:00:00.000Z";
  kept.device_key = "h200";
  kept.cases[0].created = "2026-01-02T00:00:00.000Z";
  ASSERT_TRUE(store->put_calibration(kept));
  EXPECT_EQ(compared().notes.front(),
            "calibrated on 2026-03-01 with 3 runs (1 case earlier, on 2026-01-02 or later): typical run-to-run "
            "variation 2 %");
}

TEST_F(Calibrated, OneFromTheFutureIsADoubtAndTheOneBeforeItIsUsed) {
  calibrate("h200", "2026-01-01T00:00:00.000Z");
  calibrate("h200", "2999-01-01T00:00:00.000Z", {"cpu", "gpu"}, 0.4);
  EXPECT_EQ(sd_of("cpu"), 0.02);
  ASSERT_EQ(compared().doubts.size(), 1U);
  EXPECT_NE(compared().doubts.front().fact.words().find("29990101000000000.json: its time is later than now"),
            std::string::npos);
}

TEST_F(Calibrated, FewCasesAreNotTypicalOfTheOthers) {
  calibrate("h200", "2026-01-01T00:00:00.000Z", {"cpu"});
  EXPECT_EQ(sd_of("cpu"), 0.02);
  EXPECT_EQ(sd_of("gpu"), policy::assumed_run_sd);
  EXPECT_EQ(compared().notes.back(),
            "calibrated on 2026-01-01 with 3 runs: typical run-to-run variation 2 %; not measured then: 1 case, for "
            "which 1 % is assumed");
  calibrate("h200", "2026-01-02T00:00:00.000Z", ten);
  EXPECT_EQ(sd_of("gpu"), 0.02);
}

TEST_F(Calibrated, AQuietMachineSaysNothingOfCasesThatWereNotMeasured) {
  calibrate("h200", "2026-01-01T00:00:00.000Z", ten, 0.001);
  EXPECT_EQ(sd_of("c3"), 0.001);
  EXPECT_EQ(sd_of("cpu"), policy::assumed_run_sd);
}

}  // namespace
