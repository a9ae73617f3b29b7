// SPDX-License-Identifier: Apache-2.0
// How quantities look, in one place, so that the same number looks the same in every format a person reads.
//
// Times and bytes carry four significant digits, in the unit that needs no exponent; counts carry all their digits,
// because an exact metric that changes by one must be seen to change. Relative changes are signed percentages.
// What is not known, or is not a finite number, is never printed as a number: see unknown().
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "harness/base/counted.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// ascii: for terminals and logs without UTF-8 ("us" for "µs", "+-" for "±", "->" for an arrow, "-" for a dash).
enum class Notation { unicode, ascii };

class Format {
 public:
  explicit Format(Notation notation = Notation::unicode) : notation_(notation) {}

  /// An en dash: printed wherever a number is not known.
  [[nodiscard]] std::string unknown() const;
  [[nodiscard]] std::string plus_minus() const;
  /// Between the value before and the value after.
  [[nodiscard]] std::string arrow() const;

  /// A value in its unit. "ns", "us", "µs", "ms", "s" are times; "bytes", "B" are sizes in powers of 1024; "bytes/s", "B/s",
  /// "items/s", "1/s" are rates; "" and "1" are counts; anything else is the number followed by the unit.
  [[nodiscard]] std::string quantity(std::optional<double> value, const std::string& unit) const;
  /// The two values of a finding, in the same unit so that they can be compared at a glance. Those of an exact metric
  /// that differ are never rounded to the same text.
  [[nodiscard]] std::pair<std::string, std::string> quantities(std::optional<double> before,
                                                               std::optional<double> after,
                                                               const record::Metric& metric) const;
  /// Calls per call of a case: "2" where both sides have as many, else "1 → 2". Whole numbers have all their digits.
  [[nodiscard]] std::string calls(double before, double after) const;
  /// 1.234 kB-like steps of 1000, for throughput: "649.9/s", "12.31k/s".
  [[nodiscard]] std::string rate(std::optional<double> per_second) const;
  /// A relative change as a signed percentage: 0.127 is "+12.7 %". Not zero is never printed as zero.
  [[nodiscard]] std::string percent(std::optional<double> change) const;
  /// The same with as many digits as tell it from LIMIT, where the two differ.
  [[nodiscard]] std::string percent_beside(std::optional<double> change, double limit) const;
  /// A share or a margin without sign: 0.05 is "5 %", 0.9975 is "99.75 %".
  [[nodiscard]] std::string share(std::optional<double> ratio) const;
  /// "[+10.1 %, +15.4 %]".
  [[nodiscard]] std::string change_interval(const std::optional<Interval>& interval) const;
  /// "[14.11 ms, 15.93 ms]".
  [[nodiscard]] std::string value_interval(const std::optional<Interval>& interval, const std::string& unit) const;
  /// A p-value: three digits from 0.001, scientific below, "<1e-12" where only the order of magnitude means anything.
  [[nodiscard]] std::string p_value(std::optional<double> p) const;
  /// Cohen's d with its word: "+3.10 large".
  [[nodiscard]] std::string effect_size(std::optional<double> d, const std::string& word) const;
  /// A factor: 0.9 is "0.9000x".
  [[nodiscard]] std::string factor(std::optional<double> ratio) const;

 private:
  Notation notation_;
};

using base::counted;
using base::grouped;

}  // namespace torchgate::reports
