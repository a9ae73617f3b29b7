// SPDX-License-Identifier: Apache-2.0
#include "reports/columns.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

using Lines = std::vector<std::string>;

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("±µ–"), 3U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("🙂"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("a日b本c"), 7U);
  EXPECT_EQ(display_width("a\tb\x7F"), 4U);
}

TEST(ElideMiddle, KeepsBothEnds) {
  EXPECT_EQ(elide_middle("abcdefghij", 10, "…"), "abcdefghij");
  EXPECT_EQ(elide_middle("abcdefghijk", 10, "…"), "abcd…ghijk");
  EXPECT_EQ(elide_middle("abcdefghijk", 10, "..."), "abc...hijk");
}

TEST(ElideMiddle, NeverWiderThanAsked) {
  const std::string text = "日本語/モデル/batch:8";
  for (std::size_t width = 0; width < 30; ++width) EXPECT_LE(display_width(elide_middle(text, width, "…")), width);
}

TEST(ElideApart, WhatDiffersStays) {
  const std::string common = "serving/resnet50_int8/threads:4/batch:16/prefetch:";
  const Lines names = {common + "on/layout:channels_last", common + "off/layout:channels_last", "short"};
  const Lines shown = elide_apart(names, 34, "…");
  EXPECT_EQ(shown, (Lines{"…prefetch:on/layout:channels_last", "…prefetch:off/layout:channels_last", "short"}));
  for (std::size_t width = 0; width < 80; ++width) {
    for (const std::string& each : elide_apart(names, width, "…")) EXPECT_LE(display_width(each), width);
  }
  EXPECT_EQ(elide_apart({"the/same/name", "the/same/name"}, 8, "…"), (Lines{"the…name", "the…name"}));
  EXPECT_EQ(
      elide_apart({"memory/checkpoint/device:cpu live_bytes", "memory/checkpoint/device:cpu peak_bytes"}, 20, "…"),
      (Lines{elide_middle("memory/checkpoint/device:cpu live_bytes", 20, "…"),
             elide_middle("memory/checkpoint/device:cpu peak_bytes", 20, "…")}));
}

TEST(CutAtWord, NeverBetweenBackquotes) {
  EXPECT_EQ(cut_at_word("all of it fits", 14, "…"), "all of it fits");
  EXPECT_EQ(cut_at_word("one two three four", 13, "…"), "one two …");
  EXPECT_EQ(cut_at_word("unknown direction of hits; set it with `--better hits=higher` (or lower)", 52, "…"),
            "unknown direction of hits; set it with …");
  EXPECT_EQ(cut_at_word("run `a b` and then go on with it", 20, "…"), "run `a b` and then …");
  EXPECT_EQ(cut_at_word("oneword_without_a_space", 10, "…"), "oneword_ …");
  for (std::size_t width = 0; width < 40; ++width)
    EXPECT_LE(display_width(cut_at_word("日本語 `モデル x` batch:8 and more words", width, "…")), width);
}

TEST(Pad, FillsUpAndNeverCuts) {
  EXPECT_EQ(pad_left("ab", 4), "  ab");
  EXPECT_EQ(pad_right("µ", 3), "µ  ");
  EXPECT_EQ(pad_left("abcdef", 4), "abcdef");
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one two three", 100), (Lines{"one two three"}));
  EXPECT_EQ(wrap("  one   two  ", 100), (Lines{"one two"}));
  EXPECT_EQ(wrap("", 10), Lines{});
  EXPECT_EQ(wrap("   ", 10), Lines{});
}

TEST(Wrap, KeepsACommandOnOneLine) {
  EXPECT_EQ(wrap("see (`git log A..B`), then", 17), (Lines{"see", "(`git log A..B`),", "then"}));
  EXPECT_EQ(wrap("`a b` and `c d`", 9), (Lines{"`a b` and", "`c d`"}));
  EXPECT_EQ(wrap("see `git log A..B` then", 10), (Lines{"see `git", "log A..B`", "then"})) << "no line has room for it";
  EXPECT_EQ(wrap("a stray ` in words", 10), (Lines{"a stray `", "in words"}));
}

TEST(Wrap, BreaksAWordThatIsTooWide) {
  EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("x abcdefgh y", 3), (Lines{"x", "abc", "def", "gh", "y"}));
}

TEST(Wrap, EndsEvenWhenNothingFits) {
  EXPECT_EQ(wrap("日本", 1), (Lines{"日", "本"}));
}

TEST(Wrap, APercentSignStaysWithItsNumber) {
  EXPECT_EQ(wrap("(up 12.7 %).", 9), (Lines{"(up", "12.7 %)."}));
  EXPECT_EQ(wrap("% alone", 5), (Lines{"%", "alone"}));
}

}  // namespace
}  // namespace torchgate::reports
