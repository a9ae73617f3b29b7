// SPDX-License-Identifier: Apache-2.0
// The sections of a Markdown report about another LibTorch.
#pragma once

#include <vector>

#include "reports/fit.hpp"
#include "reports/upgrade.hpp"

namespace torchgate::reports {

/// What it comes to, the table by suite, and folded: by operator, results that changed, the build of LibTorch.
std::vector<Section> markdown_upgrade(const Upgrade& upgrade);

}  // namespace torchgate::reports
