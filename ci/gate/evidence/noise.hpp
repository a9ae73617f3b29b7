// SPDX-License-Identifier: Apache-2.0
// What the noise of a case is made of, and what is odd about its series. Nothing of it changes a verdict.
#pragma once

#include <span>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// The parts of the noise over all runs given (nearest first; nullptr and other protocols are left out), and what the raw
/// samples of the first one say, where they were kept. The parts need only the summaries. REQUIRES: a first run.
reports::Noise noise_of(std::span<const CaseEvidence* const> runs, const record::Metric& metric);

/// Puts the parts over several runs in the place of those of one run.
void set_noise_parts(reports::Noise& noise, std::span<const CaseEvidence* const> runs, const record::Metric& metric);

}  // namespace torchgate::gate
