// SPDX-License-Identifier: Apache-2.0
// What a program or its user writes into a file about how it was measured: "build_flags" of a context, the label of a benchmark.
#pragma once

#include <string_view>

namespace torchgate::import {

/// Whether KEY says of VALUE that it is another one in each build or run: "git_sha", "buildDate", "load_avg". Whole words of the key count:
/// "shape", "shards" and "validate" are settings.
bool is_of_one_run(std::string_view key, std::string_view value);

}  // namespace torchgate::import
