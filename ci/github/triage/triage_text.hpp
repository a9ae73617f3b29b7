// SPDX-License-Identifier: Apache-2.0
// What the issue of a cause says. Pure functions; names, reasons and commits are escaped, and the only login that is mentioned is the owner in
// the reviewed triage file.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "ci/github/triage/triage_cause.hpp"
#include "ci/policy/triage_file.hpp"

namespace torchgate::github {

/// "Performance: 3 cases slower since 1a2b3c4d5e6f"
std::string issue_title(const Cause& cause);

/// Markdown, with the data of the cause as its last line. At most MOST_BYTES; the slowest cases are shown, the others counted.
/// ENTRY: of the triage file, nullptr if it has none.
std::string issue_text(const Cause& cause, const policy::TriageEntry* entry, std::chrono::year_month_day today,
                       std::size_t most_bytes);

/// Comments on it.
std::string repaired_comment(const Cause& cause);
std::string explained_comment(const std::string& earlier_commit);
std::string overdue_comment(const policy::TriageEntry& entry);
std::string decided_comment(const policy::TriageEntry& entry);

/// A regular expression (RE2) for `ab --filter` that matches the cases of the issue, and others where their names are too long for an expression.
/// Printable ASCII without spaces, quotes and backticks, so that it can be part of a command line.
std::string case_filter(const Cause& cause);

/// The pairs that show whether a cause is repaired: `torchgate ab --before ...`, for a shell; AFTER is a commit or HEAD.
std::string pairs_command(const Cause& cause, const std::string& after);

}  // namespace torchgate::github
