// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "harness/machine/facts.hpp"
#include "tests/harness/machine/captured_machine.hpp"

namespace torchgate::machine {
namespace {

using testing::CapturedMachine;

std::string key(const CapturedMachine& machine) {
  return collect_machine(machine.sources).host_key;
}

std::vector<record::MachineFact> host(const std::string& architecture, const std::string& model,
                                      const std::string& cpus) {
  return {{"architecture", architecture, "", record::FactClass::host},
          {"cpu_model", model, "", record::FactClass::host},
          {"cpu_count", cpus, "", record::FactClass::host}};
}

// Checked against: printf 'architecture=x86_64\ncpu_model=Intel(R) Xeon(R) Processor (family 6 model 143)\n
// cpu_count=2\nthreads=default\n' | sha256sum. A key is for ever: changing it orphans every stored baseline.
TEST(HostKey, IsStable) {
  EXPECT_EQ(key(CapturedMachine("virtual")), "x86_64-xeon-2cpu-424de18d");
}

TEST(HostKey, IsReadable) {
  const auto readable = [](const std::string& model) {
    const std::string whole = host_key(host("x86_64", model, "4"));
    return whole.substr(0, whole.rfind('-'));
  };
  EXPECT_EQ(readable("Intel(R) Xeon(R) 6975P-C (family 6 model 173)"), "x86_64-xeon-6975p-c-4cpu");
  EXPECT_EQ(readable("Intel(R) Xeon(R) CPU @ 2.20GHz"), "x86_64-xeon-4cpu");
  EXPECT_EQ(readable("AMD EPYC 7763 64-Core Processor"), "x86_64-epyc-7763-64-core-4cpu");
  EXPECT_EQ(readable("13th Gen Intel(R) Core(TM) i9-13900K"), "x86_64-13th-gen-core-i9-13900k-4cpu");
  EXPECT_EQ(readable("../../etc\xff\xe2\x82\xac \n"), "x86_64-etc-4cpu");
  EXPECT_EQ(readable("(R)"), "x86_64-unknown-4cpu");
  EXPECT_EQ(host_key({}).substr(0, 27), "unknown-unknown-unknowncpu-");
}

TEST(HostKey, ChangesWithEveryHostFactAndWithNothingElse) {
  std::set<std::string> keys = {key(CapturedMachine("virtual"))};
  const auto add = [&](auto edit) {
    CapturedMachine machine("virtual");
    edit(machine);
    return keys.insert(key(machine)).second;
  };
  EXPECT_TRUE(add([](auto& m) { m.sources.architecture = "i686"; }));
  EXPECT_TRUE(add([](auto& m) { m.sources.cpus = {0}; }));
  EXPECT_TRUE(add([](auto& m) { m.sources.environment["OMP_NUM_THREADS"] = "1"; }));
  EXPECT_TRUE(add([](auto& m) { m.sources.environment["GLIBC_TUNABLES"] = "glibc.malloc.mmap_max=0"; }));
  EXPECT_TRUE(add([](auto& m) { m.replace("/proc/cpuinfo", "model\t\t: 143", "model\t\t: 207"); }));
  EXPECT_TRUE(add([](auto& m) { m.remove("/proc/cpuinfo"); }));

  EXPECT_FALSE(add([](auto& m) { m.sources.cpus = {1, 0}; }));
  EXPECT_FALSE(add([](auto& m) { m.sources.kernel = "6.2.0"; }));
  EXPECT_FALSE(add([](auto& m) { m.sources.hostname = "runner-8"; }));
  EXPECT_FALSE(add([](auto& m) { m.sources.libc = "glibc 2.39"; }));
  EXPECT_FALSE(add([](auto& m) { m.replace("/proc/cpuinfo", "0x1", "0x2"); }));
  EXPECT_FALSE(add([](auto& m) { m.remove("/proc/pressure"); }));
  EXPECT_FALSE(add([](auto& m) { m.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave"); }));
}

}  // namespace
}  // namespace torchgate::machine
