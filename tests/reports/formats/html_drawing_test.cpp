// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_drawing.hpp"

#include <gtest/gtest.h>

#include "tests/reports/model_parts.hpp"

namespace torchgate::reports {
namespace {

TEST(HtmlDrawing, TheAxisOfTimesBeginsAtNothingBelowZero) {
  const Report report = models::base();
  const std::string svg = comparison_svg(models::timed("g/v", Verdict::regressed, GateAction::fail, 100, 50), report);
  EXPECT_NE(svg.find(">0 ns<"), std::string::npos) << svg;
}

}  // namespace
}  // namespace torchgate::reports
