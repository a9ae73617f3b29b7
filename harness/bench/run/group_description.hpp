// SPDX-License-Identifier: Apache-2.0
// What the author of a group has said, as describe_group.cpp keeps it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/group.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// A name that the backend knows ("cuda", "avx512_bf16", "qengine:onednn"), or a test.
struct Need {
  std::string name;
  Requirement test;  ///< empty: the backend answers for the name
  Where where;
};

/// The settings of a case that is measured in a process of its own, in addition to those of its group's process.
struct OwnProcess {
  std::vector<record::Parameter> environment;
  std::optional<int> threads;  ///< intra-operator threads
  std::optional<int> cpus;     ///< it may use so many, the first ones of those that the group's process may use

  [[nodiscard]] bool empty() const { return environment.empty() && !threads && !cpus; }
  bool operator==(const OwnProcess&) const = default;
};

/// How the process of a case is set up, as the case's record has it: "OMP_PROC_BIND=true, threads 2, training"; "none".
std::string words_of(OwnProcess settings, bool training);

/// Of a group, or of a variant.
struct CaseSettings {
  bool graphs = false;
  std::vector<Need> needs;
  std::vector<OwnMetric> metrics;
  std::vector<std::string> gated;
  std::vector<Where> quick;  ///< each of them selects the cases of the profile quick
  std::vector<Where> only_full;
  std::optional<std::int64_t> samples;
  std::vector<std::string> artefacts;
  OwnProcess own_process;
};

struct ClaimDescription {
  Promise promise;
  Where where;
  std::vector<Need> needs;  ///< unmet: it is not claimed here
};

struct VariantDescription : CaseSettings {
  std::string name;
  Factory factory;
  bool is_reference = false;
  Tolerance tolerance = within(1e-5);
  CheckFunction check;
  SweepCheckFunction sweep_check;
  std::vector<Where> only;
  std::vector<std::pair<Expectation, Where>> expectations;
  std::vector<ClaimDescription> promises;
};

struct GroupDescription : CaseSettings {
  std::string name;  ///< "suite/group"
  std::string suite;
  std::vector<std::pair<std::string, std::vector<AxisValue>>> axes;
  std::function<double(const Args&)> items;
  std::function<double(const Args&)> bytes;
  bool training = false;
  std::int64_t ranks = 1;
  std::vector<std::string> without;
  std::optional<std::int64_t> cold_launches;
  std::deque<VariantDescription> variants;  ///< a deque: a Variant of the author refers to its element

  [[nodiscard]] bool has_reference() const { return !variants.empty() && variants.front().is_reference; }
};

struct RegisteredGroup {
  const char* name;
  void (*describe)(Group& group);
};
/// Those of this program, in the order of their definition within a file.
const std::vector<RegisteredGroup>& registered_groups();

}  // namespace torchgate::bench
