// SPDX-License-Identifier: Apache-2.0
// What a calibration says of the cases of a run.
#include "ci/workflow/baseline/calibrated.hpp"

#include <gtest/gtest.h>

#include "baselines/folder_store.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace {

using namespace torchgate;

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

  void calibrate(const std::optional<std::string>& device_key, const std::string& created) {
    record::Calibration made;
    made.host_key = "host-a";
    made.created = created;
    made.runs = {"aaaa", "bbbb", "cccc"};
    made.run_sd = 0.02;
    made.device_key = device_key;
    ASSERT_TRUE(store->put_calibration(made));
  }

  std::optional<double> sd_of(const std::string& name) {
    gate::Comparison comparison;
    comparison.current = &current;
    EXPECT_TRUE(workflow::use_calibration(comparison, store.get(), {}));
    return comparison.run_sd_of(name);
  }
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

}  // namespace
