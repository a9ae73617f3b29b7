// SPDX-License-Identifier: Apache-2.0
// The pair plan: suspects of a screen, for another job to measure in pairs (schema torchgate.plan/1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct PairPlanFile {
  /// Run, baseline and number of verdicts, and the cases that the screen left open: fixed before the pairs are measured.
  record::Confirms confirms;
  std::optional<std::string> baseline_commit = {};  ///< of the baseline: under it a cache has its binaries
  std::vector<std::string> cases;                   ///< suspects, in the order of the report
  std::int64_t pairs = 48;                          ///< at most; never too few to confirm a suspect
  std::string profile = "default";
  std::uint64_t seed = 0;
  std::optional<double> budget_s = {};  ///< for all pairs; absent: suspects are measured until they are decided
  std::optional<std::int64_t> budget_pairs = {};
  std::optional<std::string> since =
      {};  ///< of `gate --since`: the pin; the pairs are judged under policy::since_pin()
  /// As the run has them (record::Plan): what pairs measure in another way cannot confirm or clear what the run has seen.
  std::optional<std::int64_t> warmup_calls = {};
  std::optional<std::int64_t> samples = {};

  /// Suspects, then open cases.
  [[nodiscard]] std::vector<std::string> all_cases() const;
  [[nodiscard]] bool empty() const { return cases.empty() && confirms.open.empty(); }
  /// Ids of the baseline and of what was pooled with it, nearest first.
  [[nodiscard]] std::vector<std::string> baseline_runs() const;

  bool operator==(const PairPlanFile&) const = default;
};

/// Of each case, that decide most of them where pairs alone decide: twice the 12 below which no regression among eight cases can
/// be shown. For the time that they get by default.
inline constexpr double pairs_for_most_answers = 24;

/// The plan for these CASES, under the budget of POLICY. Without a SEED, the seed is derived from both run ids, so that the job that judges the
/// pairs derives the same one.
PairPlanFile make_pair_plan(gate::PairCases cases, const record::Run& baseline, const record::Run& current,
                            std::optional<std::uint64_t> seed, const policy::CaseGates& policy);

std::string to_json(const PairPlanFile& plan);
base::Result<PairPlanFile> pair_plan_from_json(std::string_view text, const std::string& where);
base::Result<PairPlanFile> load_pair_plan(const std::filesystem::path& file);

}  // namespace torchgate::workflow
