// SPDX-License-Identifier: Apache-2.0
// Formats the duration of a step.
#pragma once

#include <chrono>
#include <string>

namespace torchgate::workflow {

/// "3 min 20 s", "45 s": whole seconds, rounded up.
std::string duration_text(std::chrono::duration<double> duration);

}  // namespace torchgate::workflow
