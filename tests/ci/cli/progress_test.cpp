// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace {

using namespace torchgate;
using std::chrono::seconds;

launch::Progress pairs_so_far(std::int64_t done, std::chrono::nanoseconds elapsed) {
  launch::Progress progress{done, 0, elapsed, seconds(40)};
  progress.rounds = launch::RoundsSoFar{23, 48, 39, 31, 100, 60};
  return progress;
}

record::Process process(const std::string& group) {
  record::Process made;
  made.group = group;
  return made;
}

std::int64_t lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(Progress, OfPairsSaysWhatIsDecidedAndWhatIsLeft) {
  EXPECT_EQ(cli::progress_words(46, pairs_so_far(46, seconds(90)), true),
            "pairs  23 of ≤ 48 · 31 of 39 decided · about 40 s left");
  EXPECT_EQ(cli::progress_words(46, pairs_so_far(46, seconds(90)), false),
            "pairs  23 of <= 48, 31 of 39 decided, about 40 s left");
}

TEST(Progress, BeforeTheFirstPairOnlyTheMostIsKnown) {
  launch::Progress progress = pairs_so_far(0, seconds(0));
  progress.rounds->spent_s = 0;
  EXPECT_EQ(cli::progress_words(0, progress, true), "pairs  23 of ≤ 48 · 31 of 39 decided · at most 40 s left");
  progress.left.reset();
  EXPECT_EQ(cli::progress_words(0, progress, true), "pairs  23 of ≤ 48 · 31 of 39 decided");
}

TEST(Progress, OfARunSaysWhichProcess) {
  EXPECT_EQ(cli::progress_words(3, {2, 40, seconds(5), seconds(20)}, true), "[3/40], 20 s left");
  EXPECT_EQ(cli::progress_words(3, {2, 0, seconds(5), seconds(20)}, true), "[3], at most 20 s left");
}

TEST(Progress, ALogHasALineAtMostEveryTenSeconds) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::Console console{out, err};
  cli::ProgressLine line(console);
  for (std::int64_t i = 1; i <= 100; ++i) line.on_process_finished(process("g"), pairs_so_far(i, seconds(i)));
  EXPECT_EQ(lines_in(err.str()), 10) << err.str();
  EXPECT_TRUE(err.str().starts_with("pairs  23 of ≤ 48 · 31 of 39 decided · about 40 s left\n")) << err.str();
}

TEST(Progress, ALogOfAShortRunHasItsLastLine) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::Console console{out, err};
  cli::ProgressLine line(console);
  for (std::int64_t i = 1; i <= 40; ++i)
    line.on_process_finished(process("g"), {i, 40, std::chrono::milliseconds(100 * i), seconds(1)});
  EXPECT_EQ(err.str(), "[40/40] 4 s\n");
}

TEST(Progress, OnATerminalNoLineIsWiderThanIt) {
  for (const std::size_t width : {20U, 60U, 80U, 100U}) {
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    console.err_is_terminal = true;
    console.unicode = false;
    console.width = width;
    {
      cli::ProgressLine line(console);
      line.on_process_started(process("a/group/with/a/rather/long/name/that/has/to/give/way"),
                              pairs_so_far(4, seconds(4)));
    }
    // The line stands between the codes that erase it.
    const std::string erase = "\r\033[K";
    const std::size_t from = err.str().find(erase) + erase.size();
    const std::size_t to = err.str().find(erase, from);
    ASSERT_NE(to, std::string::npos);
    EXPECT_LT(to - from, width) << err.str();
    EXPECT_EQ(err.str().find("give/way") != std::string::npos, width >= 80) << err.str();
  }
}

}  // namespace
