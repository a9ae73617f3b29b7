// SPDX-License-Identifier: Apache-2.0
// "params" of pytest-benchmark: what a test is called with.
#pragma once

#include <vector>

#include "harness/json/json_reader.hpp"
#include "harness/record/case.hpp"

namespace torchgate::import {

/// The next value of READER. A value that is not a parameter here (an object with an address, more than max_name_bytes) is left out, not its file: pytest
/// has its id in the name. That of a list, an object or None may be "shape0" whatever it is, so these are compact JSON here.
void read_pytest_parameters(json::JsonReader& reader, std::vector<record::Parameter>& parameters);

}  // namespace torchgate::import
