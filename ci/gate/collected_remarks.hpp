// SPDX-License-Identifier: Apache-2.0
// What a report says about the runs and files that a stored comparison was collected from.
#pragma once

#include "ci/gate/judged.hpp"
#include "ci/gate/screened.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Notes and doubts: suites and cases that are gone, older runs that were asked, files that are copies or cut off, cases that --common left out.
void add_collected_remarks(const Screened& collected, const record::Run& current, Remarks& remarks);

}  // namespace torchgate::gate
