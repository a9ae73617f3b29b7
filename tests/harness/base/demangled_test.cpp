// SPDX-License-Identifier: Apache-2.0
// Symbols as g++ 12 writes them (`nm`), names as `c++filt` does.
#include "harness/base/demangled.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(Demangled, FunctionsLoseTheirParameters) {
  EXPECT_EQ(demangled("_ZN2at6native10batch_normERKNS_6TensorES3_"), "at::native::batch_norm");
  EXPECT_EQ(demangled("_Z6repeatILi6EEii"), "int repeat<6>");
  EXPECT_EQ(demangled("_ZNKSt6vectorIiSaIiEE4sizeEv"), "std::vector<int, std::allocator<int> >::size");
}

TEST(Demangled, OtherNamesStayAsTheyAre) {
  EXPECT_EQ(demangled("memcpy"), "memcpy");
  EXPECT_EQ(demangled("_Z"), "_Z");
  EXPECT_EQ(demangled(""), "");
  EXPECT_EQ(demangled("_ZTV5Shape"), "vtable for Shape");
}

TEST(Demangled, LongNamesAreCut) {
  const std::string name = demangled(std::string(300, 'f'));
  EXPECT_EQ(name.size(), 80U);
  EXPECT_EQ(name, std::string(39, 'f') + "..." + std::string(38, 'f'));
  EXPECT_EQ(demangled("_Z" + std::string(100'000, 'N')).size(), 80U);
}

}  // namespace
}  // namespace torchgate::base
