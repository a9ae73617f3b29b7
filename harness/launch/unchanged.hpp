// SPDX-License-Identifier: Apache-2.0
// Groups that need not be measured, because everything that their processes ran and read in an earlier run still has the same
// content.
#pragma once

#include "harness/launch/object_hashes.hpp"
#include "harness/launch/request.hpp"
#include "harness/launch/survey.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// Removes from FOUND what is to run the groups that are unchanged since request.unchanged_since, and records them in
/// RUN.unchanged with the evidence; when a run is resumed, those that it had recorded. A group is unchanged if
///  - the earlier run measured the same cases of it, all processes ended well, and the suite reported what each of them read;
///  - executable and libraries have the same content: those that the suite has loaded when it lists its cases, as it reports
///    them, and those opened later at the path where the earlier run found them;
///  - files that it read have the same content, and missing files that it looked for are still missing; variables that it
///    looked up have the same value;
///  - profile, environment of the processes, version of torchgate and the machine's facts (kernel, microcode, driver, variables
///    that libraries read) are the same.
/// What is not known is measured. OBSERVER is told how many groups are unchanged, and why the others are measured.
void leave_out_unchanged(const Request& request, Survey& found, record::Run& run, ObjectHashes& hashes,
                         Observer& observer);

}  // namespace torchgate::launch
