// SPDX-License-Identifier: Apache-2.0
// Go files without the lines that name packages: a disturbance in one of them, and two packages in all of them.
#include "harness/import/odd_levels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/import/go_text.hpp"
#include "harness/import/run_of_processes.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

using Times = std::vector<double>;

// "A", whose lines in each file are given, has no verdict.
bool ambiguous(const std::vector<Times>& files, const std::string& between = "") {
  std::vector<std::vector<ImportedProcess>> read;
  for (const Times& times : files) {
    std::string text;
    for (const double time : times)
      text += "BenchmarkA 10 " + std::to_string(time + 0.123 + 1.37 * static_cast<double>(read.size())) + " ns/op\n" +
              between;
    auto processes = read_go_text(testing::in_odd_pieces(text), "a.txt");
    EXPECT_TRUE(processes) << processes.error().message;
    if (!processes) return false;
    read.push_back(*std::move(processes));
  }
  const auto run = run_of_processes(std::move(read), "0");
  EXPECT_TRUE(run) << run.error().message;
  return run && run->cases.at(0).ambiguous;
}

const Times even{1001, 1000, 999, 1002, 1003, 998};
const Times in_the_middle{1001, 1000, 2149, 2213, 1003, 998};

TEST(OddLevels, ALevelOfOneFileIsNoise) {
  EXPECT_FALSE(ambiguous({even, even, even, in_the_middle, even}));
  EXPECT_FALSE(ambiguous({even, {1001, 1000, 999, 1002, 2149, 2213}, even})) << "at the end";
  EXPECT_FALSE(ambiguous({{401, 400, 999, 1002, 1001, 1005}, even, even})) << "at the beginning, and faster";
  EXPECT_FALSE(ambiguous({even, even, in_the_middle}, "BenchmarkB 10 5 ns/op\n"));
  EXPECT_FALSE(ambiguous({even, {1001, 1000, 2400, 1002, 1003, 998}, in_the_middle}))
      << "and one odd line of another file";
  EXPECT_FALSE(ambiguous({even, even, {1001, 1000, 2149, 2213, 1003, 4700}})) << "and odd lines of other sizes";
}

TEST(OddLevels, WhatOtherFilesHaveTooIsOfAnotherPackage) {
  EXPECT_TRUE(ambiguous({in_the_middle}));
  EXPECT_TRUE(ambiguous({in_the_middle, in_the_middle, in_the_middle}));
  EXPECT_TRUE(ambiguous({even, in_the_middle})) << "which of the two is odd is not known";
  EXPECT_TRUE(ambiguous({even, even, in_the_middle, in_the_middle}));
  const Times near{1001, 1000, 1990, 1995, 1003, 998};
  EXPECT_TRUE(ambiguous({near, near, in_the_middle})) << "the others have that level, less far away";
}

TEST(OddLevels, FilesWithOtherNumbersOfLinesDoNotCount) {
  EXPECT_TRUE(ambiguous({{1000, 1001}, {1000, 1001}, {1000, 1001, 2149, 2213}})) << "of one package, and of two";
  EXPECT_FALSE(ambiguous({even, even, even, {1000}, in_the_middle})) << "one was cut off";
}

TEST(OddLevels, NothingIsLeftOnTheUsualLevel) {
  EXPECT_TRUE(ambiguous({even, even, {2100, 2150, 2149, 5213, 5003, 4998}}));
}

}  // namespace
}  // namespace torchgate::import
