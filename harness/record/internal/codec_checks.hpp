// SPDX-License-Identifier: Apache-2.0
// The doctor's rows on disk.
#pragma once

#include <string_view>

#include "harness/json/json_reader.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/record/machine_check.hpp"

namespace torchgate::record::internal {

/// Nothing at all for an empty list: a run that nobody examined looks as runs always did.
void write_checks(json::JsonWriter& json, std::string_view key, const MachineChecks& checks);

/// A name may stand once in a list.
MachineChecks read_checks(json::JsonReader& reader);

}  // namespace torchgate::record::internal
