// SPDX-License-Identifier: Apache-2.0
// Copies a store into another one, of any kind: stored runs are skipped, what was copied is read again and compared.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

struct CopyReport {
  std::size_t runs_added = 0;
  std::size_t runs_already_there = 0;
  std::size_t objects_added = 0;
  std::size_t calibrations_added = 0;
  std::size_t pins_added = 0;
  std::vector<std::string>
      not_copied;  ///< one sentence each: what could not be read or stored, and why; the rest was copied
};

struct CopyOptions {
  std::filesystem::path scratch;  ///< an existing folder of the caller's own, for one object at a time
  std::function<void(std::size_t done, std::size_t of)> tell = {};  ///< after each run
  std::function<bool()> stop = {};                                  ///< asked before each run: true ends it
};

/// Copies the runs of FROM with their samples and objects, the newest calibration of each machine, and the pins that are in force. Each run after
/// its objects, oldest first, so that it may be stopped at any time and repeated. interrupted, and errors of TO that other runs would
/// have, too (io); what concerns one run, such as a damaged record, one that FROM
/// cannot read, or another run of that id, is in `not_copied`. What TO refuses by its size is not fetched. A pin that was removed in TO later
/// than FROM's record stays removed.
base::Result<CopyReport> copy_store(const Store& from, Store& to, const CopyOptions& options);

}  // namespace torchgate::baselines
