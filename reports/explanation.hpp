// SPDX-License-Identifier: Apache-2.0
// Why a case's time changed, as far as it can be seen: the model that gate/explain fills and explanation_{text,json} show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// An exact metric, or a cost of the process, that differs.
struct CountChange {
  std::string name;
  std::string unit;
  double before = 0;
  double after = 0;
};

struct Explanation {
  std::string case_name;
  SideHeader before;
  SideHeader after;
  std::string unit = "ns";            ///< of the primary metric
  std::optional<double> time_before;  ///< the primary metric, median of the process medians
  std::optional<double> time_after;
  facts::Facts causes;                    ///< those that account for most first; empty: no cause visible
  facts::Fact summary;                    ///< when there is none: what was looked at
  facts::Fact no_profile;                 ///< why operators could not be compared; empty: they were
  std::optional<double> outside_ns;       ///< added outside of all operators, in observed calls
  std::vector<OperatorChange> operators;  ///< changed ones first, then by self time
  std::vector<CountChange> counts;        ///< exact metrics that differ
  std::vector<CountChange> process;  ///< start-up and what the system counted, medians per process; all that is known
  std::vector<Difference> differences;  ///< of machine and software
};

}  // namespace torchgate::reports
