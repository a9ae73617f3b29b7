// SPDX-License-Identifier: Apache-2.0
// Where a program is, as a shell would find it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace torchgate::process {

/// The first executable file of that name in the folders of PATH. Relative folders are left out: they would mean another program in every
/// working directory.
std::optional<std::filesystem::path> in_path(const std::string& program);

}  // namespace torchgate::process
