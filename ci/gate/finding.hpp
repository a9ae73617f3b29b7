// SPDX-License-Identifier: Apache-2.0
// The last stage of judging: verdicts and decisions as the report shows them. The only place that makes a reports::Finding.
#pragma once

#include <optional>
#include <utility>

#include "ci/gate/judged.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Both sides' numbers are computed here, from the evidence that the judged case points to.
reports::Finding finding_of(Judged&& judged);

/// The value before and the one after that the finding will show; absent: it shows none.
std::pair<std::optional<double>, std::optional<double>> shown_values(const Judged& judged);

}  // namespace torchgate::gate
