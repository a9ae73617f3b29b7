// SPDX-License-Identifier: Apache-2.0
// The GPU rows through a fake NVML (tests/fixtures/nvml): every answer, and which devices are looked at.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

#include "harness/machine/doctor/gpu_watch.hpp"
#include "harness/machine/doctor/nvml.hpp"
#include "harness/machine/doctor/rows.hpp"
#include "tests/harness/machine/doctor/answers.hpp"

namespace torchgate::machine::doctor {
namespace testing {
namespace {

using Settings = std::map<std::string, std::string>;

/// What the fake answers, for as long as this lives.
class Fake {
 public:
  explicit Fake(Settings settings) : settings_(std::move(settings)) {
    for (const auto& [key, value] : settings_) setenv(("FAKE_NVML_" + key).c_str(), value.c_str(), 1);
  }
  ~Fake() {
    for (const auto& [key, value] : settings_) unsetenv(("FAKE_NVML_" + key).c_str());
  }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;

 private:
  Settings settings_;
};

GpuSnapshot look(const Settings& settings, const Settings& environment = {},
                 const char* library = TORCHGATE_FAKE_NVML) {
  const Fake fake(settings);
  return look_at_gpus(Nvml::open(library), environment);
}

Asked cuda() {
  Asked asked;
  asked.cuda = true;
  return asked;
}

struct Says {
  const char* row;
  CheckAnswer answer;
  const char* seen;
  Settings settings;
};

std::vector<Says> table() {
  return {
      {"gpu_other_processes", ok_answer, "no other compute processes", {}},
      {"gpu_other_processes", bad_answer, "pid 4001, 4002", {{"PROCESSES", "2"}}},
      {"gpu_other_processes", bad_answer, "4071)", {{"PROCESSES", "71"}}},  // more than fit at first
      {"gpu_other_processes", unknown_answer, "Not Supported", {{"PROCESSES", "error:3"}}},
      {"gpu_clocks_locked", ok_answer, "is locked (application clocks)", {}},
      {"gpu_clocks_locked", ok_answer, "stays high", {{"REASONS", "0x1"}}},
      {"gpu_clocks_locked", bad_answer, "up to 1980 MHz", {{"REASONS", "0x1"}, {"SM_CLOCK", "345"}}},
      {"gpu_clocks_locked", unknown_answer, "EventReasons: Not Supported", {{"REASONS", "error:3"}}},
      {"gpu_clocks_locked", unknown_answer, "ClockInfo", {{"REASONS", "0x0"}, {"SM_CLOCK", "error:3"}}},
      {"gpu_temperature", ok_answer, "81 C, slow-down at 87 C", {{"TEMPERATURE", "81"}}},
      {"gpu_temperature", bad_answer, "82 C", {{"TEMPERATURE", "82"}}},
      {"gpu_temperature", bad_answer, "memory 90 of 95 C", {{"MEMORY_TEMPERATURE", "90"}}},
      {"gpu_temperature", ok_answer, "87 C", {{"MEMORY_TEMPERATURE", "error:3"}}},
      {"gpu_temperature", unknown_answer, "GetTemperature: Not", {{"TEMPERATURE", "error:3"}}},
      {"gpu_persistence", ok_answer, "on", {}},
      {"gpu_persistence", bad_answer, "off", {{"PERSISTENCE", "0"}}},
      {"gpu_persistence", unknown_answer, "Not Supported", {{"PERSISTENCE", "error:3"}}},
      {"gpu_mig", ok_answer, "off", {}},
      {"gpu_mig", ok_answer, "profile 1g.10gb", {{"MIG", "1"}}},
      {"gpu_mig", bad_answer, "no slice", {{"MIG", "1"}, {"MIG_SLICES", "0"}}},
      {"gpu_mig", bad_answer, "pending", {{"MIG_PENDING", "1"}}},
      {"gpu_mig", unknown_answer, "Not Supported", {{"MIG", "error:3"}}},
      {"gpu_ecc", ok_answer, "on", {}},
      {"gpu_ecc", ok_answer, "off", {{"ECC", "0"}}},
      {"gpu_ecc", bad_answer, "pending", {{"ECC_PENDING", "0"}}},
      {"gpu_ecc", unknown_answer, "Not Supported", {{"ECC", "error:3"}}},
      {"gpu_ecc_errors", ok_answer, "0 uncorrected", {}},
      {"gpu_ecc_errors", bad_answer, "1 uncorrected", {{"ECC_ERRORS", "1"}}},
      {"gpu_ecc_errors", unknown_answer, "Not Supported", {{"ECC_ERRORS", "error:3"}}},
      {"gpu_power_limit", ok_answer, "700 W, default 700 W", {}},
      {"gpu_power_limit", bad_answer, "350 W", {{"POWER_LIMIT", "350000"}}},
      {"gpu_power_limit", unknown_answer, "DefaultLimit", {{"POWER_DEFAULT", "error:3"}}},
      {"gpu_compute_mode", ok_answer, "default", {}},
      {"gpu_compute_mode", bad_answer, "prohibited", {{"COMPUTE_MODE", "2"}}},
      {"gpu_compute_mode", unknown_answer, "mode 9", {{"COMPUTE_MODE", "9"}}},
      {"gpu_pcie", ok_answer, "generation 5 of 5, width 16 of 16", {}},
      {"gpu_pcie", ok_answer, "generation 1 of 5", {{"PCIE_GENERATION", "1"}}},  // idle: it saves power
      {"gpu_pcie", bad_answer, "generation 1 of 5", {{"PCIE_GENERATION", "1"}, {"REASONS", "0x2"}}},
      {"gpu_pcie", bad_answer, "width 8 of 16", {{"PCIE_WIDTH", "8"}}},
      {"gpu_pcie", unknown_answer, "CurrPcieLinkWidth", {{"PCIE_WIDTH", "error:3"}}},
      {"gpu_memory", ok_answer, "79 GiB of 80 GiB", {}},
      {"gpu_memory", bad_answer, "1.0 GiB of 80 GiB free, 2.0 GiB needed", {{"MEMORY_FREE", "0x40000000"}}},
      {"gpu_memory", unknown_answer, "Not Supported", {{"MEMORY_FREE", "error:3"}}},
  };
}

}  // namespace

Forced force_gpu_rows() {
  Forced forced;
  for (const Says& says : table()) {
    const MachineCheck check = row(gpu_rows(look(says.settings), cuda()), says.row);
    EXPECT_STREQ(word(check.answer), word(says.answer)) << check.name << ": " << check.seen;
    EXPECT_NE(check.seen.find(says.seen), std::string::npos) << check.name << ": " << check.seen;
    forced.insert({check.name, check.answer});
  }
  return forced;
}

namespace {

TEST(GpuRows, EachAnswerOfEachRow) {
  force_gpu_rows();
}

void all_unknown(const GpuSnapshot& gpu, const std::string& because) {
  for (const MachineCheck& check : gpu_rows(gpu, cuda())) {
    EXPECT_EQ(check.answer, CheckAnswer::unknown) << check.name;
    EXPECT_NE(check.seen.find(because), std::string::npos) << check.name << ": " << check.seen;
  }
}

TEST(GpuRows, WithoutTheLibraryAreUnknownAndNoTrouble) {
  const GpuSnapshot gpu = look({}, {}, "libno-such-nvml.so.1");
  all_unknown(gpu, "libno-such-nvml.so.1");
  for (const MachineCheck& check : gpu_rows(gpu, {})) EXPECT_EQ(check.severity, CheckSeverity::info) << check.name;
}

TEST(GpuRows, WithoutADriverAreUnknown) {
  all_unknown(look({{"INIT", "error:9"}}), "nvmlInit_v2: Driver Not Loaded");
}

TEST(GpuRows, AFunctionThatIsMissingMakesItsRowUnknown) {
  all_unknown(look({}, {}, TORCHGATE_FAKE_NVML_BARE), "not supported by this driver");
}

TEST(GpuRows, AnOldDriverSaysTheSameUnderOldNames) {
  const GpuSnapshot gpu = look({{"REASONS", "0x40"}, {"PROCESSES", "1"}}, {}, TORCHGATE_FAKE_NVML_OLD);
  ASSERT_EQ(gpu.devices.size(), 1U);
  EXPECT_EQ(gpu.devices[0].event_reasons.value, 0x40U);
  EXPECT_EQ(gpu.devices[0].processes.value, std::vector<unsigned>{4001});
}

TEST(GpuRows, OfSeveralDevicesTheWorstCounts) {
  const MachineCheck check = row(gpu_rows(look({{"DEVICES", "2"}, {"PERSISTENCE_1", "0"}}), cuda()), "gpu_persistence");
  EXPECT_EQ(check.answer, CheckAnswer::bad);
  EXPECT_EQ(check.seen, "GPU 0: persistence mode is on; GPU 1: persistence mode is off");
}

std::vector<int> chosen(const std::string& visible, const Settings& more = {}) {
  Settings environment = more;
  environment["CUDA_VISIBLE_DEVICES"] = visible;
  std::vector<int> indices;
  for (const GpuDevice& gpu : look({{"DEVICES", "3"}}, environment).devices) indices.push_back(gpu.index);
  return indices;
}

TEST(GpuChoice, FollowsCudaVisibleDevices) {
  using Indices = std::vector<int>;
  EXPECT_EQ(look({{"DEVICES", "3"}}).devices.size(), 3U);
  EXPECT_EQ(chosen("2,0"), (Indices{2, 0}));
  EXPECT_EQ(chosen("GPU-12345671"), Indices{1});  // the beginning of a UUID
  EXPECT_EQ(chosen("GPU-12345672-aaaa, 1"), (Indices{2, 1}));
  EXPECT_EQ(chosen("1,9,0"), Indices{1});  // as CUDA: nothing after a mistake
  EXPECT_EQ(chosen(""), Indices{});
  EXPECT_EQ(chosen("-1"), Indices{});
}

TEST(GpuChoice, ASliceIsFoundByItsUuid) {
  const GpuSnapshot gpu = look({{"DEVICES", "2"}, {"MIG", "1"}}, {{"CUDA_VISIBLE_DEVICES", "MIG-00000001"}});
  ASSERT_EQ(gpu.devices.size(), 1U);
  EXPECT_EQ(gpu.devices[0].index, 1);
  EXPECT_EQ(gpu.devices[0].mig_profile, "1g.10gb");
  EXPECT_EQ(gpu.devices[0].bus_id, "00000000:1B:00.0");
}

TEST(GpuChoice, ProcessesOfOtherSlicesAreNone) {
  const Settings shared{{"MIG", "1"}, {"PROCESSES", "2"}, {"SLICE_PROCESSES", "0"}};
  EXPECT_EQ(row(gpu_rows(look(shared), cuda()), "gpu_other_processes").answer, CheckAnswer::ok);
  EXPECT_EQ(row(gpu_rows(look({{"MIG", "1"}, {"SLICE_PROCESSES", "1"}}), cuda()), "gpu_other_processes").answer,
            CheckAnswer::bad);
}

TEST(GpuChoice, NumbersOfUnlikeDevicesAreDoubtedUnlessTheyFollowTheBus) {
  const Settings unlike{{"DEVICES", "2"}, {"NAME_1", "NVIDIA T4"}};
  EXPECT_NE(look(unlike, {{"CUDA_VISIBLE_DEVICES", "1"}}).selection_doubt, "");
  all_unknown(look(unlike, {{"CUDA_VISIBLE_DEVICES", "1"}}), "CUDA_DEVICE_ORDER=PCI_BUS_ID");
  EXPECT_EQ(look(unlike, {{"CUDA_VISIBLE_DEVICES", "1"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}).selection_doubt, "");
  EXPECT_EQ(look({{"DEVICES", "2"}}, {{"CUDA_VISIBLE_DEVICES", "1"}}).selection_doubt, "");
}

TEST(GpuFacts, MakeTheDeviceKey) {
  const auto machine_with = [](const Settings& settings) {
    record::Machine machine;
    add_device_facts(machine, look(settings));
    return machine;
  };
  const record::Machine whole = machine_with({});
  ASSERT_TRUE(whole.device_key);
  EXPECT_TRUE(whole.device_key->starts_with("nvidia-h100-80gb-hbm3-1x-")) << *whole.device_key;
  EXPECT_NE(machine_with({{"MIG", "1"}}).device_key, whole.device_key);
  EXPECT_NE(machine_with({{"DEVICES", "2"}}).device_key, whole.device_key);
  EXPECT_NE(machine_with({{"NAME", "NVIDIA H200"}}).device_key, whole.device_key);
  EXPECT_EQ(machine_with({{"DRIVER", "590.1"}}).device_key, whole.device_key);
  EXPECT_EQ(machine_with({{"DEVICES", "0"}}).device_key, std::nullopt);
  const record::Machine unlike = machine_with({{"DEVICES", "2"}, {"NAME_1", "NVIDIA A100-PCIE-40GB"}});
  EXPECT_EQ(unlike.device_key, std::nullopt) << "CUDA's first device is the faster one";
  ASSERT_EQ(unlike.facts.size(), 1U);
  EXPECT_EQ(unlike.facts[0].name, "gpu_driver");
}

TEST(GpuWatch, RemembersWhatWasSeenOnce) {
  GpuDuring seen;
  add_looks(seen, {{0x1, 345U}});  // idle: its clock says nothing
  add_looks(seen, {{0x2, 1500U}});
  add_looks(seen, {{0x22, 1400U}});  // slowed for heat
  add_looks(seen, {{std::nullopt, 1450U}});
  add_looks(seen, {{0x1, 345U}});
  EXPECT_EQ(seen.reasons, 0x23U);
  EXPECT_EQ(seen.looks, 4);
  ASSERT_TRUE(seen.clocks.at(0));
  EXPECT_EQ(seen.clocks[0]->first_mhz, 1500);
  EXPECT_EQ(seen.clocks[0]->last_mhz, 1450);
}

TEST(GpuWatch, KeepsTheClocksOfDevicesApart) {
  GpuDuring seen;
  add_looks(seen, {{0x1, 345U}, {0x2, 1410U}});
  add_looks(seen, {{0x2, 1980U}, {0x2, 1410U}});
  ASSERT_EQ(seen.clocks.size(), 2U);
  EXPECT_EQ(seen.clocks[0].value().last_mhz, 1980);
  EXPECT_EQ(seen.clocks[1].value().first_mhz, 1410);
  EXPECT_EQ(seen.clocks[1].value().last_mhz, 1410);
}

TEST(GpuWatch, LooksAtOnceAndUntilItIsStopped) {
  const Fake fake(Settings{{"REASONS", "0x8"}});
  const auto nvml = Nvml::open(TORCHGATE_FAKE_NVML);
  ASSERT_TRUE(nvml);
  GpuWatch watch(*nvml, {}, std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const GpuDuring seen = watch.stop();
  EXPECT_GE(seen.looks, 1);
  EXPECT_EQ(seen.reasons, 0x8U);
}

}  // namespace
}  // namespace testing
}  // namespace torchgate::machine::doctor
