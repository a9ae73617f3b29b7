// SPDX-License-Identifier: Apache-2.0
// Why stored runs of other host keys are not compared with runs made here: another machine, or another thread count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// For each other host key among ENTRIES (oldest first): how the machine of its newest run differs from HERE, as
/// 'threads is "OMP_NUM_THREADS=4" there and "OMP_NUM_THREADS=1" here'.
std::map<std::string, std::string> other_hosts(const baselines::Store& store,
                                               const std::vector<baselines::Entry>& entries,
                                               const record::Machine& here);

}  // namespace torchgate::workflow
