// SPDX-License-Identifier: Apache-2.0
#include "reports/shared_notes.hpp"

#include <gtest/gtest.h>

namespace torchgate::reports {
namespace {

using Rows = std::vector<std::size_t>;

TEST(SharedNotes, OneSentenceForAllRows) {
  const auto notes = shared_notes({{"Confirmed by 12 interleaved pairs: p 4.9e-04 (needed below 0.005)."},
                                   {"Confirmed by 24 interleaved pairs: p 1.2e-07 (needed below 0.005).", "Its own."}});
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "Confirmed by 12 to 24 interleaved pairs: p 1.2e-07 to 4.9e-04 (needed below 0.005).");
  EXPECT_EQ(notes[0].rows, (Rows{0, 1}));
  EXPECT_EQ(notes[1].text, "Its own.");
  EXPECT_EQ(notes[1].rows, (Rows{1}));
}

TEST(SharedNotes, NumbersInNamesAreNames) {
  EXPECT_EQ(shared_notes({{"aten::addmm with batch:8"}, {"aten::addmm with batch:9"}}).size(), 2U);
  EXPECT_EQ(shared_notes({{"f16 instead of f32"}, {"f16 instead of f64"}}).size(), 2U);
  EXPECT_EQ(shared_notes({{"version 1.2.3"}, {"version 1.2.4"}}).size(), 2U);
}

TEST(SharedNotes, SignsAndIntervals) {
  const auto notes = shared_notes({{"moved by -1.5 % [-3 %, +0.5 %]"}, {"moved by +2 % [+1 %, +3 %]"}});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "moved by -1.5 to +2 % [-3 to +1 %, +0.5 to +3 %]");
}

TEST(SharedNotes, NumbersThatChangedPlacesAreThoseOfTheFirstRow) {
  const auto swapped = shared_notes({{"its p was 1 and is 3."}, {"its p was 3 and is 1."}, {"its p was 2 and is 1."}});
  ASSERT_EQ(swapped.size(), 1U);
  EXPECT_EQ(swapped[0].text, "its p was 1 and is 3 (in other cases other numbers).");
  EXPECT_EQ(shared_notes({{"was 1 and is 3"}, {"was 3 and is 1"}})[0].text,
            "was 1 and is 3 (in other cases other numbers)");
  EXPECT_EQ(shared_notes({{"3 of 3"}, {"5 of 5"}})[0].text, "3 to 5 of 3 to 5");
  EXPECT_EQ(shared_notes({{"was 1 and is 2"}, {"was 2 and is 4"}})[0].text, "was 1 to 2 and is 2 to 4");
}

TEST(SharedNotes, ASentenceTwiceInARowIsOneRow) {
  const auto notes = shared_notes({{"x", "x"}, {}});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].rows, (Rows{0}));
}

TEST(SharedNotes, MostRowsFirst) {
  const auto notes = shared_notes({{"a", "b"}, {"b"}, {"c"}});
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[0].text, "b");
  EXPECT_EQ(notes[1].text, "a");
}

TEST(SharedNotes, HostileSentences) {
  EXPECT_TRUE(shared_notes({}).empty());
  const std::string numbers = [] {
    std::string text;
    for (int i = 0; i < 10000; ++i) text += "1 ";
    return text;
  }();
  const auto notes = shared_notes({{std::string("\x01\x01", 2)}, {numbers}, {"1e", "1e+", "-", "+", "1.", ".5", ""}});
  EXPECT_EQ(notes.size(), 9U);
  EXPECT_EQ(notes[0].text, "??");
  EXPECT_EQ(notes[1].text, numbers);
  EXPECT_EQ(notes[6].text, "1.");
}

}  // namespace
}  // namespace torchgate::reports
