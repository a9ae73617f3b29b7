// SPDX-License-Identifier: Apache-2.0
// The after side of pairs that no run came before, as the run that would have been made.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// What the after side has by its own account: pairs list the cases of both sides together.
struct ListedAfter {
  std::vector<std::string> suites;
  std::vector<record::Case> cases;  ///< with the reason where one cannot run here
};

/// The processes of the after side of PAIRS, with the cases of LISTED: a run of one side, with the id of the pairs.
record::Run after_side(const record::Run& pairs, const ListedAfter& listed);

}  // namespace torchgate::gate
