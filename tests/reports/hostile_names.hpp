// SPDX-License-Identifier: Apache-2.0
// Names and messages that mean something to one of the formats, to a terminal, to GitHub or to a browser.
#pragma once

#include <string>
#include <vector>

namespace torchgate::reports::models {

/// Each is the beginning, the middle or the whole of a name; the last one has 10,000 characters.
const std::vector<std::string>& hostile_names_corpus();

}  // namespace torchgate::reports::models
