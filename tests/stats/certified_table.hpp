// SPDX-License-Identifier: Apache-2.0
// One table of all numbers with a certified or published value: what, by whom, how many numbers, the worst of them,
// and what is allowed.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats::testing {

class CertifiedRow {
 public:
  enum class Kind { relative_error, digits, differences };

  CertifiedRow(std::string what, std::string source, Kind kind, double limit)
      : what_(std::move(what)), source_(std::move(source)), kind_(kind), limit_(limit) {
    if (kind == Kind::digits) worst_ = all_digits;
  }

  void compare(double got, double want) {
    ++checked_;
    if (kind_ == Kind::digits) {
      worst_ = std::min(worst_, correct_digits(got, want));
    } else if (kind_ == Kind::differences) {
      worst_ += got == want ? 0 : 1;
    } else {
      // A reference of exactly 0 has no relative error.
      const double error = got == want ? 0.0 : std::abs(got - want) / (want == 0.0 ? 1.0 : std::abs(want));
      worst_ = std::isnan(error) ? infinity : std::max(worst_, error);
    }
  }
  void compare(const std::string& got, const std::string& want) {
    ++checked_;
    worst_ += got == want ? 0 : 1;
    if (got != want) first_difference_ = first_difference_.empty() ? got + ", want " + want : first_difference_;
  }

  [[nodiscard]] bool ok() const {
    return checked_ > 0 && (kind_ == Kind::digits ? worst_ >= limit_ : worst_ <= limit_);
  }
  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] std::string line() const {
    std::ostringstream out;
    const char* unit = kind_ == Kind::digits ? " digits" : kind_ == Kind::differences ? " differ" : "";
    out << std::left << "| " << std::setw(52) << what_ << " | " << std::setw(34) << source_ << " | " << std::right
        << std::setw(6) << checked_ << " | " << std::setw(8) << std::setprecision(3) << worst_ << unit << " | "
        << (kind_ == Kind::digits ? ">= " : "<= ") << limit_ << " | " << (ok() ? "ok" : "NOT") << " |";
    if (!first_difference_.empty()) out << ' ' << first_difference_;
    return out.str();
  }

 private:
  static constexpr double all_digits = 17.0;  // what correct_digits gives for equal numbers

  std::string what_;
  std::string source_;
  Kind kind_;
  double limit_;
  std::size_t checked_ = 0;
  double worst_ = 0.0;
  std::string first_difference_;
};

class CertifiedTable {
 public:
  CertifiedRow& relative(const std::string& what, const std::string& source, double tolerance) {
    return rows_.emplace_back(what, source, CertifiedRow::Kind::relative_error, tolerance);
  }
  CertifiedRow& digits(const std::string& what, const std::string& source, double least) {
    return rows_.emplace_back(what, source, CertifiedRow::Kind::digits, least);
  }
  CertifiedRow& equal(const std::string& what, const std::string& source) {
    return rows_.emplace_back(what, source, CertifiedRow::Kind::differences, 0.0);
  }
  [[nodiscard]] const std::deque<CertifiedRow>& rows() const { return rows_; }
  void print(std::ostream& out) const {
    out << "| what | source | numbers | worst error | allowed | |\n|---|---|---|---|---|---|\n";
    for (const CertifiedRow& row : rows_) out << row.line() << '\n';
  }

 private:
  std::deque<CertifiedRow> rows_;  // references to rows stay good
};

}  // namespace torchgate::stats::testing
