// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/allocator.hpp"

#include <cstdlib>

namespace torchgate::launch {
namespace {

constexpr const char* variable = "GLIBC_TUNABLES";

// mmap_max=0: no allocation gets pages of its own, which go back with it. trim_threshold (4 GiB): nothing is given back at the end
// of the heap. top_pad (256 MiB of addresses, not of memory): the heap grows in few steps, and heaps of other threads stay.
// hugetlb=1: the heap asks for transparent huge pages, so that the cost of memory depends less on which 4 KiB pages the kernel had.
constexpr const char* steady_tunables =
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.top_pad=268435456:"
    "glibc.malloc.trim_threshold=4294967296";

}  // namespace

std::vector<record::Parameter> allocator_environment(Allocator allocator) {
  if (allocator == Allocator::system) return {};
  std::string tunables = steady_tunables;
  const char* given = std::getenv(variable);
  if (given != nullptr && *given != '\0') tunables += std::string(":") + given;
  return {{variable, tunables}};
}

}  // namespace torchgate::launch
