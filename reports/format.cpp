// SPDX-License-Identifier: Apache-2.0
#include "reports/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace torchgate::reports {
namespace {

/// A unit to print in: the value divided by `divisor`, followed by `suffix` with its space.
struct Scale {
  double divisor = 1;
  std::string suffix;
};

/// Up to here a double counts in whole numbers without gaps.
constexpr double largest_exact_count = 9007199254740992.0;
/// From here on four significant digits leave so many zeros that an exponent reads better.
constexpr double exponent_from = 1e9;
constexpr double exponent_below = 1e-4;
/// A p-value below this is a statement about the model, not about the data.
constexpr double smallest_p = 1e-12;
/// Two values further apart than this are each printed in their own unit.
constexpr double common_unit_span = 1000;

bool is_known(std::optional<double> value) {
  return value && std::isfinite(*value);
}

bool is_count(double value) {
  return std::floor(value) == value && std::abs(value) <= largest_exact_count;
}

bool is_count_unit(std::string_view unit) {
  return unit.empty() || unit == "1";
}

/// 12.3, 1234, 0.001230: four significant digits with trailing zeros, because they are significant.
std::string four_digits(double value) {
  if (value == 0) return "0";
  if (std::abs(value) >= exponent_from || std::abs(value) < exponent_below) return fmt::format("{:.3e}", value);
  // The exponent after rounding: 9.9999 has to be printed as 10.00, not as 10.000.
  const std::string rounded = fmt::format("{:.3e}", value);
  const int exponent = std::atoi(rounded.c_str() + rounded.find('e') + 1);
  return fmt::format("{:.{}f}", value, std::max(0, 3 - exponent));
}

std::vector<Scale> scales_of_bytes(const std::string& behind) {
  constexpr double k = 1024;
  return {{1, " B" + behind},
          {k, " KiB" + behind},
          {k * k, " MiB" + behind},
          {k * k * k, " GiB" + behind},
          {k * k * k * k, " TiB" + behind}};
}

/// Of rates whose unit has no prefix of its own: "2.983M items/s", "1.852 GiB/s". None: of another unit.
std::vector<Scale> scales_of_rate(std::string_view unit) {
  if (unit == "bytes/s" || unit == "B/s") return scales_of_bytes("/s");
  if (unit != "items/s" && unit != "1/s" && unit != "/s") return {};
  const std::string items = unit == "items/s" ? " items/s" : "/s";
  return {{1, items}, {1e3, "k" + items}, {1e6, "M" + items}, {1e9, "G" + items}, {1e12, "T" + items}};
}

/// The printable units of a unit, smallest first; one entry when it has no multiples.
std::vector<Scale> scales_of(const std::string& unit, Notation notation) {
  if (auto rate = scales_of_rate(unit); !rate.empty()) return rate;
  const std::string micro = notation == Notation::unicode ? " µs" : " us";
  const std::vector<std::pair<std::string_view, double>> times = {
      {"ns", 1.0}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  // "ns/frame" as well.
  const std::size_t end = std::min(unit.find('/'), unit.size());
  const std::string per = unit.substr(end);
  for (const auto& [name, in_ns] : times) {
    if (std::string_view(unit).substr(0, end) != name) continue;
    return {
        {1 / in_ns, " ns" + per}, {1e3 / in_ns, micro + per}, {1e6 / in_ns, " ms" + per}, {1e9 / in_ns, " s" + per}};
  }
  if (unit == "bytes" || unit == "B") return scales_of_bytes("");
  return {{1, is_count_unit(unit) ? "" : " " + unit}};
}

/// The largest unit in which the value, as printed, is at least 1.
Scale scale_for(double value, const std::string& unit, Notation notation) {
  const auto scales = scales_of(unit, notation);
  constexpr double rounds_to_one = 0.99995;
  Scale best = scales.front();
  for (const Scale& scale : scales) {
    if (std::abs(value) >= rounds_to_one * scale.divisor) best = scale;
  }
  return best;
}

std::string in_scale(double value, const Scale& scale) {
  const bool whole = scale.divisor == 1 && is_count(value) && (scale.suffix.empty() || scale.suffix == " B");
  return (whole ? grouped(static_cast<std::int64_t>(value)) : four_digits(value / scale.divisor)) + scale.suffix;
}

/// Every digit there is, for an exact metric whose two values look the same when rounded.
std::string all_digits(double value, const std::string& unit) {
  const std::string suffix = unit == "bytes" ? " B" : is_count_unit(unit) ? "" : " " + unit;
  return (is_count(value) ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{}", value)) + suffix;
}

}  // namespace

std::string Format::unknown() const {
  return notation_ == Notation::unicode ? "–" : "-";
}

std::string Format::plus_minus() const {
  return notation_ == Notation::unicode ? "±" : "+-";
}

std::string Format::arrow() const {
  return notation_ == Notation::unicode ? "→" : "->";
}

std::string Format::quantity(std::optional<double> value, const std::string& unit) const {
  if (!is_known(value)) return unknown();
  return in_scale(*value, scale_for(*value, unit, notation_));
}

std::pair<std::string, std::string> Format::quantities(std::optional<double> before, std::optional<double> after,
                                                       const record::Metric& metric) const {
  if (!is_known(before) || !is_known(after)) return {quantity(before, metric.unit), quantity(after, metric.unit)};
  const double larger = std::max(std::abs(*before), std::abs(*after));
  const double smaller = std::min(std::abs(*before), std::abs(*after));
  if (smaller == 0 || larger / smaller > common_unit_span) {
    return {quantity(before, metric.unit), quantity(after, metric.unit)};
  }
  const Scale scale = scale_for(larger, metric.unit, notation_);
  std::pair<std::string, std::string> texts{in_scale(*before, scale), in_scale(*after, scale)};
  if (metric.kind == record::MetricKind::exact && *before != *after && texts.first == texts.second) {
    return {all_digits(*before, metric.unit), all_digits(*after, metric.unit)};
  }
  return texts;
}

std::string Format::calls(double before, double after) const {
  const auto words = [](double value) {
    return is_count(value) ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:g}", value);
  };
  return before == after ? words(after) : fmt::format("{} {} {}", words(before), arrow(), words(after));
}

std::string Format::rate(std::optional<double> per_second) const {
  return quantity(per_second, "/s");
}

std::string Format::percent(std::optional<double> change) const {
  if (!is_known(change)) return unknown();
  const double percent = *change * 100;
  const double size = std::abs(percent);
  if (percent == 0) return "0 %";
  if (size >= 1e6) return fmt::format("{:+.2e} %", percent);
  if (size >= 100) return fmt::format("{:+.0f} %", percent);
  if (size >= 10) return fmt::format("{:+.1f} %", percent);
  if (size >= 0.005) return fmt::format("{:+.2f} %", percent);
  return fmt::format("{:+.1g} %", percent);
}

std::string Format::percent_beside(std::optional<double> change, double limit) const {
  std::string text = percent(change);
  if (!is_known(change) || *change == limit || text != percent(limit)) return text;
  constexpr int most_decimals = 6;
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    std::string more = fmt::format("{:+.{}f} %", *change * 100, decimals);
    if (more.size() > text.size() && more != fmt::format("{:+.{}f} %", limit * 100, decimals)) return more;
  }
  return text;
}

