// SPDX-License-Identifier: Apache-2.0
// `torchgate explain` as text and as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "reports/explanation.hpp"
#include "reports/format.hpp"

namespace torchgate::reports {

/// Causes first, then the operators that changed (all of them with `verbose`), counters, processes and the machine.
std::string explanation_text(const Explanation& explanation, Notation notation, std::size_t width, bool verbose);

/// Schema torchgate.explanation/1. Everything the model holds; times in ns.
std::string explanation_json(const Explanation& explanation);

}  // namespace torchgate::reports
