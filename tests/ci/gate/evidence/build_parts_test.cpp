// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/build_parts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "ci/gate/evidence/vary.hpp"

namespace torchgate::gate {
namespace {

// Lines as at::show_config() of LibTorch 2.11 and 2.15 has them, shortened.
constexpr const char* built_before =
    "PyTorch built with:\n"
    "  - GCC 13.3\n"
    "  - C++ Version: 201703\n"
    "  - Intel(R) MKL-DNN v3.10.2 (Git Hash f1d4)\n"
    "  - LAPACK is enabled (usually provided by MKL)\n"
    "  - Build settings: BLAS_INFO=mkl, CUDNN_VERSION=9.19.0, CXX_FLAGS= -DNDEBUG -DUSE_XNNPACK -O2 -fPIC, "
    "USE_XNNPACK=ON, \n";
constexpr const char* built_after =
    "PyTorch built with:\n"
    "  - GCC 13.3\n"
    "  - C++ Version: 202002\n"
    "  - Intel(R) MKL-DNN v3.13.3 (Git Hash b38f)\n"
    "  - LAPACK is enabled (usually provided by MKL)\n"
    "  - Build settings: BLAS_INFO=mkl, CUDNN_VERSION=9.26.0, CXX_FLAGS= -DNDEBUG -O2 -fPIC -DUSE_MSLK, \n";

using Rows = std::vector<std::array<std::string, 3>>;

Rows rows(const std::string& before, const std::string& after) {
  Rows found;
  for (const auto& each : by_parts({{"libtorch_build", before, after, false}}))
    found.push_back({each.name, each.before, each.after});
  return found;
}

TEST(BuildParts, EachKeyThatDiffersIsADifference) {
  EXPECT_EQ(rows(built_before, built_after),
            (Rows{{"libtorch_build: C++ Version", "201703", "202002"},
                  {"libtorch_build: CUDNN_VERSION", "9.19.0", "9.26.0"},
                  {"libtorch_build: CXX_FLAGS", "-DUSE_XNNPACK", "-DUSE_MSLK"},
                  {"libtorch_build: Intel(R) MKL-DNN", "v3.10.2 (Git Hash f1d4)", "v3.13.3 (Git Hash b38f)"},
                  {"libtorch_build: USE_XNNPACK", "ON", "(absent)"}}));
}

TEST(BuildParts, WhatOneSideAloneHasIsAbsentOnTheOther) {
  EXPECT_EQ(rows("a\n  - NNPACK is enabled\n", "a\n"), (Rows{{"libtorch_build: NNPACK", "is enabled", "(absent)"}}));
  EXPECT_EQ(rows("x\nBuild settings: F=-a -b -c\n", "x\nBuild settings: F=-a -b -c -d\n"),
            (Rows{{"libtorch_build: F", "(absent)", "-d"}}));
  EXPECT_EQ(rows("x\n", "x\nBuild settings: F=-a -b -c -d -e -f -g -h -i\n"),
            (Rows{{"libtorch_build: F", "(absent)", "9 flags"}}));
}

TEST(BuildParts, ATextWithoutPartsThatDifferStaysWhole) {
  EXPECT_EQ(rows("one line", "another"), (Rows{{"libtorch_build", "one line", "another"}}));
  EXPECT_EQ(rows("a 1\nb 2\n", "b 2\na 1\n"), (Rows{{"libtorch_build", "a 1\nb 2\n", "b 2\na 1\n"}}))
      << "only the order";
  EXPECT_EQ(rows("x\nBuild settings: F=-a -b\n", "x\nBuild settings: F=-b -a\n"),
            (Rows{{"libtorch_build: F", "-a -b", "-b -a"}}))
      << "the order of flags may matter";
}

TEST(BuildParts, AVariedFactIsNotedOnceAndAllItsPartsAreAccepted) {
  reports::Report report;
  report.differences =
      by_parts({{"libtorch_build", built_before, built_after, false}, {"kernel", "6.1", "6.2", false}});
  accept_varied(report, {"libtorch"});
  ASSERT_EQ(report.differences.size(), 1U);
  EXPECT_EQ(report.differences[0].name, "kernel");
  EXPECT_EQ(report.notes.size(), 1U);
  ASSERT_TRUE(report.upgrade) << "LibTorch is varied";
  EXPECT_GT(report.upgrade->build.size(), 1U) << "its parts are in the upgrade";
}

}  // namespace
}  // namespace torchgate::gate
