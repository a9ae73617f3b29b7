// SPDX-License-Identifier: Apache-2.0
// Where a call's time goes: self time of every operator it dispatches.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/record/profile.hpp"

namespace torchgate::bench {

/// Makes `calls` calls (at least one) with LibTorch's operator callbacks enabled. Only one call at a time. The time of
/// the callbacks is subtracted from the self time of the operators around them; the remaining overhead (about 50 ns per
/// operator) is the same for two builds. Host time: an operator that queues work on a GPU has the time of the queueing.
/// Autograd's nodes ("AddmmBackward0") are operators, too.
record::OperatorProfile profile_operators(const std::function<void()>& call, std::int64_t calls);

}  // namespace torchgate::bench
