// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/prometheus_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace torchgate::reports {
namespace {

void append_label(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
}

}  // namespace

std::string prometheus_text(const std::vector<PrometheusFamily>& families) {
  std::string text;
  for (const PrometheusFamily& family : families) {
    if (family.samples.empty()) continue;
    fmt::format_to(std::back_inserter(text), "# HELP {} {}\n# TYPE {} gauge\n", family.name, family.help, family.name);
    for (const PrometheusSample& sample : family.samples) {
      text += family.name;
      char before = '{';
      for (const auto& [name, value] : sample.labels) {
        text += before;
        before = ',';
        text += name;
        text += "=\"";
        append_label(text, value);
        text += '"';
      }
      if (!sample.labels.empty()) text += '}';
      // All the digits that Prometheus keeps apart.
      fmt::format_to(std::back_inserter(text), " {:.16g}\n", sample.value);
    }
  }
  return text;
}

}  // namespace torchgate::reports
