// SPDX-License-Identifier: Apache-2.0
// What a project has decided: thresholds, what fails the build, where runs are kept. File torchgate.toml, environment
// variables TORCHGATE_<SECTION>_<KEY>, flags; the later wins. One table (policy_keys.cpp) knows all keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/record/result.hpp"

namespace torchgate::gate {

/// What the policy makes of a verdict that does not fail by itself.
enum class Action { pass, warn, fail };

/// What an unconfirmed suspect does: `beyond` fails when its whole 1 - alpha/m interval lies beyond the gate.
enum class Unconfirmed { warn, beyond, fail };

/// Which suspects are measured again in interleaved pairs when the baseline's objects are there.
enum class Confirm { none, regressions, all };

/// Who is a suspect: every case with p < 0.05, or what Benjamini-Hochberg keeps of them at 5 %.
enum class Suspects { each, false_discovery_rate };

/// Run-to-run SD of log time where nobody calibrated the machine: what recorded sessions of a shared machine showed.
inline constexpr double assumed_run_sd = 0.01;

struct Policy {
  // [gate]
  std::string rule = "default";  ///< a name of stats::rules()
  double latency = 0.05;         ///< a confirmed regression of at least this share fails the build
  double peak_memory = 0.10;     ///< growth of peak_bytes from which `memory` applies
  Action memory = Action::warn;  ///< what such a growth does
  Action tails = Action::pass;   ///< what a P95 or P99 that regressed does; pass: tails are shown, not judged
  double margin = 0.01;          ///< smaller changes are never called regressed or improved
  double equivalence = 0.05;     ///< "equivalent" means within -+ this share
  double alpha = 0.01;           ///< risk of any false `regressed` in one run
  Unconfirmed unconfirmed = Unconfirmed::beyond;
  Action inconclusive = Action::pass;
  Action changed = Action::warn;
  Action claim_broken = Action::warn;
  Confirm confirm = Confirm::regressions;
  Suspects suspects = Suspects::each;
  double candidate_p = 0.05;      ///< of the screen; 0.2 finds more small changes and costs more pairs
  std::int64_t pairs = 48;        ///< of a confirmation and of `ab`, at most: measuring stops when the answer is clear
  std::string controls;           ///< cases whose code never changes, as a regular expression; empty: none
  bool allow_noisy = false;       ///< judge times although the doctor found the machine unfit
  std::vector<std::string> vary;  ///< facts that differ between the sides of `ab` on purpose; no key, only its --vary
  std::optional<double> run_sd;   ///< run-to-run SD of log time, fewer than five runs stored; absent: calibrated or 1 %

  // [run]
  std::vector<std::string> suites;  ///< executables, or folders of them
  std::int64_t processes = 5;
  std::int64_t threads = 1;  ///< intra-operator threads of a suite
  double group_limit_s = 600;
  double total_limit_s = 5 * 3600;

  // [baseline]
  std::string store = ".torchgate/store";
  std::string build;  ///< builds a baseline's commit where its binaries are gone; empty: nothing does
  std::vector<std::string> build_suites;  ///< what it builds, relative to the work tree; empty: `suites`

  bool operator==(const Policy&) const = default;
};

/// A value as a file or an environment variable gives it.
using PolicyValue = std::variant<bool, double, std::string, std::vector<std::string>>;

struct PolicyKey {
  const char* name;         ///< "gate.latency"
  const char* description;  ///< one line, with what it takes
  /// Absent when the value was taken, else what the key takes.
  std::optional<std::string> (*set)(Policy&, const PolicyValue&);
  std::string (*get)(const Policy&);  ///< as it would stand in the file
};

/// All keys, in the order of the documentation.
std::span<const PolicyKey> policy_keys();

/// Sets one key. bad_input: unknown (names the nearest known one) or not what the key takes. `where` names the source.
record::Result<void> set_policy(Policy& policy, const std::string& key, const PolicyValue& value,
                                const std::string& where);

/// The nearest torchgate.toml from `folder` upwards; absent when there is none.
std::optional<std::filesystem::path> find_policy_file(const std::filesystem::path& folder);

/// Applies the keys of a file. Relative paths in it (store, suites) are relative to the file.
record::Result<void> apply_policy_file(Policy& policy, const std::filesystem::path& file);

/// Applies TORCHGATE_GATE_LATENCY and the like; other variables that begin with TORCHGATE_ are not looked at.
record::Result<void> apply_policy_environment(Policy& policy);

}  // namespace torchgate::gate
