// SPDX-License-Identifier: Apache-2.0
// What the nearest stored run lacks and an older one has: pairs with the nearest run's binaries do not compare it with the older one.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Suites of which some process of RUN ended well.
std::set<std::string> measured_suites(const record::Run& run);

/// Suites that the nearest of the STORED runs (nearest first) did not measure, each with the id of the nearest run that did.
std::map<std::string, std::string> suites_only_in_older(const std::vector<record::Run>& stored);

struct OlderRun {
  const record::Run* run = nullptr;  ///< one of `stored`
  std::vector<std::string> cases;
};

/// Cases of PAIRS that the nearest of the STORED runs has no usable numbers of (they failed there, or a filter left them out), with the nearest run that has them, measured as in
/// CURRENT, the after side of PAIRS. Not those that the nearest run's smaller profile leaves out.
std::vector<OlderRun> cases_only_in_older(const std::vector<record::Run>& stored, const record::Run& current,
                                          const record::Run& pairs);

}  // namespace torchgate::workflow
