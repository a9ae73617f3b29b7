// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_table.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

MarkdownTable table() {
  return {{{"name"}, {"value", MarkdownTable::Align::right}, {"note"}}, "–"};
}

TEST(MarkdownTable, AlignsNumbersRight) {
  MarkdownTable made = table();
  made.add_row({"a", "1", "x"});
  EXPECT_EQ(made.text(), "| name | value | note |\n| :-- | --: | :-- |\n| a | 1 | x |\n");
}

TEST(MarkdownTable, AColumnThatSaysNothingIsNotPrinted) {
  MarkdownTable made = table();
  made.add_row({"a", "–", "x"});
  made.add_row({"b", "–", ""});
  EXPECT_EQ(made.head(), "| name | note |\n| :-- | :-- |\n");
  EXPECT_EQ(made.rows(), (std::vector<std::string>{"| a | x |\n", "| b |  |\n"}));
}

TEST(MarkdownTable, OneKnownCellKeepsItsColumn) {
  MarkdownTable made = table();
  made.add_row({"a", "–", ""});
  made.add_row({"b", "2", ""});
  EXPECT_EQ(made.text(), "| name | value |\n| :-- | --: |\n| a | – |\n| b | 2 |\n");
}

}  // namespace
}  // namespace torchgate::reports
