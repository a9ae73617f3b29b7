// SPDX-License-Identifier: Apache-2.0
// Histories of a case as the gate fills them, for the tests of their formats.
#pragma once

#include "reports/history.hpp"

namespace torchgate::reports::models {

/// 44 runs: slower from the 15th on, faster again from the 31st; an outlier, watch states, notes.
History two_changes();
/// Five runs, too few.
History too_few_runs();
/// Ten quiet runs of a throughput, higher is better, corrected for drift.
History quiet_throughput();
/// Names and messages that try to be markup, escapes and line breaks.
History hostile_history();

}  // namespace torchgate::reports::models
