// SPDX-License-Identifier: Apache-2.0
// Small valid runs for the tests of this folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"

namespace torchgate::baselines::testing {

inline const std::string host = "x86_64-test-2cpu-00000001";
inline const std::string other_host = "x86_64-other-8cpu-00000002";

/// A full hash that starts with DIGITS: commit("aa1") = "aa100000...".
std::string commit(std::string_view digits);

/// A run id from a number: id(7) = "0000000000000007".
std::string id(unsigned number);

/// One suite, one group, one case, one process with three samples of one timed metric, of a clean tree. `created` is
/// NUMBER seconds after midnight of 2026-11-20, so later numbers are later runs.
record::Run sample_run(unsigned number, const std::string& of_commit = commit("c0ffee"));

void write(const std::filesystem::path& path, std::string_view content);
std::string read(const std::filesystem::path& path);

}  // namespace torchgate::baselines::testing
