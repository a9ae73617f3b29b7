// SPDX-License-Identifier: Apache-2.0
// When a group counts as failing: the launcher starts it no more, and the gate fails it.
#pragma once

#include <cstdint>

namespace torchgate::record {

/// After this number of crashes or time-outs of a group on one side its remaining processes are not started: the
/// result is known, and three more time-outs would cost half an hour.
inline constexpr std::int64_t failures_before_giving_up = 2;

}  // namespace torchgate::record
