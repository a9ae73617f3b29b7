// SPDX-License-Identifier: Apache-2.0
// Which names a file of an artifact may have. The list is of what torchgate writes and reads in CI: nothing that a shell, git
// or a loader would find by its name, and nothing with a folder in it.
#pragma once

#include <string_view>

namespace torchgate::github {

/// Runs, plans and reports (`[a-z0-9][a-z0-9_-]{0,60}.json`), raw samples (64 hexadecimal digits and `.samples`), and `commit`,
/// which has the hash of the measured commit. There are no capital letters, so two names never differ only in case.
bool is_artifact_name(std::string_view name);

/// The rule, for messages.
inline constexpr std::string_view artifact_names = "NAME.json (a-z, 0-9, _ and -), SHA256.samples or commit";

}  // namespace torchgate::github
