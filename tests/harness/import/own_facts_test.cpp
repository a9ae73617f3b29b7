// SPDX-License-Identifier: Apache-2.0
// What programs and users note beside the numbers: which of it is compared.
#include "harness/import/own_facts.hpp"

#include "harness/import/go_text.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

TEST(OwnFacts, WhatIsOfOneRunIsKnownByItsValueToo) {
  for (const char* value : {"2026-12-01T16:45:00", "2026-12-01 16:45", "/tmp/tmpab12/x", "/tmp/pytest-of-a/pytest-1",
                            "<function f at 0x7f0012>"})
    EXPECT_TRUE(is_of_one_run("input", value)) << value;
  for (const char* value : {"2026-12-01", "/tmp/small.bin", "-I/tmp/tmp -O0", "cuda:0", "0a1b2c3d"})
    EXPECT_FALSE(is_of_one_run("input", value)) << value;
}

TEST(OwnFacts, AVersionWasNotMeasured) {
  EXPECT_TRUE(is_measured_number("took", "0.53 s"));
  EXPECT_TRUE(is_measured_number("hits", "99 %"));
  EXPECT_FALSE(is_measured_number("torch", "2.10.0+cu126"));
  EXPECT_FALSE(is_measured_number("python-version", "3.12"));
  EXPECT_FALSE(is_measured_number("batch", "64"));
}

// What a line "key: value" says of the build; not what is another one in each run, or was measured.
TEST(GoText, OwnHeadingsAreFacts) {
  const std::string text =
      "goos: linux\ngoamd64: v3\npkg: ex/p\ntoolchain-version: 1.24\ncommit: 0a1b2c3\nnote: after\ntook: 0.53 s\n"
      "BenchmarkA-8 10 5 ns/op\nPASS\n";
  const auto read = read_go_text(testing::in_odd_pieces(text), "go.txt");
  ASSERT_TRUE(read) << read.error().message;
  const auto& processes = *read;
  ASSERT_EQ(processes.size(), 1U);
  const std::vector<record::MachineFact> expected{{"context: goamd64", "v3", "", record::FactClass::warn},
                                                  {"goos", "linux", "", record::FactClass::host},
                                                  {"context: toolchain-version", "1.24", "", record::FactClass::warn}};
  EXPECT_EQ(processes[0].facts, expected);
}

}  // namespace
}  // namespace torchgate::import
