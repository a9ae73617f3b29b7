// SPDX-License-Identifier: Apache-2.0
// The tables of fixture.cpp: what the compiler has to write for its functions.
#include "harness/code/exception_tables.hpp"

#include <gtest/gtest.h>

namespace torchgate::code {
namespace {

FunctionExceptions exceptions_of(const char* file, const char* function) {
  const auto image = ElfImage::open(file);
  EXPECT_TRUE(image);
  const ExceptionTables tables(*image);
  const auto exceptions = tables.of(image->functions_named(function).front()->address);
  EXPECT_TRUE(exceptions) << exceptions.error().message;
  return *exceptions;
}

TEST(ExceptionTables, AFunctionWithoutHandlersHasNone) {
  EXPECT_FALSE(exceptions_of(TORCHGATE_CODE_base, "leaf").has_table);
  EXPECT_FALSE(exceptions_of(TORCHGATE_CODE_base, "never_throws").has_table);
}

TEST(ExceptionTables, ATypeThatIsCaught) {
  const FunctionExceptions exceptions = exceptions_of(TORCHGATE_CODE_base, "catches");
  ASSERT_TRUE(exceptions.has_table);
  EXPECT_NE(exceptions.personality, 0U);
  ASSERT_FALSE(exceptions.call_sites.empty());
  const CallSite& call = exceptions.call_sites.front();
  EXPECT_LT(call.begin, call.end);
  EXPECT_NE(call.landing_pad, 0U);
  ASSERT_EQ(call.actions.size(), 1U);
  EXPECT_EQ(call.actions.front().kind, ActionKind::catches);
  ASSERT_EQ(call.actions.front().types.size(), 1U);
  EXPECT_NE(call.actions.front().types.front(), 0U);
}

TEST(ExceptionTables, ADestructor) {
  const FunctionExceptions exceptions = exceptions_of(TORCHGATE_CODE_base, "cleans_up");
  ASSERT_TRUE(exceptions.has_table);
  ASSERT_FALSE(exceptions.call_sites.empty());
  EXPECT_NE(exceptions.call_sites.front().landing_pad, 0U);
  EXPECT_TRUE(exceptions.call_sites.front().actions.empty());
}

TEST(ExceptionTables, NoCallSiteEndsTheProgram) {
  const FunctionExceptions exceptions = exceptions_of(TORCHGATE_CODE_never, "never_throws");
  ASSERT_TRUE(exceptions.has_table);
  EXPECT_TRUE(exceptions.call_sites.empty());
}

}  // namespace
}  // namespace torchgate::code
