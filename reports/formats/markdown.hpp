// SPDX-License-Identifier: Apache-2.0
// The report for a pull-request comment or a job summary on GitHub: GitHub-flavoured Markdown, worst first.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

struct MarkdownOptions {
  /// GitHub's API promises 65,536 characters for a comment; the rest is for the marker of the poster.
  std::size_t limit_bytes = 60000;
};

/// At most limit_bytes bytes of UTF-8, never cut inside a row: what does not fit is left out, least important first, and
/// counted. Names and messages in the report are shown, but cannot format, link, mention or comment anything.
std::string render_markdown(const Report& report, const MarkdownOptions& options = {});

}  // namespace torchgate::reports
