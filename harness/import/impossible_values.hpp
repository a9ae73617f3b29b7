// SPDX-License-Identifier: Apache-2.0
// Values that nothing measures: a negative time per token, -128 B/op. As fewer is better, they would count as a large improvement.
#pragma once

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Removes metrics with a negative value where none can be negative: what the tool itself defines, and units of the table (units.hpp). A warning names
/// the first of each; a case that has nothing else has failed. Of a unit that says nothing ("bytes", a balance), and of bytes per call other than Go's, negative values stay.
/// REQUIRES: settle_directions().
void remove_impossible_values(ImportedProcess& process);

}  // namespace torchgate::import
