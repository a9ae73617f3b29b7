// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/named_runs.hpp"

#include <array>

#include "harness/import/programs.hpp"

namespace torchgate::cli {

gate::Comparison comparison_of_named(record::Run& before, record::Run& after) {
  import::align_programs(std::array{&before, &after});
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.sides_named = true;
  return comparison;
}

}  // namespace torchgate::cli
