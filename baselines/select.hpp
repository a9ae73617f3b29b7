// SPDX-License-Identifier: Apache-2.0
// Selects the stored runs that are the baseline of a commit.
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct SelectRequest {
  std::string host_key;  ///< of the run to be judged
  std::string run_id;    ///< of the run to be judged, which is never its own baseline; "" when there is none
  std::vector<std::string> commits;  ///< full hashes: the commit wanted, then its ancestors, nearest first
  std::chrono::system_clock::time_point now = std::chrono::system_clock::now();  ///< later runs are ignored
  bool shallow = false;  ///< older history is missing in the clone: finding nothing is then an error
  bool another_host =
      false;  ///< `host_key` has no usable run: take one of another host, for pairs, which need no times
  std::vector<std::string> planned;  ///< ids, nearest first: exactly these runs, as a screen chose them before; others
                                     ///< are passed over. Empty: the nearest ones
  std::size_t earlier_runs = 10;  ///< pooled with the nearest one (the noise of a machine changes: only the last ones)
  bool has_cuda_cases = false;    ///< of the run to be judged: runs of its device come before those of another one
  std::optional<std::string> device_key = {};  ///< of the run to be judged; absent: unknown
  /// So many of `commits` are the line of the branch. The others, of branches that were merged into it, are searched if no run of the line is usable.
  std::size_t line = std::numeric_limits<std::size_t>::max();
  bool begins_with_own = false;  ///< commits[0] is that of the run to be judged, whose code is not modified
};

struct PassedOver {
  std::string id;
  std::string created;
};

struct NearerRun {
  std::string id;
  std::string host_key;
  std::string commit;
  std::size_t commits_nearer = 0;
};

struct Selection {
  std::vector<record::Run> runs;      ///< [0] is the nearest: the one to confirm against; then the pool, nearest first
  std::string wanted;                 ///< the requested commit
  std::string commit;                 ///< the commit of runs[0]
  bool substituted = false;           ///< commit != wanted
  bool of_merged_branch = false;      ///< commit is not of the line
  std::string sentence;               ///< for the report: the run, its commit, the requested commit, the pooled runs
  std::vector<std::string> warnings;  ///< ignored records: unreadable, or with a time in the future
  std::vector<PassedOver> passed_over;  ///< usable runs that `planned` leaves out, nearest first
  std::size_t other_devices = 0;        ///< usable runs that were passed over since their device is another one
  bool another_device = false;          ///< no run of the device was found: the times of CUDA cases are not comparable
  /// The nearest commit with an ignored record of the searched hosts, or of `host_key`; absent: none was ignored.
  std::optional<std::string> unusable;
  /// The nearest run of another host that is of a nearer commit of the line than runs[0]; absent: none, or `another_host` was asked for. Not one of the
  /// judged run's own commit.
  std::optional<NearerRun> nearer_elsewhere;
};

/// The runs of the wanted commit on that host, else of its nearest ancestor that has any, pooled with up to
/// `earlier_runs` earlier ones along `commits`; those of the line are never pooled with others. Runs of
/// modified trees, interrupted or paired ones never count. Of a run with CUDA cases those
/// of its device are taken, and runs that have none; those of another device only if there is no other run of the device.
/// Where a suite listed no cases in each of these, the newest run before them whose suites all did is one more.
/// no_verdict: nothing stored, only other hosts' runs (names both), none of these commits, not all of `planned`, or an ignored record of a nearer
/// commit: a farther baseline may be as slow as the run to be judged. Each message has a fix. bad_input: none of these commits, but the clone is shallow, so that a deeper one might have it; or
/// no commits.
base::Result<Selection> select_baseline(const Store& store, const SelectRequest& request);

}  // namespace torchgate::baselines
