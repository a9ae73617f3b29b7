// SPDX-License-Identifier: Apache-2.0
// Where the program prints: results to out, everything else to err. Nothing outside ci/cli prints. Both are made inert in
// main (inert_stream.hpp), so what is printed needs no escaping but for line breaks.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "ci/cli/exit_code.hpp"
#include "harness/base/result.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool color = false;   ///< --color, or by default: out is a terminal that has colours, and NO_COLOR is not set
  bool unicode = true;  ///< the locale says UTF-8, or there is no terminal
  std::size_t width = 100;

  /// "torchgate: message" on err; the exit code of its kind.
  [[nodiscard]] ExitCode fail(const base::Error& error) const {
    err << "torchgate: " << reports::one_line(error.message) << '\n';
    return exit_code(error.code);
  }

  /// "warning: message" on err.
  void warn(const std::string& message) const { err << "warning: " << reports::one_line(message) << '\n'; }
};

}  // namespace torchgate::cli
