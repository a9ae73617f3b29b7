// SPDX-License-Identifier: Apache-2.0
#include "stats/run_value.hpp"

#include "stats/hodges_lehmann.hpp"

namespace torchgate::stats {

std::optional<double> run_value(std::span<const double> process_log_medians) {
  return hodges_lehmann(process_log_medians);
}

}  // namespace torchgate::stats