std::string Format::share(std::optional<double> ratio) const {
  if (!is_known(ratio)) return unknown();
  return fmt::format("{:.4g} %", *ratio * 100);
}

std::string Format::change_interval(const std::optional<Interval>& interval) const {
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) return unknown();
  return fmt::format("[{}, {}]", percent(interval->low), percent(interval->high));
}

std::string Format::value_interval(const std::optional<Interval>& interval, const std::string& unit) const {
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) return unknown();
  return fmt::format("[{}, {}]", quantity(interval->low, unit), quantity(interval->high, unit));
}

std::string Format::p_value(std::optional<double> p) const {
  if (!is_known(p) || *p < 0 || *p > 1) return unknown();
  if (*p < smallest_p) return "<1e-12";
  if (*p < 0.001) return fmt::format("{:.1e}", *p);
  return fmt::format("{:.3g}", *p);
}

std::string Format::effect_size(std::optional<double> d, const std::string& word) const {
  if (!is_known(d)) return unknown();
  const double size = std::abs(*d);
  const std::string number = size >= 1e6   ? fmt::format("{:+.1e}", *d)
                             : size >= 100 ? fmt::format("{:+.0f}", *d)
                                           : fmt::format("{:+.2f}", *d);
  return word.empty() ? number : number + " " + word;
}

std::string Format::factor(std::optional<double> ratio) const {
  if (!is_known(ratio)) return unknown();
  return four_digits(*ratio) + "x";
}

}  // namespace torchgate::reports
