// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/policy.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace {

using namespace torchgate;
using policy::Policy;

class PolicyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& text) {
    const auto file = folder_ / "torchgate.toml";
    std::ofstream(file) << text;
    return file;
  }
  std::string complaint(const std::string& text) {
    Policy policy;
    const auto applied = policy::apply_policy_file(policy, write(text));
    EXPECT_EQ(policy, Policy{}) << "a file with a mistake changes nothing";
    return applied.ok() ? "" : applied.error().message;
  }

  std::string complaint_of_valid(const std::string& text) {
    Policy policy;
    const auto applied = policy::apply_policy_file(policy, write(text));
    return applied.ok() ? "" : applied.error().message;
  }

  std::filesystem::path folder_;
};

TEST_F(PolicyFile, SetsKeysAndAnchorsPaths) {
  Policy policy;
  const auto applied = policy::apply_policy_file(policy, write(R"([gate]
latency = 0.1
unconfirmed = "warn"
[run]
processes = 7
suites = ["build/suites", "/abs"]
[baseline]
store = "kept"
)"));
  ASSERT_TRUE(applied.ok()) << applied.error().message;
  EXPECT_DOUBLE_EQ(policy.latency, 0.1);
  EXPECT_EQ(policy.unconfirmed, policy::Unconfirmed::warn);
  EXPECT_EQ(policy.processes, 7);
  EXPECT_EQ(policy.suites, (std::vector<std::string>{(folder_ / "build/suites").string(), "/abs"}));
  EXPECT_EQ(policy.store, (folder_ / "kept").string());
}

TEST_F(PolicyFile, ASettingThatIsTheDefaultIsASetting) {
  Policy policy;
  const auto applied =
      policy::apply_policy_file(policy, write("[baseline]\nstore = \".torchgate/store\"\n[import]\nbetter = []\n"));
  ASSERT_TRUE(applied.ok()) << applied.error().message;
  EXPECT_EQ(policy.store, (folder_ / ".torchgate/store").string()) << "relative to the file, from any folder";
  EXPECT_TRUE(policy.better.empty());
  EXPECT_NE(complaint("[import]\nbetter = true\n").find("takes NAME=higher or NAME=lower"), std::string::npos);
}

TEST_F(PolicyFile, ComplaintsNameFileLineAndCure) {
  EXPECT_NE(
      complaint("[gate]\nlatencey = 0.1\n").find(":2: unknown key \"gate.latencey\"; did you mean \"gate.latency\"?"),
      std::string::npos);
  EXPECT_NE(complaint("[gate]\nlatency = -1\n").find("gate.latency takes a fraction above 0 and at most 1: 0.05"),
            std::string::npos);
  EXPECT_NE(complaint("[gate]\nlatency = 5\n").find("5 would be 500 %"), std::string::npos);
  EXPECT_NE(complaint("[gate]\nalpha = 1e-300\n").find("gate.alpha takes a probability from 1e-9"), std::string::npos);
  EXPECT_EQ(complaint_of_valid("[gate]\nlatency = 1\nalpha = 1e-9\n"), "");
  EXPECT_NE(complaint("[gate]\nlatency = true\n").find("gate.latency takes a fraction"), std::string::npos);
  EXPECT_NE(complaint("[gate]\nunconfirmed = \"maybe\"\n").find("takes one of \"warn\", \"beyond\", \"fail\""),
            std::string::npos);
  EXPECT_NE(complaint("[run]\nprocesses = 2.5\n").find("takes a whole number from 1 to 1000"), std::string::npos);
  EXPECT_NE(complaint("latency = 0.1\n").find("outside of a section"), std::string::npos);
  EXPECT_NE(complaint("[gate\n").find("torchgate.toml:1"), std::string::npos);
  EXPECT_NE(complaint("[gate]\nlatency = nan\n").find("gate.latency takes"), std::string::npos);
}

TEST(PolicyEnvironment, WinsOverTheFileAndIsChecked) {
  Policy policy;
  setenv("TORCHGATE_GATE_LATENCY", "0.2", 1);
  ASSERT_TRUE(policy::apply_policy_environment(policy).ok());
  EXPECT_DOUBLE_EQ(policy.latency, 0.2);
  setenv("TORCHGATE_GATE_LATENCY", "much", 1);
  const auto applied = policy::apply_policy_environment(policy);
  unsetenv("TORCHGATE_GATE_LATENCY");
  ASSERT_FALSE(applied.ok());
  EXPECT_NE(applied.error().message.find("environment variable TORCHGATE_GATE_LATENCY"), std::string::npos);
}

TEST(PolicyEnvironment, AMisspeltKeyIsAnError) {
  const auto complaint_about = [](const char* name, const char* value) {
    setenv(name, value, 1);
    Policy policy;
    const auto applied = policy::apply_policy_environment(policy);
    unsetenv(name);
    return applied ? std::string("none") : applied.error().message;
  };
  EXPECT_EQ(complaint_about("TORCHGATE_GATE_INCONCLUSIV", "fail"),
            "environment variable TORCHGATE_GATE_INCONCLUSIV: unknown; did you mean TORCHGATE_GATE_INCONCLUSIVE?");
  EXPECT_EQ(complaint_about("TORCHGATE_RUN_PROCESS", "7"),
            "environment variable TORCHGATE_RUN_PROCESS: unknown; did you mean TORCHGATE_RUN_PROCESSES?");
  EXPECT_NE(complaint_about("TORCHGATE_BASELINE_STOR", "x"), "none");
  EXPECT_NE(complaint_about("TORCHGATE_IMPORT_BETER", "x"), "none");
  EXPECT_EQ(complaint_about("TORCHGATE_GATE_INCONCLUSIV", ""), "none") << "empty is unset, as of a known one";
  for (const char* other : {"TORCHGATE_ACCEPT", "TORCHGATE_GITHUB_TOKEN", "TORCHGATE_RANK_CPU", "TORCHGATE_STORE_RUNS"})
    EXPECT_EQ(complaint_about(other, "1"), "none") << other;
}

// With them the gate would stay as it is, in silence.
TEST(PolicyEnvironment, AMisspeltOrMissingSectionIsAnError) {
  const auto complaint_about = [](const char* name) {
    setenv(name, "0.01", 1);
    Policy policy;
    const auto applied = policy::apply_policy_environment(policy);
    unsetenv(name);
    return applied ? std::string("none") : applied.error().message;
  };
  EXPECT_EQ(complaint_about("TORCHGATE_GAET_LATENCY"),
            "environment variable TORCHGATE_GAET_LATENCY: unknown; did you mean TORCHGATE_GATE_LATENCY?");
  EXPECT_EQ(complaint_about("TORCHGATE_LATENCY"),
            "environment variable TORCHGATE_LATENCY: unknown; did you mean TORCHGATE_GATE_LATENCY?");
  EXPECT_EQ(complaint_about("TORCHGATE_PROCESSES"),
            "environment variable TORCHGATE_PROCESSES: unknown; did you mean TORCHGATE_RUN_PROCESSES?");
  EXPECT_NE(complaint_about("TORCHGATE_GATELATENCY"), "none");
  EXPECT_NE(complaint_about("TORCHGATEGATE_LATENCY"), "none");
  // The CI templates have these two, and others are of programs and scripts of this repository.
  for (const char* other : {"TORCHGATE_SUITES", "TORCHGATE_BUILD", "TORCHGATE_SAMPLES", "TORCHGATE_DEPS_DIR",
                            "TORCHGATE_TORCH_ROOT", "TORCHGATE_SM_CLOCK_MHZ", "TORCHGATE_WRITERS", "TORCHGATE_STAT"})
    EXPECT_EQ(complaint_about(other), "none") << other;
}

// An independent answer: `git check-ref-format --branch NAME`, but for names below refs/, which it takes as refs/heads/refs/...
TEST(PolicyText, TakesTheNamesOfBranchesThatGitTakes) {
  const auto takes = [](const std::string& name) {
    Policy policy;
    return policy::apply_policy_text(policy, "[baseline]\nbranch = '" + name + "'\n", "torchgate.toml").ok();
  };
  for (const char* good :
       {"torchgate-baselines", "torchgate-baselines-gpu.v2", "feature/x", "tags/v1", "a@b", "@x", "{", "l.locked", "é"})
    EXPECT_TRUE(takes(good)) << good;
  for (const char* bad : {"refs/heads/x", "refs/x", "HEAD",     "-x", "a b",  "",     "x..y", "@",    "x@{1}",
                          "x.",           "x.lock", "x.lock/y", ".x", "a/.x", "/x",   "x/",   "a//b", "a~1",
                          "a^",           "a:b",    "a?",       "a*", "a[b",  "a\\b", "a\tb", "a\x7f"})
    EXPECT_FALSE(takes(bad)) << bad;
}

// What `get` prints is what `set` takes: the documentation's table is made of it.
TEST(PolicyKeys, DefaultsRoundTrip) {
  for (const policy::PolicyKey& key : policy::policy_keys()) {
    std::string text = key.get(Policy{});
    if (text.front() == '[') continue;  // lists come from files only
    if (text.front() == '"') text = text.substr(1, text.size() - 2);
    Policy policy;
    EXPECT_TRUE(policy::set_policy(policy, key.name, text, "test").ok()) << key.name << " = " << text;
    EXPECT_EQ(policy, Policy{}) << key.name;
  }
}

}  // namespace
