// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_escape.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

TEST(MarkdownName, IsACodeSpan) {
  EXPECT_EQ(markdown_name("fusion/conv_bn/batch:8", true), "`fusion/conv_bn/batch:8`");
  EXPECT_EQ(markdown_name("@octocat #12 <b> *x* [a](b)", true), "`@octocat #12 <b> *x* [a](b)`");
}

TEST(MarkdownName, TheFenceIsLongerThanAnyRunInside) {
  EXPECT_EQ(markdown_name("a`b", false), "``a`b``");
  EXPECT_EQ(markdown_name("a``b`c", false), "```a``b`c```");
  EXPECT_EQ(markdown_name("`a`", false), "`` `a` ``");
}

TEST(MarkdownName, PipesAreEscapedInTablesOnly) {
  EXPECT_EQ(markdown_name("a|b", true), "`a\\|b`");
  EXPECT_EQ(markdown_name("a|b", false), "`a|b`");
}

TEST(MarkdownName, ABackslashBeforeAPipeCannotFreeIt) {
  EXPECT_EQ(markdown_name("a\\|b", true), "`a\\\\\\|b`");    // one backslash: three, so that the last escapes
  EXPECT_EQ(markdown_name("a\\\\|b", true), "`a\\\\\\|b`");  // two: three
  EXPECT_EQ(markdown_name("a\\", true), "`a\\`");
}

TEST(MarkdownName, NothingToShow) {
  EXPECT_EQ(markdown_name("", true), "(no name)");
  EXPECT_EQ(markdown_name(" \n ", true), "(no name)");
}

TEST(MarkdownName, StaysOnOneLineAndWithinItsWidth) {
  EXPECT_EQ(markdown_name("a\n| b |", true), "`a \\| b \\|`");
  EXPECT_LT(markdown_name(std::string(10000, 'x'), true).size(), markdown_name_width + 10);
}

TEST(MarkdownText, MarkupIsShownNotDone) {
  EXPECT_EQ(markdown_text("a *b* _c_ ~d~ `e` \\f"), "a \\*b\\* \\_c\\_ \\~d\\~ \\`e\\` \\\\f");
  EXPECT_EQ(markdown_text("[a](b) ![c](d)"), "\\[a\\](b) !\\[c\\](d)");
  EXPECT_EQ(markdown_text("<!-- x --> <b> a&amp;b"), "&lt;!-- x --&gt; &lt;b&gt; a&amp;amp;b");
  EXPECT_EQ(markdown_text("a|b"), "a&#124;b");
}

TEST(MarkdownText, MentionsAndLinksNothing) {
  EXPECT_EQ(markdown_text("by @octocat"), "by @&#8203;octocat");
  EXPECT_EQ(markdown_text("me@example.org"), "me@&#8203;example.org");
  EXPECT_EQ(markdown_text("see #12, a#b"), "see \\#&#8203;12, a\\#b");
  EXPECT_EQ(markdown_text("GH-12 gh-3 GH-x"), "GH-&#8203;12 gh-&#8203;3 GH-x");
  EXPECT_EQ(markdown_text("https://x.org ftp://y"), "https:&#8203;//x.org ftp:&#8203;//y");
  EXPECT_EQ(markdown_text("WWW.x.org"), "WWW&#8203;.x.org");
}

TEST(MarkdownText, NoFormulaAndNoEmoji) {
  EXPECT_EQ(markdown_text("$x$"), "<span>$</span>x<span>$</span>");
  EXPECT_EQ(markdown_text(":x: :+1: :100:"), ":&#8203;x: :&#8203;+1: :&#8203;100:");
  EXPECT_EQ(markdown_text("at 04:12:09, device:cpu"), "at 04:12:09, device:cpu");
}

TEST(MarkdownText, NothingStartsABlock) {
  EXPECT_EQ(markdown_text("- a"), "\\- a");
  EXPECT_EQ(markdown_text("+ a"), "\\+ a");
  EXPECT_EQ(markdown_text("# a"), "\\# a");
  EXPECT_EQ(markdown_text("> a"), "&gt; a");
  EXPECT_EQ(markdown_text("12. a"), "12\\. a");
  EXPECT_EQ(markdown_text("1) a"), "1\\) a");
  EXPECT_EQ(markdown_text("==="), "\\===");
  EXPECT_EQ(markdown_text("    code"), "code");
}

TEST(MarkdownText, NamesInItAreCode) {
  EXPECT_EQ(markdown_text("a/b_c is slower", {"a/b_c"}), "`a/b_c` is slower");
  EXPECT_EQ(markdown_text("a/b and a/b/c", {"a/b", "a/b/c"}), "`a/b` and `a/b/c`");
  EXPECT_EQ(markdown_text("nothing", {"", " "}), "nothing");
}

TEST(MarkdownText, ANameIsAWordOfItsOwn) {
  EXPECT_EQ(markdown_text("a case, a", {"a"}), "`a` case, `a`");
  EXPECT_EQ(markdown_text("é", {"\xC3"}), "é");
}

TEST(MarkdownCell, NumbersKeepTheirSigns) {
  EXPECT_EQ(markdown_cell("12.31 ms"), "12.31 ms");
  EXPECT_EQ(markdown_cell("-5.00 %"), "-5.00 %");
  EXPECT_EQ(markdown_cell("a|b\nc"), "a&#124;b c");
}

TEST(HtmlText, TagsAreShown) {
  EXPECT_EQ(html_text("</summary><img src='x' alt=\"&\">"),
            "&lt;/summary&gt;&lt;img src=&#39;x&#39; alt=&quot;&amp;&quot;&gt;");
  EXPECT_EQ(html_text(""), "(no name)");
}

TEST(Unbroken, KeepsANumberTogether) {
  EXPECT_EQ(unbroken("12 ms"), "12\u00A0ms");
  EXPECT_EQ(unbroken("4.9e-04"), "4.9e\u201104");
  EXPECT_EQ(unbroken("re-run"), "re-run");
}

}  // namespace
}  // namespace torchgate::reports
