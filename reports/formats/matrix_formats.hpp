// SPDX-License-Identifier: Apache-2.0
// A matrix of versions in its formats.
#pragma once

#include <string>

#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "reports/matrix.hpp"

namespace torchgate::reports {

/// Without --verbose only the cases that changed in a column.
std::string matrix_text(const Matrix& matrix, const TerminalOptions& options);
std::string matrix_markdown(const Matrix& matrix, const MarkdownOptions& options);
/// One page without a script, with all cases up to 1,000.
std::string matrix_html(const Matrix& matrix);
/// torchgate.matrix/1
std::string matrix_json(const Matrix& matrix);

}  // namespace torchgate::reports
