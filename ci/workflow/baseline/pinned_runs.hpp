// SPDX-License-Identifier: Apache-2.0
// Pins of a store: which runs a new one names, and which run of a pin the change since it is measured from.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct PinRequest {
  std::string name;
  std::optional<std::string> run;     ///< id of a stored run; absent: all stored runs of the commit
  std::optional<std::string> commit;  ///< any name of it for git; absent: HEAD
  bool move = false;                  ///< an existing pin of that name may change
  std::chrono::system_clock::time_point now = std::chrono::system_clock::now();
};

/// Adds the pin to STORE. bad_input: an existing name without `move`, an invalid name, or a run that is not the baseline of a commit;
/// no_verdict: the commit has no stored run; not_found: no such run or commit.
base::Result<baselines::Pin> add_pin(baselines::Store& store, const PinRequest& request);

/// Removes the pin NAME. not_found: there is none (names those there are).
base::Result<void> remove_pin(baselines::Store& store, const std::string& name,
                              std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

struct PinnedRun {
  baselines::Pin pin;
  record::Run run;
  std::vector<std::string> notes;  ///< which of several runs it is, and the cases of CURRENT that only the others have
};

/// The pin NAME, and of its runs on the host of CURRENT (without any, of the stored baselines of its commit there) the one to compare: of
/// CURRENT's profile, then with the most of CURRENT's cases, then the newest. A run that shares no case comes last.
/// not_found: no such pin (names those there are); no_verdict: none of its runs is of that host.
base::Result<PinnedRun> pinned_run(const baselines::Store& store, const std::string& name, const record::Run& current);

}  // namespace torchgate::workflow
