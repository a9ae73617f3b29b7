// SPDX-License-Identifier: Apache-2.0
// The rows of `torchgate doctor` as GitHub Markdown, for an issue or a job summary.
#pragma once

#include <string>

#include "reports/formats/doctor_text.hpp"
#include "reports/formats/markdown.hpp"

namespace torchgate::reports {

/// At most OPTIONS.limit_bytes bytes: whole rows are left out, and counted. Names and messages are shown and have no effect.
std::string doctor_markdown(const DoctorReport& doctor, const MarkdownOptions& options = {});

}  // namespace torchgate::reports
