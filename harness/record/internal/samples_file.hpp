// SPDX-License-Identifier: Apache-2.0
// The raw samples of a run as one binary file (schema torchgate.samples/1; layout: README.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record::internal {

/// PATH's folder/<sha256>.samples.
std::filesystem::path samples_path(const std::filesystem::path& record_path, const std::string& sha256);

/// How many raw samples the run holds in memory.
std::size_t count_samples(const Run& run);

/// The bytes of the file: same run, same bytes.
std::string encode_samples(const Run& run);

/// Fills Measurement::samples. Everything is checked first; on an error RUN is unchanged.
base::Result<void> decode_samples(std::string_view bytes, const std::string& where, Run& run);

}  // namespace torchgate::record::internal
