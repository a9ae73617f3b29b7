// SPDX-License-Identifier: Apache-2.0
// The small text files of /proc and /sys, below a root that tests can choose.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::machine {

/// The text of ROOT + PATH (PATH as on a real machine: "/proc/stat") without trailing white space. Errors name PATH:
/// "no such file: /proc/pressure/cpu". These files have no size, so they are read to their end, but at most 4 MiB of
/// them.
base::Result<std::string> read_system_file(const std::filesystem::path& root, const std::string& path);

std::vector<std::string_view> lines(std::string_view text);
std::vector<std::string_view> words(std::string_view text);

/// The whole of TEXT as a number, or nothing.
std::optional<std::int64_t> to_integer(std::string_view text);
std::optional<double> to_real(std::string_view text);

/// The same for what the kernel has counted: from 0 to 2^50, so that a thousand of them, or one times a thousand, can be summed.
std::optional<std::int64_t> to_count(std::string_view text);

}  // namespace torchgate::machine
