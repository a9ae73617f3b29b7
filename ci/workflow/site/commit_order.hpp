// SPDX-License-Identifier: Apache-2.0
// The order of stored runs by their commits: an old commit that was measured later is not the newest state of the code.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/history/points.hpp"

namespace torchgate::workflow {

/// COMMITS: those of runs, in the order measured. Returns the runs' indices so that those on one line of first parents (of HEAD, or of a run's commit
/// if that one has more of them) are in its order, runs of one commit in the order measured. All others keep their place: git does not
/// know where they belong.
std::vector<std::size_t> order_by_commit(const std::vector<std::optional<std::string>>& commits,
                                         const git::Repository& repository);

/// RUNS, in the order measured, in that order.
std::vector<const history::RunPoints*> in_commit_order(const std::vector<const history::RunPoints*>& runs,
                                                       const git::Repository& repository);

}  // namespace torchgate::workflow
