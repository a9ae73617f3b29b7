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
