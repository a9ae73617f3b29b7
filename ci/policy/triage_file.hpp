// SPDX-License-Identifier: Apache-2.0
// What people decided about regressions on the default branch: a reviewed file, torchgate-triage.toml. The states are those of
// Mozilla's performance sheriffs (https://wiki.mozilla.org/TestEngineering/Performance/Sheriffing):
//
//   [[cause]]
//   commit = "1a2b3c4d5e6f"   # at which the cases moved, as in the title of the issue
//   state = "investigating"   # acknowledged, investigating, fixed, accepted, invalid
//   owner = "login"           # on GitHub
//   due = 2027-01-31          # with acknowledged and investigating
//   reason = "..."            # with accepted and invalid
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::policy {

/// The nearest from the working directory upwards to the root of its repository. Only this one may be missing.
inline constexpr const char* default_triage_file = "torchgate-triage.toml";

enum class TriageState {
  acknowledged,   ///< confirmed, work has not begun
  investigating,  ///< being worked on
  fixed,          ///< said to be repaired: closed when pairs confirm it
  accepted,       ///< intended, or worth it: closed
  invalid         ///< not a regression: closed
};

const char* to_string(TriageState state);

struct TriageEntry {
  std::string commit;  ///< 12 to 64 hexadecimal digits, lower case
  TriageState state = TriageState::acknowledged;
  std::string owner;                               ///< a GitHub login
  std::optional<std::chrono::year_month_day> due;  ///< the last day, UTC
  std::string reason;
  std::string place;  ///< "torchgate-triage.toml:12"

  bool operator==(const TriageEntry&) const = default;

  /// Whether it is about this commit (full hash).
  [[nodiscard]] bool is_about(std::string_view full_commit) const { return full_commit.starts_with(commit); }
  /// The issue is closed, whatever pairs say.
  [[nodiscard]] bool closes() const { return state == TriageState::accepted || state == TriageState::invalid; }
  /// Open, and its last day is past.
  [[nodiscard]] bool is_overdue(std::chrono::year_month_day today) const { return !closes() && due && today > *due; }
};

/// All entries of a file, in its order; FILE is named in messages. bad_input, with line and fix: a key or state is unknown, a key is
/// missing, an owner is not a login, two tables are about the same commit.
base::Result<std::vector<TriageEntry>> parse_triage(std::string_view text, const std::filesystem::path& file);

}  // namespace torchgate::policy
