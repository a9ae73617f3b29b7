// SPDX-License-Identifier: Apache-2.0
// The numbers of each run that was read, as JSON lines: a head, then a line for each run, behind those for its cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ci/history/points.hpp"

namespace torchgate::workflow {

/// Same runs, same bytes.
std::string site_cache_text(const std::vector<history::RunPoints>& runs);

/// TEXT, which runs_of_site_cache() can read, with RUNS behind its own.
std::string extended_site_cache(std::string text, const std::vector<history::RunPoints>& runs);

/// What of TEXT can be read: all of it, or nothing where it is not such a text. Stored runs never change, so nothing is lost: they are read
/// again.
std::vector<history::RunPoints> runs_of_site_cache(std::string_view text);

}  // namespace torchgate::workflow
