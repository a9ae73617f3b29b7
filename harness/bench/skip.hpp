// SPDX-License-Identifier: Apache-2.0
// What a case throws that finds out only while it is built, or in its first call, that it cannot run here.
#pragma once

#include <stdexcept>

namespace torchgate::bench {

/// The case is skipped with this reason: throw Skip("this LibTorch has no FBGEMM"). For what is known beforehand
/// needs() is better: its cases are listed as skipped.
class Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace torchgate::bench
