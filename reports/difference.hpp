// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace torchgate::reports {

/// A machine or software fact that differs between the sides.
struct Difference {
  std::string name;
  std::string before;
  std::string after;
  bool refuses = false;  ///< host or device key: the comparison was refused for it
};

}  // namespace torchgate::reports
