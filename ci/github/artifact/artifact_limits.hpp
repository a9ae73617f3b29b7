// SPDX-License-Identifier: Apache-2.0
// Limits on the artifact of an untrusted job. A job of a pull request may write any zip file; without limits, one of 40 KB
// could fill the disk of the job that reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torchgate::github {

/// Of the zip file, which is read into memory as a whole. A run of 1,000 cases with 30 samples each has 0.6 MiB in it.
inline constexpr std::int64_t max_artifact_bytes = std::int64_t{64} << 20U;

/// Files of an artifact: 50 shards with run, samples and plans, and the commit. A reader of 100,000 entries would open as many
/// files.
inline constexpr std::uint64_t max_artifact_entries = 200;

/// Of all files together once inflated, as declared by the zip file; no file inflates to more than it declares. As much as the
/// zip file itself, so that what was stored without compression is not refused; that run has 1.6 MiB.
inline constexpr std::uint64_t max_inflated_bytes = std::uint64_t{64} << 20U;

/// Inflated bytes per compressed byte of each file, and so of all together. Deflate reaches 1,032 with a single repeated byte;
/// records and samples reach 2 to 4.
inline constexpr std::uint64_t max_inflation_ratio = 100;

/// Of the name of a JSON file, without `.json`: longer than any name that torchgate writes, and short in messages.
inline constexpr std::size_t max_artifact_stem_bytes = 61;

}  // namespace torchgate::github
