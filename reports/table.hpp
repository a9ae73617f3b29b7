// SPDX-License-Identifier: Apache-2.0
// A table of a report before it has a format: a name in the first column, short texts in the others.
#pragma once

#include <string>
#include <vector>

namespace torchgate::reports {

struct Table {
  std::string title;                           ///< trusted
  std::vector<std::string> columns;            ///< names; untrusted
  std::vector<std::vector<std::string>> rows;  ///< a cell for each column; untrusted
  std::vector<std::string> notes;              ///< sentences below it; trusted
};

}  // namespace torchgate::reports
