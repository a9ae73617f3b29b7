// SPDX-License-Identifier: Apache-2.0
// What no measurement of a call is below.
#pragma once

namespace torchgate::record {

/// One clock cycle at 5 GHz: a call that takes less does nothing.
inline constexpr double cycle_ns = 0.2;

}  // namespace torchgate::record
