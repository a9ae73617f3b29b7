// SPDX-License-Identifier: Apache-2.0
// Which stored runs are the baseline of a commit.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct SelectRequest {
  std::string host_key;  ///< of the run to be judged
  std::string run_id;    ///< of the run to be judged, which is never its own baseline; "" when there is none
  std::vector<std::string> commits;  ///< full hashes: the commit wanted (HEAD^1 of a merge, else the merge base), then
                                     ///< its ancestors, nearest first
  std::vector<std::string> accepted_changes;  ///< the pool goes back to the first of these and takes it in, not past it
  std::chrono::system_clock::time_point now = std::chrono::system_clock::now();  ///< runs from later on are left out
  bool shallow = false;           ///< the clone hides older history: nothing found is then an error, not an answer
  std::size_t earlier_runs = 10;  ///< pooled with the nearest one (statistics.md 1.1: the last 10 runs)
};

struct Selection {
  std::vector<record::Run> runs;  ///< [0] is the nearest: the one to confirm against; then the pool, nearest first
  std::string wanted;             ///< the commit that was asked for
  std::string commit;             ///< the commit of runs[0]
  bool substituted = false;       ///< commit != wanted
  std::string sentence;           ///< for the report: which run, of which commit, instead of which, pooled with what
  std::vector<std::string> warnings;  ///< records left out: they cannot be read, or are from the future
};

/// The runs of the wanted commit on that host, else of its nearest ancestor that has any, pooled with up to
/// `earlier_runs` earlier ones along `commits`. Runs of modified trees, interrupted or paired ones never count.
/// no_verdict: nothing stored, only other hosts' runs (names theirs and ours), or none of these commits; each says what
/// to do. bad_input: none of these commits, but the clone is shallow, so that a deeper one might show it; or no
/// commits.
base::Result<Selection> select_baseline(const Store& store, const SelectRequest& request);

}  // namespace torchgate::baselines
