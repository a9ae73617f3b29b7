// SPDX-License-Identifier: Apache-2.0
// Lists of CPUs as the kernel writes them.
#pragma once

#include <string_view>
#include <vector>

namespace torchgate::machine::doctor {

/// "0,2" and "0-1,4" as numbers; empty for any other text.
std::vector<int> cpu_list(std::string_view text);

}  // namespace torchgate::machine::doctor
