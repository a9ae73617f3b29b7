// SPDX-License-Identifier: Apache-2.0
// What a bisection has found out so far: .torchgate/bisect/state.json. Which commit is tested next follows from it, so that a bisection that was
// stopped repeats no measurement.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "stats/side_of_change.hpp"

namespace torchgate::workflow {

inline constexpr const char* bisect_folder = ".torchgate/bisect";

/// What the user asked.
struct BisectQuestion {
  std::string good;  ///< full hashes
  std::string bad;
  std::string build;                ///< command, as of BuildRecipe
  std::vector<std::string> suites;  ///< relative to a work tree
  std::vector<std::string> cases;   ///< full names
  bool first_parent = false;
  std::string profile = "default";
  std::int64_t most_pairs = 24;                            ///< of a step
  std::optional<policy::DeviceMetric> device_metric = {};  ///< absent: of a state that an older torchgate wrote
  std::optional<std::int64_t> warmup_calls = {};           ///< as of Effort
  std::optional<std::int64_t> samples = {};

  bool operator==(const BisectQuestion&) const = default;
};

/// Which number of a pair a change is one of.
enum class PairNumber : std::uint8_t { median, floor, typical };

/// A case that BAD runs slower than GOOD now.
struct ChangedCase {
  std::string name;
  PairNumber number = PairNumber::median;
  double change = 0;  ///< log, larger is worse
  double scale = 0;   ///< of its pairs (stats::spread_of_pairs)

  [[nodiscard]] stats::KnownChange known() const { return {change, scale}; }
};

struct PlacedCase {
  std::string name;
  stats::SideOfChange side = stats::SideOfChange::undecided;
  std::int64_t pairs = 0;  ///< 0: its build is the same as one that was judged
};

enum class CommitFate : std::uint8_t {
  measured,
  identical,  ///< its build is the same, byte for byte, as one that was judged
  skipped     ///< nothing could be measured
};

struct JudgedCommit {
  std::string commit;
  CommitFate fate = CommitFate::measured;
  std::string content;  ///< build_content(); empty: not known
  std::string reason;   ///< why it was skipped
  double seconds = 0;   ///< building and measuring
  std::vector<PlacedCase> cases;
};

struct BisectState {
  BisectQuestion question;
  std::vector<ChangedCase> changed;  ///< empty: the ends are not measured yet
  std::vector<std::string> files;    ///< files_of_build() of both ends
  /// Every process of the ends recorded which files it read. Else a build is the same as another only where git knows of no changed file that it may read.
  bool files_known = false;
  std::vector<std::string> left_out;  ///< notes on cases that are not searched for
  std::string good_content;
  std::string bad_content;
  std::vector<JudgedCommit> judged;
  std::int64_t pairs = 0;  ///< measured so far, those of the ends, too
  double seconds = 0;      ///< taken so far
  bool finished = false;

  [[nodiscard]] const JudgedCommit* of(std::string_view commit) const;
  /// What is known of the case in builds of this CONTENT, of commits for which SAME_INPUTS holds.
  [[nodiscard]] std::optional<stats::SideOfChange> side_of_content(
      std::string_view content, std::string_view case_name,
      const std::function<bool(const std::string& commit)>& same_inputs) const;
  [[nodiscard]] const ChangedCase* changed_case(std::string_view case_name) const;
};

/// Absent: no such file. bad_input: it is not such a state.
base::Result<std::optional<BisectState>> load_bisect_state(const std::filesystem::path& folder = bisect_folder);

base::Result<void> save_bisect_state(const BisectState& state, const std::filesystem::path& folder = bisect_folder);

}  // namespace torchgate::workflow
