// SPDX-License-Identifier: Apache-2.0
// Values for the next steps of a GitHub Actions job: the file GITHUB_OUTPUT.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::workflow {

using StepOutputs = std::vector<std::pair<std::string, std::string>>;

/// "NAME<<DELIMITER", the value and DELIMITER, a line each. bad_input: a value has a line break or is the delimiter, and would end early
/// and set other variables.
base::Result<std::string> step_outputs_text(const StepOutputs& outputs, std::string_view delimiter);

/// Appends OUTPUTS to FILE with a delimiter of 128 random bits; without outputs, only checks that FILE can be written.
base::Result<void> append_step_outputs(const std::filesystem::path& file, const StepOutputs& outputs);

}  // namespace torchgate::workflow
