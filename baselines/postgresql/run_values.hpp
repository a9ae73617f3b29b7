// SPDX-License-Identifier: Apache-2.0
// Private to baselines: what dashboards show of a run: one number for each metric of each case.
#pragma once

#include <string>

#include "baselines/postgresql/database_session.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines::postgresql {

/// The values of RUN as a JSON array of objects with the columns of torchgate_series and torchgate_value. A value is the median over the
/// processes that measured the metric (of their medians where it is timed). None of pairs: a run has one side.
std::string values_json(const record::Run& run);

/// Adds them. The run is in torchgate_run.
base::Result<void> insert_values(Session& session, const record::Run& run);

}  // namespace torchgate::baselines::postgresql
