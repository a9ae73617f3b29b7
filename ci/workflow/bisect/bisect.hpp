// SPDX-License-Identifier: Apache-2.0
// Which commit made cases slower: `git bisect` chooses the commits, interleaved pairs with both ends place each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/bisect/bisect_answer.hpp"
#include "ci/workflow/bisect/bisect_state.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// As a user asks. CASES: full names, or regular expressions (RE2) that are searched in names.
struct BisectChoice {
  std::string good;
  std::string bad;
  std::string build;
  std::vector<std::string> suites;  ///< relative to a work tree; empty: run.suites
  std::vector<std::string> cases;
  bool first_parent = false;
  std::string profile = "default";
  std::int64_t most_pairs = 24;
  std::optional<std::int64_t> warmup_calls = {};  ///< as of Effort
  std::optional<std::int64_t> samples = {};
};

/// Searches from the beginning. A state that an earlier bisection left is kept as previous.json.
///
/// 1. Both ends are built and measured in pairs until they are decided, as `ab` would: only cases that are slower are searched for.
/// 2. Each commit that git chooses is built and measured in pairs with the good end, until it is clear to which side of the change it belongs
///    (stats/side_of_change.hpp), and with the bad end where that is not enough. A build that is the same as a judged one is not
///    measured; one that fails is skipped, as by `git bisect run`.
/// 3. Where cases disagree about a commit, the larger part continues, and the others are searched for afterwards.
/// 4. The commit found is measured against its parent in full pairs.
///
/// Commits are built in work trees below .torchgate; the checkout is not touched. Errors: bad_input (a name, the history between the ends, a
/// case that the good end does not have, a good end that is slower, a failing build of an end), io (no space left), interrupted: what was
/// found out is kept for resume_bisection().
base::Result<BisectResult> bisect(const BisectChoice& choice, const policy::Policy& policy, Narrator& narrator);

/// Continues the bisection of .torchgate/bisect. bad_input: there is none, or it is finished.
base::Result<BisectResult> resume_bisection(const policy::Policy& policy, Narrator& narrator);

}  // namespace torchgate::workflow
