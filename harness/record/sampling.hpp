// SPDX-License-Identifier: Apache-2.0
// How the calls of each case were sampled: times of runs that differ in it are not those of the same calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/run.hpp"

namespace torchgate::record {

struct Sampling {
  std::string profile = Plan{}.profile;
  std::optional<std::int64_t> warmup_calls = {};  ///< --warmup
  std::optional<std::int64_t> samples = {};       ///< --samples

  bool operator==(const Sampling&) const = default;
};

/// As options of `torchgate run`, `ab` and `bisect`, each with a space before it: " --full --warmup 3"; empty: all as by default. A profile of
/// another name is not written: SAMPLING may be of an edited file.
inline std::string options_of(const Sampling& sampling) {
  std::string options;
  if (sampling.profile == "quick" || sampling.profile == "full") options += " --" + sampling.profile;
  if (sampling.warmup_calls) options += " --warmup " + std::to_string(*sampling.warmup_calls);
  if (sampling.samples) options += " --samples " + std::to_string(*sampling.samples);
  return options;
}

/// Of the cases of PLAN. "full" measures more cases, each as "default" does; "quick" warms up for less time and takes fewer samples.
inline Sampling sampling_of(const Plan& plan) {
  return {plan.profile == "full" ? Plan{}.profile : plan.profile, plan.warmup_calls, plan.samples};
}

/// Whether a process of a group takes about as long under both: the same cases, sampled in the same way.
inline bool take_as_long(const Plan& a, const Plan& b) {
  return a.profile == b.profile && sampling_of(a) == sampling_of(b);
}

}  // namespace torchgate::record
