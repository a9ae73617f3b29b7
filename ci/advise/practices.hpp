// SPDX-License-Identifier: Apache-2.0
// The practices that `torchgate advise` asks a run about, in four categories. Each is a function over what one case recorded. A practice that
// no record can answer is in the list, too: it says what to measure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ci/advise/case_facts.hpp"

namespace torchgate::advise {

/// What one case says about one practice.
struct CaseAnswer {
  bool followed = true;
  std::string text;                  ///< the number that contradicts the practice
  double size = 0;                   ///< for the order of the evidence
  std::optional<double> saves = {};  ///< at most this share of Practice::saves_of; absent: not known
};

struct Practice {
  std::string_view id;  ///< at most 21 characters: the width of its column
  std::string_view category;
  std::string_view practice;
  std::string_view fix;       ///< with the call of LibTorch
  std::string_view shown_by;  ///< a group of suites/README.md
  std::string_view saves_of;  ///< "a call"
  std::string_view missing;   ///< why no case answers, and what to measure
  /// Absent: it does not apply to the case, or nothing was recorded that it could be judged by.
  std::optional<CaseAnswer> (*ask)(const CaseFacts& facts, const RunFacts& run);
};

namespace category {
inline constexpr std::string_view memory = "memory";
inline constexpr std::string_view computation = "computation";
inline constexpr std::string_view structure = "fusion and model structure";
inline constexpr std::string_view data = "compilation, data and distribution";
}  // namespace category

/// The saves_of of most practices.
inline constexpr std::string_view of_a_call = "a call";

/// The ask of a practice that no record can answer.
inline std::optional<CaseAnswer> not_recorded(const CaseFacts&, const RunFacts&) {
  return std::nullopt;
}

// In the order of the report, where nothing is known of what they save.
std::span<const Practice> memory_practices();
std::span<const Practice> gpu_practices();
std::span<const Practice> product_practices();
std::span<const Practice> fusion_practices();
std::span<const Practice> structure_practices();
std::span<const Practice> data_practices();

}  // namespace torchgate::advise
