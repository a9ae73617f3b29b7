// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/exit_code.hpp"

#include <fmt/format.h>

#include <array>

namespace torchgate::cli {
namespace {

constexpr std::array rows_of_codes{
    ExitCodeRow{ExitCode::ok, "no regression", "", "Continue."},
    ExitCodeRow{
        ExitCode::failed, "a failure under the policy", "",
        "Read the findings with \"action\": \"fail\". Change the code and call again; accepting a slow-down is a "
        "person's decision (torchgate accept)."},
    ExitCodeRow{
        ExitCode::error, "usage, bad input, internal error", "",
        "Read the line on standard error that begins with \"torchgate:\" and change the call: the same call fails "
        "again."},
    ExitCodeRow{ExitCode::no_verdict, "no verdict possible",
                "no baseline, another host, missing shards, a stopped run, nothing to compare, fewer than half of the "
                "cases decided",
                "Not a pass and not a failure. Provide what \"headline\" and \"doubts\" name as missing, or measure "
                "longer (--budget), then call again."},
    ExitCodeRow{ExitCode::interrupted, "interrupted", "", "Call again with --resume, where the command has it."},
};

}  // namespace

std::span<const ExitCodeRow> exit_code_rows() {
  return rows_of_codes;
}

std::string exit_codes_sentence() {
  std::string text = "Exit codes: ";
  for (const ExitCodeRow& row : rows_of_codes) {
    text += fmt::format("{}{} {}", row.code == ExitCode::ok ? "" : "; ", static_cast<int>(row.code), row.meaning);
    if (*row.examples != '\0') text += fmt::format(" ({})", row.examples);
  }
  return text + '.';
}

ExitCode exit_code(reports::Outcome outcome) {
  switch (outcome) {
    case reports::Outcome::pass:
      return ExitCode::ok;
    case reports::Outcome::fail:
      return ExitCode::failed;
    case reports::Outcome::no_verdict:
      return ExitCode::no_verdict;
  }
  return ExitCode::error;
}

ExitCode exit_code(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::no_verdict:
      return ExitCode::no_verdict;
    case base::ErrorCode::interrupted:
      return ExitCode::interrupted;
    case base::ErrorCode::bad_input:
    case base::ErrorCode::not_found:
    case base::ErrorCode::io:
    case base::ErrorCode::internal:
      return ExitCode::error;
  }
  return ExitCode::error;
}

}  // namespace torchgate::cli
