// SPDX-License-Identifier: Apache-2.0
// The steps of a bisection between two ends that are built and measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/bisection.hpp"
#include "ci/workflow/bisect/bisect_state.hpp"
#include "ci/workflow/bisect/commit_bench.hpp"

namespace torchgate::workflow {

/// Where the search for some cases ended.
struct SearchEnd {
  std::vector<std::string> cases;
  std::string commit;                   ///< the first that is slower; empty: not known
  std::vector<std::string> candidates;  ///< then each of these may be it
};

/// Of what can be done about an error: the state is kept, and the bisection can continue. Other errors are of one commit.
bool ends_the_search(base::ErrorCode code);

class BisectSearch {
 public:
  /// All must outlive it. STATE is written after each commit.
  BisectSearch(const git::Repository& repository, CommitBench& bench, BisectState& state, Narrator& narrator)
      : repository_(repository), bench_(bench), state_(state), narrator_(narrator) {}

  /// For all cases of the state. An error leaves the state as it was written last.
  base::Result<std::vector<SearchEnd>> run();

 private:
  base::Result<SearchEnd> search(std::vector<std::string> cases);
  /// Marks the commit for the largest part of CASES that agrees about it; CASES are these then, and the others wait.
  base::Result<git::BisectMark> mark_for(const std::string& commit, std::vector<std::string>& cases);
  base::Result<void> judge(const std::string& commit, const std::vector<std::string>& cases);
  base::Result<void> place(JudgedCommit& judged, const std::vector<ChangedCase>& open);
  [[nodiscard]] std::optional<stats::SideOfChange> known_side(const std::string& commit, const std::string& name) const;
  [[nodiscard]] std::vector<ChangedCase> not_judged(const std::string& commit,
                                                    const std::vector<std::string>& cases) const;
  base::Result<void> keep(JudgedCommit judged, std::chrono::steady_clock::time_point since);
  void announce(const git::BisectAnswer& now);

  const git::Repository& repository_;
  CommitBench& bench_;
  BisectState& state_;
  Narrator& narrator_;
  std::deque<std::vector<std::string>> waiting_;
};

}  // namespace torchgate::workflow
