// SPDX-License-Identifier: Apache-2.0
#include "harness/import/impossible_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

std::optional<double> negative_in(const ImportedMetric& each) {
  if (each.value && *each.value < 0) return each.value;
  const auto found = std::find_if(each.samples.begin(), each.samples.end(), [](double value) { return value < 0; });
  return found == each.samples.end() ? std::nullopt : std::optional(*found);
}

// Bytes per call of a program's own count may be those that it gave back.
bool is_own_cost(const std::string& unit) {
  return meaning_of_unit(unit).kind == UnitKind::cost_per_work && unit != "B/op" && unit != "allocs/op";
}

bool is_impossible(const ImportedMetric& each) {
  if (!negative_in(each)) return false;
  if (each.told == Told::by_definition) return true;
  return meaning_of_unit(each.metric.unit).kind != UnitKind::unknown && !is_own_cost(each.metric.unit);
}

// Counts that Google Benchmark itself takes.
void remove_impossible_counts(ImportedProcess& process, ImportedCase& one) {
  for (const auto& [name, value] :
       {std::pair("peak_bytes", &one.peak_bytes), std::pair("allocations", &one.allocations)}) {
    if (!*value || **value >= 0) continue;
    add_warning(process.warnings, fmt::format("{}: {} of {}: invalid value {:g}, ignored", process.file,
                                              base::in_quotes(name), base::in_quotes(one.name), **value));
    value->reset();
  }
}

}  // namespace

void remove_impossible_values(ImportedProcess& process) {
  std::set<std::string> named;
  for (ImportedCase& one : process.cases) {
    remove_impossible_counts(process, one);
    std::string first;
    for (const ImportedMetric& each : one.metrics) {
      if (!is_impossible(each)) continue;
      const std::string value = fmt::format("{:g} {}", *negative_in(each), base::shown(each.metric.unit));
      if (first.empty()) first = value;
      if (!named.insert(each.metric.name).second) continue;
      add_warning(process.warnings, fmt::format("{}: {} of {}: invalid value {}, ignored", process.file,
                                                base::in_quotes(each.metric.name), base::in_quotes(one.name), value));
    }
    if (first.empty()) continue;
    std::erase_if(one.metrics, is_impossible);
    if (one.time_ns.empty() && one.metrics.empty() && one.failure.empty()) one.failure = "invalid value: " + first;
  }
}

}  // namespace torchgate::import
