// SPDX-License-Identifier: Apache-2.0
// Facts of imported runs that no tool defines: what programs and users wrote beside the numbers.
#pragma once

#include <cstddef>
#include <string_view>

namespace torchgate::record {

/// In front of the name of a fact that a program or its user chose: it may be another one in each file of a run, and then says nothing of the run.
inline constexpr std::string_view own_fact_prefix = "context: ";
/// The same for what a program writes beside the numbers of a benchmark: "label: BM_x", "label: device of test_x".
inline constexpr std::string_view label_prefix = "label: ";
/// The same for an option of the tool that not all benchmarks have alike: "setting: disable_gc of test_x".
inline constexpr std::string_view setting_prefix = "setting: ";

/// Of one process; later ones are left out.
inline constexpr std::size_t most_labels = 100;

inline bool is_own_fact(std::string_view name) {
  return name.starts_with(own_fact_prefix) || name.starts_with(label_prefix) || name.starts_with(setting_prefix);
}

}  // namespace torchgate::record
