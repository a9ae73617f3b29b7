// SPDX-License-Identifier: Apache-2.0
// Names of functions as a C++ programmer writes them.
#pragma once

#include <string>

namespace torchgate::base {

/// SYMBOL of the Itanium C++ ABI, demangled; anything else as it is. Of a function its parameters are left out; with at most
/// 80 bytes, "..." in its middle where it was cut. It comes from a file: a format escapes it as any other name.
std::string demangled(const std::string& symbol);

}  // namespace torchgate::base
