// SPDX-License-Identifier: Apache-2.0
// Files of other tools whose measurements stand on both sides: named twice, copied, or left by an earlier run.
#pragma once

#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// The files of AFTER whose measurements are those of a file of BEFORE, in every case and to the last bit: "a2.json", or "a2.json (b2.json)"
/// where they have two names. Values of a few digits without a date may be equal by chance, and are none. A stored run does not name its files: then
/// its processes are looked at one by one. Empty: there are none, or a run is not imported.
std::vector<std::string> files_on_both_sides(const record::Run& before, const record::Run& after);

/// Those that are not certain, by their names: several files of a side have these measurements. Copies, or files that differ only in what is not
/// imported.
std::vector<std::string> files_with_same_numbers(const record::Run& before, const record::Run& after);

}  // namespace torchgate::gate
