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
/// "no such file: /proc/pressure/cpu". These files report no size, so they are read to their end, at most 4 MiB.
base::Result<std::string> read_system_file(const std::filesystem::path& root, const std::string& path);

std::vector<std::string_view> lines(std::string_view text);
std::vector<std::string_view> words(std::string_view text);

/// TEXT as a number; absent if any part of it is not.
std::optional<std::int64_t> to_integer(std::string_view text);
std::optional<double> to_real(std::string_view text);

/// The same for counters of the kernel: from 0 to 2^50, so that a sum of a thousand of them, or one multiplied by a
/// thousand, does not overflow.
std::optional<std::int64_t> to_count(std::string_view text);

}  // namespace torchgate::machine
