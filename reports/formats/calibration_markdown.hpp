// SPDX-License-Identifier: Apache-2.0
// A calibration as GitHub Markdown, for an issue or a job summary.
#pragma once

#include <string>

#include "harness/record/calibration.hpp"
#include "reports/formats/markdown.hpp"

namespace torchgate::reports {

/// At most OPTIONS.limit_bytes bytes: whole rows are left out, and counted. Names and messages are shown and have no effect.
std::string calibration_markdown(const record::Calibration& calibration, const MarkdownOptions& options = {});

}  // namespace torchgate::reports
