// SPDX-License-Identifier: Apache-2.0
// A pin: a name, such as that of a release, for the stored runs of one commit. `gate --since NAME` judges against them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// More than any commit has: every machine and every repetition of a release.
inline constexpr std::int64_t most_pinned_runs = 1000;
inline constexpr std::int64_t pin_limit_bytes = 64 << 10;

/// One record of a name; the newest record of a name is what it means. A pin is moved and removed by a newer record, so that
/// no file of a store ever changes.
struct Pin {
  std::string name;               ///< is_safe_folder_name()
  std::string created;            ///< UTC, ISO 8601 with milliseconds: when it was pinned or removed
  std::string commit;             ///< full hash; empty: removed
  std::vector<std::string> runs;  ///< ids, newest first; empty: removed
  std::string tool_version;       ///< of the torchgate that wrote it

  [[nodiscard]] bool removed() const { return runs.empty(); }
  bool operator==(const Pin&) const = default;
};

/// bad_input: run ID of PIN is not stored as a baseline of its commit, but as one of COMMIT (as Entry::commit).
base::Result<void> check_pinned_run(const Pin& pin, const std::string& id, const std::optional<std::string>& commit);

/// What a new record of a name needs before it.
enum class PinBefore {
  none,  ///< no pin of that name in force: a new pin
  one,   ///< a pin in force: a removal
  any    ///< either: a pin that may move
};

/// The pins of a store, by name. A damaged record costs its own name and no other.
struct PinList {
  std::vector<Pin> pins;             ///< in force
  std::vector<Pin> removed;          ///< the record that removed the name
  std::vector<std::string> damaged;  ///< of each name that cannot be read: what, where, what to do
};

/// bad_input: NAME cannot be that of a pin. The message says what can.
base::Result<void> check_pin_name(std::string_view name);

/// Checks that NEWEST, the newest record of NAME (absent: none), is what a new record of it needs. bad_input: a pin of that name is in force;
/// not_found: none is.
base::Result<void> check_pin_before(const std::string& name, const std::optional<Pin>& newest, PinBefore before);

/// PIN as the record after NEWEST: where its time is not later, 1 ms after that one's, since the clocks of two writers differ and a writer may
/// wait. Errors: those of check_pin_before.
base::Result<Pin> next_pin(Pin pin, const std::optional<Pin>& newest, PinBefore before);

/// Schema torchgate.pin/1. Same pin, same bytes.
std::string to_json(const Pin& pin);
/// bad_input names WHERE, the place and what was expected there.
base::Result<Pin> pin_from_json(std::string_view text, const std::string& where);

}  // namespace torchgate::baselines
