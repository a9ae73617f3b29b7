// SPDX-License-Identifier: Apache-2.0
// Prometheus' text exposition format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). Our own forty lines: Debian has
// prometheus-cpp as shared libraries only, which the released program cannot carry. A test compares every byte with that library's
// serializer.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace torchgate::reports {

struct PrometheusSample {
  std::vector<std::pair<std::string, std::string>> labels;  ///< values: untrusted
  double value = 0;                                         ///< finite
};

struct PrometheusFamily {
  std::string name;  ///< [a-zA-Z_][a-zA-Z0-9_]*, with its unit
  std::string help;  ///< one sentence
  std::vector<PrometheusSample> samples;
};

/// Gauges, in the order given. A family without a sample is not printed.
std::string prometheus_text(const std::vector<PrometheusFamily>& families);

}  // namespace torchgate::reports
