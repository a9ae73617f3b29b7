// SPDX-License-Identifier: Apache-2.0
// The requested cases.
#pragma once

#include <functional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::bench {

/// Whether a case's name matches `pattern`, a regular expression (RE2's syntax) searched anywhere in it. bad_input if it
/// is invalid.
base::Result<std::function<bool(const std::string& case_name)>> case_filter(const std::string& pattern);

}  // namespace torchgate::bench
