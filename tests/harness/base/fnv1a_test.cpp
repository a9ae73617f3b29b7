// SPDX-License-Identifier: Apache-2.0
#include "harness/base/fnv1a.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(Fnv1a, HashesAsItsPublishedTestVectorsSay) {
  // Noll's test vectors of FNV-1a with 64 bits.
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8ULL);
}

TEST(Fnv1a, SeveralTextsAreHashedAsOne) {
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
}

}  // namespace
}  // namespace torchgate::base
