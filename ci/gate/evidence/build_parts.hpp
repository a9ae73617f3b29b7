// SPDX-License-Identifier: Apache-2.0
// A fact of many lines, such as how a LibTorch was built, compared key by key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::gate {

/// The fact that a part belongs to: "libtorch_build" of "libtorch_build: CUDNN_VERSION".
std::string_view whole_fact(std::string_view name);

/// DIFFERENCES with each of a text of several lines replaced by those of its parts. A line is a part ("GCC 13.3", "C++ Version: 202002"), and so is each
/// setting of a line "Build settings: KEY=VALUE, ..."; of compiler flags only those that the other side lacks are listed. A text of which
/// no part differs stays as it is.
std::vector<reports::Difference> by_parts(std::vector<reports::Difference> differences);

}  // namespace torchgate::gate
