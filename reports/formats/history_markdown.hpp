// SPDX-License-Identifier: Apache-2.0
// The history of a case as GitHub Markdown, for an issue or a job summary.
#pragma once

#include <string>

#include "reports/formats/markdown.hpp"
#include "reports/history.hpp"

namespace torchgate::reports {

/// At most OPTIONS.limit_bytes bytes: whole rows are left out, and counted. Names and messages are shown and have no effect.
std::string history_markdown(const History& history, const MarkdownOptions& options = {});

}  // namespace torchgate::reports
