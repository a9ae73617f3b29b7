// SPDX-License-Identifier: Apache-2.0
// Callgrind's files: one that it wrote, against callgrind_annotate, and what is wrong with others.
#include "harness/launch/count/callgrind_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numeric>

namespace torchgate::launch {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream file(std::string(TORCHGATE_FIXTURES) + "/callgrind/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

CallgrindPart part_of(const std::string& text) {
  auto part = read_callgrind(text, "part.1");
  EXPECT_TRUE(part) << part.error().message;
  return part ? *std::move(part) : CallgrindPart{};
}

std::string error_of(const std::string& text) {
  const auto part = read_callgrind(text, "part.1");
  return part ? "" : part.error().message;
}

std::uint64_t of(const CallgrindPart& part, const std::string& name) {
  std::uint64_t sum = 0;
  for (const auto& [function, count] : part.functions)
    if (function.name == name) sum += count;
  return sum;
}

// Numbers of `callgrind_annotate --threshold=100 counted.part.2` (tests/fixtures/callgrind/README.md).
TEST(CallgrindFile, CountsFunctionsAsCallgrindAnnotateDoes) {
  const CallgrindPart part = part_of(fixture("counted.part.2"));
  EXPECT_EQ(part.trigger, "Client Request: calls counted/threads/threads");
  EXPECT_EQ(part.total, 132'405U);
  EXPECT_EQ(of(part, "_ZN12_GLOBAL__N_15turnsEl"), 120'016U);
  EXPECT_EQ(of(part, "__malloc_arena_thread_freeres"), 1'628U + 116U);
  EXPECT_EQ(of(part, "_int_free"), 1'252U + 104U);
}

TEST(CallgrindFile, TheSumOfTheFunctionsIsTheTotal) {
  const CallgrindPart part = part_of(fixture("counted.part.2"));
  const auto sum = std::accumulate(part.functions.begin(), part.functions.end(), std::uint64_t{0},
                                   [](std::uint64_t all, const auto& each) { return all + each.second; });
  EXPECT_EQ(sum, part.total);
}

TEST(CallgrindFile, NumberedNamesCallsAndPlacesWithoutACost) {
  const CallgrindPart part = part_of(
      "version: 1\ndesc: Trigger: Client Request: calls a/b\nevents: Ir Dr\n"
      "ob=(1) /lib/a.so\nfl=(1) a.cpp\nfn=(1) one\n10 5 9\n+2 7\n-1\n"
      "cob=(2) /lib/b.so\ncfn=(2) two\ncalls=3 40\n11 1000\n12 1\n"
      "fn=(2)\nob=(2)\n* 4\n"
      "fn=plain\nob=???\n0x1f 2\n"
      "ob=(1)\nfn=(1)\n3 3\ntotals: 22\n");
  EXPECT_EQ(part.trigger, "Client Request: calls a/b");
  EXPECT_EQ(part.total, 22U);
  const std::map<FunctionName, std::uint64_t> expected{
      {{"/lib/a.so", "one"}, 16}, {{"/lib/b.so", "two"}, 4}, {{"", "plain"}, 2}};
  EXPECT_EQ(part.functions, expected);
}

TEST(CallgrindFile, RefusesWhatIsNotOneOfItsFiles) {
  EXPECT_NE(error_of("").find("no line \"events:\""), std::string::npos);
  EXPECT_NE(error_of("events: Dr Ir\n").find("first event is not \"Ir\""), std::string::npos);
  EXPECT_NE(error_of("events: Irx\n").find("first event is not \"Ir\""), std::string::npos);
  EXPECT_NE(error_of("events: Ir\nfn=(7)\n").find("part.1, line 2: name 7 is used before it is defined"),
            std::string::npos);
  EXPECT_NE(error_of("events: Ir\nfn=(7 name\n").find("without its \")\""), std::string::npos);
  EXPECT_NE(error_of("events: Ir\n0 five\n").find("a cost that is not a number"), std::string::npos);
  EXPECT_NE(error_of("events: Ir\n0 -5\n").find("a cost that is not a number"), std::string::npos);
  EXPECT_NE(error_of("events: Ir\n0 18446744073709551615\n1 1\n").find("too large"), std::string::npos);
  EXPECT_NE(error_of("events: Ir\nob=" + std::string(5000, 'x') + "\n").find("a name of 5000 bytes"),
            std::string::npos);
}

// A file that is cut off, as by a full disk or a killed process.
TEST(CallgrindFile, ATotalThatDoesNotFitIsAnError) {
  EXPECT_NE(error_of("events: Ir\n0 5\ntotals: 6\n").find("add up to 5, its total is 6"), std::string::npos);
  const std::string whole = fixture("counted.part.2");
  const auto line = whole.rfind("\nfn=");
  ASSERT_NE(line, std::string::npos);
  const std::string cut = whole.substr(0, line) + whole.substr(whole.find("\ntotals:"));
  EXPECT_NE(error_of(cut).find("its total is"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::launch
