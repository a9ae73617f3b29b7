// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/cpu_feature.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace torchgate::bench {
namespace {

class CpuFeature : public ::testing::Test {
 protected:
  CpuFeature() { limit(nullptr); }
  ~CpuFeature() override { limit(nullptr); }
  static void limit(const char* isa, const char* variable = "ONEDNN_MAX_CPU_ISA") {
    unsetenv("ONEDNN_MAX_CPU_ISA");
    unsetenv("DNNL_MAX_CPU_ISA");
    if (isa != nullptr) setenv(variable, isa, 1);
  }
  static bool has(const std::string& feature) { return !missing_cpu_feature(feature).has_value(); }
};

TEST_F(CpuFeature, IsOneOfTheFlagsOfTheCpu) {
  EXPECT_EQ(missing_cpu_feature("no_such_feature"), "this CPU has no no_such_feature");
  EXPECT_TRUE(missing_cpu_feature("flags").has_value()) << "the label of the line is not a feature";
  EXPECT_TRUE(missing_cpu_feature("").has_value());
#ifdef __x86_64__
  EXPECT_TRUE(has("sse2")) << "every x86-64 has it";
#endif
}

TEST_F(CpuFeature, IsExcludedByALimitOfOneDnnBelowIt) {
  if (!has("avx512_vnni")) GTEST_SKIP() << "this CPU has no avx512_vnni";
  for (const char* isa : {"AVX2", "avx2", "AVX2_VNNI", "AVX512_CORE"}) {
    limit(isa);
    EXPECT_EQ(missing_cpu_feature("avx512_vnni"), "ONEDNN_MAX_CPU_ISA=" + std::string(isa) + " excludes avx512_vnni");
    EXPECT_TRUE(has("avx2")) << isa;
  }
  for (const char* isa : {"AVX512_CORE_VNNI", "AVX512_CORE_AMX", "ALL", "AVX10_1_512", "AXV2", ""}) {
    limit(isa);
    EXPECT_TRUE(has("avx512_vnni")) << isa;
  }
  limit("AVX512_CORE");
  EXPECT_TRUE(has("avx512f"));
  limit("AVX2");
  EXPECT_FALSE(has("avx512f"));
}

TEST_F(CpuFeature, IsExcludedByTheOlderNameOfTheLimitToo) {
  if (!has("avx512_vnni")) GTEST_SKIP() << "this CPU has no avx512_vnni";
  limit("AVX2", "DNNL_MAX_CPU_ISA");
  EXPECT_EQ(missing_cpu_feature("avx512_vnni"), "DNNL_MAX_CPU_ISA=AVX2 excludes avx512_vnni");
  setenv("ONEDNN_MAX_CPU_ISA", "ALL", 1);
  EXPECT_TRUE(has("avx512_vnni")) << "the newer name wins";
}

}  // namespace
}  // namespace torchgate::bench
