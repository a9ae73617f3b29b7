// SPDX-License-Identifier: Apache-2.0
// The numbers of stored runs, of which a file keeps those that were read before: stored runs never change, and reading one takes
// milliseconds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "ci/history/points.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

class StoredPoints {
 public:
  /// FILE: see site_cache.hpp. A missing or damaged one: all runs are read.
  StoredPoints(const baselines::Store& store, std::filesystem::path file);

  /// Of the run of ENTRY; asked for once. Errors as of Store::load.
  base::Result<history::RunPoints> take(const baselines::Entry& entry);
  /// Of the runs taken, those that the file did not know.
  [[nodiscard]] std::size_t runs_read() const { return read_.size(); }
  /// Keeps RUNS, which are those taken, in this order.
  [[nodiscard]] base::Result<void> keep(const std::vector<history::RunPoints>& runs) const;

 private:
  const baselines::Store& store_;
  std::filesystem::path file_;
  std::string text_;  // of the file; empty: it cannot be read
  std::map<std::string, history::RunPoints> known_;
  std::set<std::string> read_;  // ids
};

}  // namespace torchgate::workflow
