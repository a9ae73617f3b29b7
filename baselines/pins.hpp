// SPDX-License-Identifier: Apache-2.0
// The pins of a folder store: pins/<name>/<UTC time>.json, one file for each time that a name was pinned, moved or removed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baselines/pin.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// "20261121012345678.json"
std::string pin_file_name(const Pin& pin);

/// Checks that PIN is what the file NAME in the folder of pin FOLDER says. bad_input otherwise.
base::Result<void> check_pin_place(const Pin& pin, const std::string& folder, const std::string& name,
                                   const std::string& where);

/// Adds a record of PIN in the store in ROOT, whose writer lock the caller has. bad_input: its name, time or content is not that of a
/// pin, or an existing record of that name is not older.
base::Result<void> write_pin(const std::filesystem::path& root, const Pin& pin);

/// Adds PIN, as next_pin() makes it, in the same way; what was written. Errors: those of next_pin and write_pin.
base::Result<Pin> write_next_pin(const std::filesystem::path& root, const Pin& pin, PinBefore before);

/// What NAME means: its newest record; absent: no such pin, or removed. bad_input: that record is damaged or from the future; the
/// message says what to do.
base::Result<std::optional<Pin>> read_pin(const std::filesystem::path& root, const std::string& name);

/// By name: the newest records, and the names whose newest record is damaged or from the future.
base::Result<PinList> read_pins(const std::filesystem::path& root);

}  // namespace torchgate::baselines
