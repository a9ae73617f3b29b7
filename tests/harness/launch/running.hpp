// SPDX-License-Identifier: Apache-2.0
// What the tests of this folder share: the fake suite, and functions that look at processes from outside.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/launch/launcher.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch::testing {

/// `/bin/sh -c SCRIPT` with a limit that no healthy machine reaches.
process::Command shell(const std::string& script);

/// A run of one side with the fake suite's GROUPS ("ok,crash"): one process per group, no machine-wide lock.
Request fake_request(const std::string& groups);

/// The same in pairs of two equal sides, "before" and "after".
Request in_pairs(Request request);

/// What was measured; a failure of the test when it was not, or when the record cannot be written and read again.
record::Run run(const Request& request);

/// Exists and is not a zombie.
bool is_running(pid_t pid);
/// Waits until CONDITION holds; false when it did not within a generous time.
bool eventually(const std::function<bool()>& condition);
/// Direct children of this process, zombies included.
std::vector<pid_t> children();
std::size_t open_descriptors();
std::string read_text(const std::filesystem::path& file);

}  // namespace torchgate::launch::testing
