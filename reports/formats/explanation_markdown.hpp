// SPDX-License-Identifier: Apache-2.0
// Why a case's time changed as GitHub Markdown, for an issue or a job summary.
#pragma once

#include <string>

#include "reports/explanation.hpp"
#include "reports/formats/markdown.hpp"

namespace torchgate::reports {

/// At most OPTIONS.limit_bytes bytes: whole rows are left out, and counted. Names and messages are shown and have no effect.
std::string explanation_markdown(const Explanation& explanation, const MarkdownOptions& options = {});

}  // namespace torchgate::reports
