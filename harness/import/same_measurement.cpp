// SPDX-License-Identifier: Apache-2.0
#include "harness/import/same_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

#include "harness/base/significant_digits.hpp"

namespace torchgate::import {
namespace {

// Of measurements that differ in nothing but noise the first digits agree.
constexpr int common_digits = 3;
// 1e-9: among a million pairs of files the probability of one false copy is 0.1 %.
constexpr double needed_digits = 9;
// Formats that round keep six digits or more (Google Benchmark's CSV).
constexpr double rounding = 1e-5;

double first_value(const ImportedProcess& process) {
  for (const ImportedCase& each : process.cases)
    if (!each.time_ns.empty()) return each.time_ns.front();
  return 0;
}

bool same_in_digits(double a, double b, int digits) {
  if (a == b) return true;
  if (!(a > 0) || !(b > 0)) return false;
  return std::abs(a - b) <= std::pow(10, std::floor(std::log10(std::max(a, b))) + 1 - digits);
}

// How many digits of the values that both have noise fills; each value counts once, as a clock of few digits repeats itself. Absent: a
// value differs.
std::optional<double> same_digits(const std::vector<double>& a, const std::vector<double>& b) {
  double digits = 0;
  std::set<double> known;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto both = static_cast<int>(std::min(base::significant_digits(a[i]), base::significant_digits(b[i])));
    if (!same_in_digits(a[i], b[i], both)) return std::nullopt;
    if (known.insert(a[i]).second) digits += std::max(0, both - common_digits);
  }
  return digits;
}

// A file without a date has the time of its last change.
bool has_date(const ImportedProcess& process) {
  return process.started != process.file_changed;
}

bool are_same(const ImportedProcess& a, const ImportedProcess& b) {
  if (has_date(a) && has_date(b) && a.started != b.started) return false;
  double digits = 0;
  auto other = b.cases.begin();
  for (const ImportedCase& each : a.cases) {  // both are sorted by name
    while (other != b.cases.end() && other->name < each.name) ++other;
    if (other == b.cases.end()) break;
    if (other->name != each.name) continue;
    const auto same = same_digits(each.time_ns, other->time_ns);
    if (!same) return false;
    digits += *same;
  }
  return digits >= needed_digits;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> same_measurement(
    const std::vector<const std::vector<ImportedProcess>*>& files) {
  std::vector<const ImportedProcess*> alone;
  for (const auto* const file : files)
    if (file->size() == 1 && first_value(file->front()) > 0) alone.push_back(&file->front());
  std::stable_sort(alone.begin(), alone.end(),
                   [](const auto* a, const auto* b) { return first_value(*a) < first_value(*b); });
  for (std::size_t i = 0; i < alone.size(); ++i) {
    for (std::size_t k = i + 1; k < alone.size(); ++k) {
      if (first_value(*alone[k]) > first_value(*alone[i]) * (1 + rounding)) break;
      if (are_same(*alone[i], *alone[k])) return std::pair(alone[i]->file, alone[k]->file);
    }
  }
  return std::nullopt;
}

}  // namespace torchgate::import
