// SPDX-License-Identifier: Apache-2.0
// The pair plan: suspects of a screen, for another job to measure in pairs (schema torchgate.plan/1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct PairPlanFile {
  record::Confirms confirms;       ///< run, baseline and number of verdicts, fixed before the pairs are measured
  std::vector<std::string> cases;  ///< in the order of the report; empty: nothing to confirm
  std::int64_t pairs = 48;         ///< at most; never too few to confirm a suspect
  std::string profile = "default";
  std::uint64_t seed = 0;

  bool operator==(const PairPlanFile&) const = default;
};

/// The plan for these SUSPECTS. Without a SEED, the seed is derived from both run ids, so that the job that judges the
/// pairs derives the same one.
PairPlanFile make_pair_plan(std::vector<std::string> suspects, const record::Run& baseline, const record::Run& current,
                            std::optional<std::uint64_t> seed, const policy::Policy& policy);

std::string to_json(const PairPlanFile& plan);
base::Result<PairPlanFile> pair_plan_from_json(std::string_view text, const std::string& where);
base::Result<PairPlanFile> load_pair_plan(const std::filesystem::path& file);

}  // namespace torchgate::workflow
