// SPDX-License-Identifier: Apache-2.0
// The report as JUnit XML, as Jenkins, GitLab and most test viewers read it (the fields that Ant's JUnit task writes, and that pytest
// and Surefire share): a suite is a testsuite, a case a testcase with all its metrics.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// A case is a failure if the policy fails it for its speed, counts or claims, an error if it crashed, is wrong, missing or not comparable, skipped if
/// it could not run, else passed; `time` is the primary time of the new side in seconds, absent where it is unknown. What was found is
/// in the message, and for cases that pass with a remark in system-out.
std::string render_junit(const Report& report);

}  // namespace torchgate::reports
