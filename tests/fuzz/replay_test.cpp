// SPDX-License-Identifier: Apache-2.0
// Runs every seed and every input that once was a finding through its target, in the ordinary build: what fuzzing found stays
// fixed, and a target that cannot read its own seeds is noticed without libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>

#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using torchgate::fuzz::Target;

class Replay : public testing::TestWithParam<Target> {};

// Before main() the registrations of the other files may be yet to come, so the table is asked for when tests are made.
std::vector<Target> all_targets() {
  std::vector<Target> all = torchgate::fuzz::targets();
  std::sort(all.begin(), all.end(), [](const Target& a, const Target& b) { return a.name < b.name; });
  return all;
}

TEST_P(Replay, EverySeedAndRegression) {
  const std::size_t before = torchgate::fuzz::accepted_inputs();
  for (const auto& seed : torchgate::fuzz::seeds_of(GetParam().name)) {
    // Printed first: a reader that crashes takes this program with it.
    std::cerr << GetParam().name << ": " << seed.name << std::endl;
    try {
      GetParam().run(seed.bytes);
    } catch (const std::exception& error) {
      ADD_FAILURE() << seed.name << ": " << error.what();
    }
  }
  EXPECT_GT(torchgate::fuzz::accepted_inputs(), before) << "no seed of " << GetParam().name << " was read";
}

TEST_P(Replay, EmptyAndCutShort) {
  GetParam().run("");
  for (const auto& seed : torchgate::fuzz::seeds_of(GetParam().name)) {
    std::cerr << GetParam().name << ": half of " << seed.name << std::endl;
    EXPECT_NO_THROW(GetParam().run(std::string_view(seed.bytes).substr(0, seed.bytes.size() / 2))) << seed.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(all_targets()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
