// SPDX-License-Identifier: Apache-2.0
// The benchmarks of one imported process while its file is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Takes benchmarks in the order of the file. Two of one name are two benchmarks: the second becomes "NAME#2", because
/// nothing says that their values are of the same thing.
class CaseList {
 public:
  /// An empty text, or why it was not added (a sentence): it has no name, its name is too long, or there are too many.
  std::string add(ImportedCase added);

  [[nodiscard]] bool empty() const { return cases_.empty(); }

  /// Into PROCESS, sorted by name, with warnings about duplicate names and unused samples.
  void move_to(ImportedProcess& process);

 private:
  std::vector<ImportedCase> cases_;
  std::unordered_map<std::string, std::int64_t> uses_;
  std::size_t renamed_ = 0;
  std::string first_renamed_;
};

/// Adds a warning unless there are already more than a run keeps: a hostile file may cause one per line.
void add_warning(std::vector<std::string>& warnings, std::string warning);

/// Of a file WHERE whose last line is a result of benchmark NAME and does not end: it may be cut in its last value, or an editor stripped the line break.
std::string no_last_line_break(std::string_view where, std::string_view name);

/// "WHERE: WHAT" as bad_input.
base::Error bad_file(std::string_view where, std::string_view what);

}  // namespace torchgate::import
