// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/formats/explanation_markdown.hpp"
#include "reports/formats/explanation_text.hpp"
#include "tests/golden/golden.hpp"

namespace torchgate::reports {
namespace {

Explanation slower() {
  Explanation e;
  e.case_name = "fusion/gelu/folded/device:cpu/batch:8";
  e.before = {"before", {"aaaa"}, "d234fdfc672e", false, "2026-01-01T00:00:00.000Z", "x86_64-xeon-2cpu-3f9a2c1b"};
  e.after = {"after", {"bbbb"}, std::nullopt, std::nullopt, "2026-01-02T00:00:00.000Z", "x86_64-xeon-2cpu-3f9a2c1b"};
  e.time_before = 222'100;
  e.time_after = 287'300;
  e.causes = {
      "per call +2 aten::copy_, +1 aten::clone, 61 % of the added time",
      "aten::mm has other inputs (Float 260x256, Float 256x256 instead of Float 200x256, Float 256x256), 31 % of "
      "the added time",
      "allocations 5 instead of 4"};
  e.outside_ns = 1'430;
  e.operators = {
      {"aten::copy_", "Float 8x64, Float 8x64", "", 1, 3, 12'000, 51'000, 0.6, true},
      {"aten::mm", "Float 260x256, Float 256x256", "Float 200x256, Float 256x256", 1, 1, 160'000, 180'212, 0.31, true},
      {"aten::clone", "Float 8x64", "", 0, 1, 0, 652, 0.01, true},
      {"aten::gelu", "Float 8x64 strided", "", 1, 1, 40'000, 40'010, 0.0, false},
      {"evil\x1b[31m\nname", "", "", 1, 1, 900, 905, 0.0, false},
      {"aten::empty", "", "", 2.5, 2.5, 300, 300, 0.0, false},
      {"aten::view", "Float 8x64", "", 1, 1, 200, 200, 0.0, false},
      {"aten::t", "Float 8x64", "", 1, 1, 100, 100, 0.0, false},
      {"aten::as_strided", "Float 8x64", "", 1, 1, 90, 90, 0.0, false}};
  e.counts = {{"allocations", "1", 4, 5}, {"allocated_bytes", "bytes", 8'388'608, 8'390'656}};
  e.process = {{"libraries loaded after", "ns", 22.5e6, 20.4e6},
               {"main() after", "ns", 193.8e6, 206.4e6},
               {"peak resident memory", "bytes", 128'000'000, 129'000'000},
               {"major page faults", "1", 0, 0},
               {"voluntary context switches", "1", 13, 14}};
  e.differences = {{"libtorch_version", "2.10.0", "2.11.0", false}};
  return e;
}

Explanation unexplained() {
  Explanation e;
  e.case_name = "mine/sum/by_index/size:1000";
  e.time_before = 1'000;
  e.time_after = 1'100;
  e.no_profile = "neither run has an operator profile of this case";
  e.summary = "no cause visible in the counters; operators could not be compared: " + e.no_profile.words();
  return e;
}

TEST(GoldenExplanation, Markdown) {
  EXPECT_TRUE(golden::matches(explanation_markdown(slower()), "reports/explanation.md"));
  EXPECT_TRUE(golden::matches(explanation_markdown(unexplained()), "reports/explanation_nothing.md"));
  EXPECT_LE(explanation_markdown(slower(), {.limit_bytes = 400}).size(), 400U);
}

TEST(GoldenExplanation, Unicode) {
  EXPECT_TRUE(golden::matches(explanation_text(slower(), Notation::unicode, 120, false), "reports/explanation.txt"));
}

TEST(GoldenExplanation, AsciiNarrowAndVerbose) {
  EXPECT_TRUE(golden::matches(explanation_text(slower(), Notation::ascii, 88, true), "reports/explanation_ascii.txt"));
}

TEST(GoldenExplanation, NothingVisible) {
  EXPECT_TRUE(golden::matches(explanation_text(unexplained(), Notation::unicode, 100, false),
                              "reports/explanation_nothing.txt"));
}

TEST(GoldenExplanation, Json) {
  EXPECT_TRUE(golden::matches(explanation_json(slower()), "reports/explanation.json"));
}

}  // namespace
}  // namespace torchgate::reports
