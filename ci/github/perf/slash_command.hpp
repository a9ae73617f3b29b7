// SPDX-License-Identifier: Apache-2.0
// What a comment in a pull request's thread asks for: `/perf accept CASE REASON` or `/perf rerun`, as its first line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::github {

/// A sentence or two; it becomes a line of a reviewed file and of reports.
inline constexpr std::size_t most_reason_bytes = 500;

struct SlashCommand {
  enum class Kind {
    none,    ///< the comment is about something else
    accept,  ///< case_name and reason
    rerun,
    wrong  ///< begins with /perf, and is neither; `problem` says why
  };
  Kind kind = Kind::none;
  std::string case_name;  ///< without the quotes or backticks around it, in which it may have spaces
  std::string reason;
  std::string problem;
};

/// Of the first line of BODY, which anybody may have written. What it returns is UTF-8 without line breaks, control characters and
/// invisible ones, and neither name nor reason begins with "-", so that no program takes them for an option.
SlashCommand parse_slash_command(std::string_view body);

}  // namespace torchgate::github
