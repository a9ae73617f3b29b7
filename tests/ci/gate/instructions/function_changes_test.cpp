// SPDX-License-Identifier: Apache-2.0
// Names of functions as a person reads them, and which of them account for a change.
#include "ci/gate/instructions/function_changes.hpp"

#include <gtest/gtest.h>

#include "ci/gate/instructions/function_name.hpp"

namespace {

using namespace torchgate;
using gate::readable_function_name;

// Names as g++ 12 makes them; c++filt says the same with arguments.
TEST(FunctionName, IsTheQualifiedNameWithoutArguments) {
  EXPECT_EQ(readable_function_name("_ZN2at6native4add_EiRKNS_6TensorE"), "at::native::add_");
  EXPECT_EQ(readable_function_name("_ZN12_GLOBAL__N_15turnsEl"), "(anonymous namespace)::turns");
  EXPECT_EQ(readable_function_name("_Z5turnsl"), "turns");
  EXPECT_EQ(readable_function_name("_ZL5turnsl"), "turns");
  EXPECT_EQ(readable_function_name("_ZNK3c1010TensorImpl5sizesEv"), "c10::TensorImpl::sizes");
  EXPECT_EQ(readable_function_name("_ZN3c1010TensorImplC1ENS0_8ImplTypeE"), "c10::TensorImpl::TensorImpl");
  EXPECT_EQ(readable_function_name("_ZN3c104impl23ExcludeDispatchKeyGuardD1Ev"),
            "c10::impl::ExcludeDispatchKeyGuard::~ExcludeDispatchKeyGuard");
  EXPECT_EQ(readable_function_name("_ZNSt6chrono3_V212steady_clock3nowEv"), "std::chrono::_V2::steady_clock::now");
  EXPECT_EQ(readable_function_name("_ZSt16__introsort_loopIPllEvT_"), "std::__introsort_loop<...>");
}

TEST(FunctionName, WhatItDoesNotUnderstandStaysAsItIs) {
  for (const char* name : {"", "free", "???", "0x00000000000a1b2c", "(below main)", "_Z", "_ZN",
                           "_ZN99999999999999999999x", "_ZN5abcE", "_ZdlPv", "_ZTV3foo", "clock_gettime@@GLIBC_2.17"})
    EXPECT_EQ(readable_function_name(name), name);
}

record::InstructionCount counted(std::vector<record::FunctionCount> largest, std::int64_t functions) {
  record::InstructionCount count;
  count.largest = std::move(largest);
  count.functions = functions;
  return count;
}

TEST(FunctionChanges, TheLargestDifferenceComesFirst) {
  const auto before = counted({{"a", "x.so", 1000}, {"b", "x.so", 800}, {"c", "x.so", 100}}, 3);
  const auto after = counted({{"a", "x.so", 1010}, {"b", "y.so", 600}, {"c", "x.so", 101}, {"d", "", 50}}, 4);
  const auto changes = gate::function_changes(before, after);
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0], "b (y.so): -200 instructions per call (800 before, 600 after)");
  EXPECT_EQ(changes[1], "d: +50 instructions per call (0 before, 50 after)");
  EXPECT_EQ(changes[2], "a (x.so): +10 instructions per call (1000 before, 1010 after)");
}

TEST(FunctionChanges, AFunctionBeyondTheEndOfTheListHadAtMostAsMuchAsTheLastOne) {
  const auto before = counted({{"a", "x.so", 1000}, {"b", "x.so", 300}}, 90);
  const auto after = counted({{"a", "x.so", 1000}, {"e", "x.so", 900}, {"f", "x.so", 299}}, 90);
  const auto changes = gate::function_changes(before, after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0], "e (x.so): +600 instructions per call (at most 300 before, 900 after)");
}

TEST(FunctionChanges, NothingIsSaidWithoutFunctions) {
  EXPECT_TRUE(gate::function_changes(counted({}, 0), counted({{"a", "", 1}}, 1)).empty());
  EXPECT_TRUE(gate::function_changes(counted({{"a", "", 1}}, 1), counted({{"a", "", 1}}, 1)).empty());
}

}  // namespace
