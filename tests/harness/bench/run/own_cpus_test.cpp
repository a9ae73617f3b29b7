// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/own_cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::bench {
namespace {

namespace fs = std::filesystem;

/// Files of a machine: CPUs with their siblings, and a control group of version 2.
class OwnCpus : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const fs::path file = root() / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  void has_cores(const std::map<int, std::string>& siblings) {
    for (const auto& [cpu, list] : siblings)
      write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list", list);
  }
  void has_quota(const std::string& quota) {
    write("proc/self/cgroup", "0::/job");
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory");
    write("sys/fs/cgroup/job/cpu.max", quota);
  }
  [[nodiscard]] fs::path root() const { return folder_ / ""; }

 private:
  base::testing::TemporaryFolder folder_;
};

TEST_F(OwnCpus, AreThoseOfTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const std::vector<int> all = allowed_cpus();
  EXPECT_EQ(all.size(), static_cast<std::size_t>(CPU_COUNT(&before)));
  cpu_set_t last;
  CPU_ZERO(&last);
  CPU_SET(static_cast<std::size_t>(all.back()), &last);
  ASSERT_EQ(sched_setaffinity(0, sizeof last, &last), 0);
  EXPECT_EQ(allowed_cpus(), std::vector<int>{all.back()});
  sched_setaffinity(0, sizeof before, &before);
}

TEST_F(OwnCpus, OfDifferentCoresComeFirst) {
  has_cores({{0, "0-1"}, {1, "0-1"}, {2, "2-3"}, {3, "2-3"}});
  EXPECT_EQ(cpus_of_different_cores({0, 1, 2, 3}, 2, root()), (std::vector<int>{0, 2}));
  EXPECT_EQ(cpus_of_different_cores({0, 1, 2, 3}, 3, root()), (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(cpus_of_different_cores({2, 3}, 2, root()), (std::vector<int>{2, 3})) << "there is no other core";
  EXPECT_EQ(cpus_of_different_cores({1}, 2, root()), std::vector<int>{1});
  EXPECT_TRUE(cpus_of_different_cores({0, 1}, 0, root()).empty());
}

TEST_F(OwnCpus, OfUnknownCoresAreCoresOfTheirOwn) {
  EXPECT_EQ(cpus_of_different_cores({0, 1, 2}, 2, root()), (std::vector<int>{0, 1}));
  EXPECT_EQ(missing_second_cpu({0, 1}, root()), std::nullopt);
  EXPECT_EQ(missing_second_cpu({}, root()), std::nullopt) << "the kernel does not tell the mask";
}

TEST_F(OwnCpus, OfOneCoreAreNotTwo) {
  has_cores({{0, "0,4"}, {4, "0,4"}, {1, "1,5"}, {5, "1,5"}});
  EXPECT_EQ(missing_second_cpu({0, 1}, root()), std::nullopt);
  EXPECT_EQ(missing_second_cpu({0}, root()), "this process may use only one CPU");
  EXPECT_EQ(missing_second_cpu({0, 4}, root()),
            "this process may use only one core: its CPUs are threads of that core");
}

TEST_F(OwnCpus, WithTheTimeOfLessThanTwoAreNotTwo) {
  has_cores({{0, "0"}, {1, "1"}});
  has_quota("150000 100000");
  EXPECT_EQ(missing_second_cpu({0, 1}, root()),
            "this process may use only the time of 1.5 CPUs: its control group limits it");
  has_quota("200000 100000");
  EXPECT_EQ(missing_second_cpu({0, 1}, root()), std::nullopt);
  has_quota("max 100000");
  EXPECT_EQ(missing_second_cpu({0, 1}, root()), std::nullopt);
}

}  // namespace
}  // namespace torchgate::bench
