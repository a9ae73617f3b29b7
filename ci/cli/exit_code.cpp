// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/exit_code.hpp"

namespace torchgate::cli {

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

ExitCode exit_code(record::ErrorCode code) {
  switch (code) {
    case record::ErrorCode::no_verdict:
      return ExitCode::no_verdict;
    case record::ErrorCode::interrupted:
      return ExitCode::interrupted;
    case record::ErrorCode::bad_input:
    case record::ErrorCode::not_found:
    case record::ErrorCode::io:
    case record::ErrorCode::internal:
      return ExitCode::error;
  }
  return ExitCode::error;
}

}  // namespace torchgate::cli
