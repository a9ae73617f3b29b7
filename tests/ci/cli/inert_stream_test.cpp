// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/inert_stream.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "ci/cli/console.hpp"

namespace torchgate::cli {
namespace {

const std::string replaced = "\xEF\xBF\xBD";

// TEXT printed in pieces of SIZE bytes: a writer may cut the text at any byte.
std::string printed(const std::string& text, std::size_t size) {
  std::stringbuf target;
  InertBuffer buffer(target);
  std::ostream out(&buffer);
  for (std::size_t at = 0; at < text.size(); at += size) out << text.substr(at, size) << std::flush;
  return target.str();
}

void expect_printed(const std::string& text, const std::string& expected) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, text.size() + 1}) {
    EXPECT_EQ(printed(text, size), expected) << "in pieces of " << size;
  }
}

TEST(InertStream, LeavesTextAlone) {
  for (const char* text :
       {"", "one line\n", "\ttabs\tand\n\nlines", "a::b std::regex\n x: y\n", "{\"a\": [1]}\n",
        "12.3 \xC2\xB5s \xC2\xB1 5 %, \xE2\x89\xA4 1 \xF0\x9F\x98\x80\n", "## Heading\n### More\n#1 [link](x)\n"}) {
    expect_printed(text, text);
  }
}

TEST(InertStream, ReplacesControlCharacters) {
  const std::string& r = replaced;
  expect_printed("\x1B[2Jgone\r\x07\x08\x7F", r + "[2Jgone" + r + r + r + r);
  expect_printed("\xC2\x9B[31m\xC2\x85", r + "[31m" + r);
  expect_printed("a\xE2\x80\xAE.\xE2\x80\xA8.\xE2\x81\xA6\xEF\xBB\xBF", "a" + r + "." + r + "." + r + r);
  expect_printed("not UTF-8: \xFF\xC0\x80 \xED\xA0\x80.", "not UTF-8: " + r + r + r + " " + r + r + r + ".");
  expect_printed(std::string("nul \0.", 6), "nul " + r + ".");
}

TEST(InertStream, BreaksCommandsOfCiSystems) {
  expect_printed("::error::x\n", ": :error::x\n");
  expect_printed("a\n \t ::add-mask::b\n", "a\n \t : :add-mask::b\n");
  expect_printed("\xC2\xA0\xE2\x80\x83\xE3\x80\x80::stop-commands::t",
                 "\xC2\xA0\xE2\x80\x83\xE3\x80\x80: :stop-commands::t");
  expect_printed(":::error", ": ::error");
  expect_printed("x ##[error]y ##vso[task.setvariable]z ##teamcity[a]\n",
                 "x ## [error]y ##vso [task.setvariable]z ##teamcity [a]\n");
  expect_printed("###[group]a", "### [group]a");
}

TEST(InertStream, KeepsOurOwnCodesOnly) {
  std::stringbuf target;
  InertBuffer buffer(target);
  std::ostream out(&buffer);
  write_rendered(out, "\033[1;31mred\033[0m \033[2J\033]0;title\x07\n  ::error::x\n\r\033[K");
  EXPECT_EQ(target.str(), "\033[1;31mred\033[0m " + replaced + "[2J" + replaced + "]0;title" + replaced +
                              "\n  : :error::x\n\r\033[K");
  std::ostringstream plain;
  write_rendered(plain, "\033[1mx");
  EXPECT_EQ(plain.str(), "\033[1mx");
}

TEST(InertStream, SaysWhenItsTargetFails) {
  struct Full : std::streambuf {};  // takes nothing
  Full full;
  InertBuffer buffer(full);
  std::ostream out(&buffer);
  out << "text";
  EXPECT_FALSE(out.good());
  std::ostream rendered(&buffer);
  write_rendered(rendered, "text");
  EXPECT_FALSE(rendered.good());
}

TEST(Console, PutsAMessageOnOneLine) {
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err};
  EXPECT_EQ(console.fail({base::ErrorCode::bad_input, "no such case a\n::error::b\rPASS"}), ExitCode::error);
  console.warn("c\nd");
  EXPECT_EQ(err.str(), "torchgate: no such case a ::error::b PASS\nwarning: c d\n");
}

}  // namespace
}  // namespace torchgate::cli
