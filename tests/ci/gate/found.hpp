// SPDX-License-Identifier: Apache-2.0
// A finding of a report, by its case and metric.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reports/report.hpp"

namespace torchgate::gate::testing {

/// Throws, and so fails the test, where there is none.
inline const reports::Finding& finding(const reports::Report& report, const std::string& name,
                                       const std::string& metric = "time") {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const auto& f) { return f.case_name == name && f.metric.name == metric; });
  if (found == report.findings.end()) throw std::logic_error("no finding of " + name);
  return *found;
}

}  // namespace torchgate::gate::testing
