// SPDX-License-Identifier: Apache-2.0
// The sixteen practices that `torchgate advise` asks a run about: four of each category. Each is a function over what one case recorded.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ci/advise/case_facts.hpp"

namespace torchgate::advise {

/// What one case says about one practice.
struct CaseAnswer {
  bool followed = true;
  std::string text;  ///< the number that contradicts the practice
  double size = 0;   ///< for the order of the evidence
};

struct Practice {
  std::string_view id;
  std::string_view category;
  std::string_view practice;
  std::string_view fix;
  std::string_view shown_by;  ///< a group of suites/README.md
  /// Absent: it does not apply to the case, or nothing was recorded that it could be judged by.
  std::optional<CaseAnswer> (*ask)(const CaseFacts& facts, const RunFacts& run);
};

std::span<const Practice> memory_practices();
std::span<const Practice> gpu_practices();
std::span<const Practice> fusion_practices();
std::span<const Practice> data_practices();

}  // namespace torchgate::advise
