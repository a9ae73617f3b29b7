// SPDX-License-Identifier: Apache-2.0
// The doctor's rows on disk.
#pragma once

#include <string_view>

#include "harness/json/json_reader.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/record/machine_check.hpp"

namespace torchgate::record::internal {

/// Writes nothing for an empty list: a run without checks has no such key.
void write_checks(json::JsonWriter& json, std::string_view key, const MachineChecks& checks);

/// Names in a list are unique.
MachineChecks read_checks(json::JsonReader& reader);

}  // namespace torchgate::record::internal
