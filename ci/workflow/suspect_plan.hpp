// SPDX-License-Identifier: Apache-2.0
// What a screen wants measured in pairs, for another job to measure (schema torchgate.plan/1).
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

struct SuspectPlan {
  record::Confirms confirms;       ///< run, baseline and m: fixed here, whatever comes back
  std::vector<std::string> cases;  ///< in the report's order; none: nothing to confirm
  std::int64_t pairs = 48;         ///< at most; never fewer than can confirm anything
  std::string profile = "default";
  std::uint64_t seed = 0;

  bool operator==(const SuspectPlan&) const = default;
};

/// The plan for these suspects. Without a SEED it follows from both runs, so that who judges the pairs knows it too.
SuspectPlan make_suspect_plan(std::vector<std::string> suspects, const record::Run& baseline,
                              const record::Run& current, std::optional<std::uint64_t> seed,
                              const policy::Policy& policy);

std::string to_json(const SuspectPlan& plan);
base::Result<SuspectPlan> suspect_plan_from_json(std::string_view text, const std::string& where);
base::Result<SuspectPlan> load_suspect_plan(const std::filesystem::path& file);

}  // namespace torchgate::workflow
