// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/calibrated.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace torchgate::cli {

record::Result<void> use_calibration(gate::StoredComparison& comparison, const baselines::Store* store,
                                     const gate::Policy& policy) {
  if (store == nullptr || policy.run_sd) return {};
  auto found = store->calibration(comparison.current->machine.host_key);
  if (!found) return found.error();
  if (!*found) return {};
  const auto calibration = std::make_shared<const record::Calibration>(std::move(**found));
  comparison.run_sd_of = [calibration](const std::string& name) -> std::optional<double> {
    return record::run_sd_of(*calibration, name);
  };
  comparison.notes.push_back(fmt::format("calibrated on {} with {} runs: from run to run a case moves by {:.2g} % here",
                                         calibration->created.substr(0, 10), calibration->runs.size(),
                                         std::expm1(calibration->run_sd) * 100));
  return {};
}

}  // namespace torchgate::cli
