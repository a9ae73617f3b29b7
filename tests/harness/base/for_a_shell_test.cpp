// SPDX-License-Identifier: Apache-2.0
#include "harness/base/for_a_shell.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(ForAShell, QuotesWhatIsSpecialToOne) {
  EXPECT_EQ(for_a_shell("runs/main-1.json"), "runs/main-1.json");
  EXPECT_EQ(for_a_shell("my slow run.json"), "'my slow run.json'");
  EXPECT_EQ(for_a_shell("it's"), "'it'\\''s'");
  EXPECT_EQ(for_a_shell("$(x)"), "'$(x)'");
  EXPECT_EQ(for_a_shell(""), "''");
}

TEST(ForAShell, AnOptionHasAValueThatBeginsWithADash) {
  EXPECT_EQ(option_for_a_shell("--save", "main"), "--save main");
  EXPECT_EQ(option_for_a_shell("--save", "my run"), "--save 'my run'");
  EXPECT_EQ(option_for_a_shell("--save", "-x"), "--save=-x");
  EXPECT_EQ(option_for_a_shell("--save", "-x y"), "--save='-x y'");
}

}  // namespace
}  // namespace torchgate::base
