// SPDX-License-Identifier: Apache-2.0
// The notation for the claims of a group:
//   time() <= 0.9 * reference()                         of a variant, against the group's reference
//   exact("peak_bytes") <= 0.4 * reference()
//   items_per_second() >= 1.5 * case_with("batch", 1)    of a sweep, against another of its own cases
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/bench/args.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// An optimisation that is not at least this much faster is too small for a time claim: claim another metric that it
/// improves.
inline constexpr double least_time_claim = 1.05;

/// Axis values that select cases.
using Selection = std::vector<std::pair<std::string, AxisValue>>;

/// Left side of a claim.
struct Quantity {
  std::string metric;
  bool rate = false;  ///< items per second: higher is better, derived from the time and the items of a call
  std::string text;
};
inline Quantity time() {
  return {"time", false, "time"};
}
inline Quantity items_per_second() {
  return {"time", true, "items/s"};
}
/// A metric that is counted: "peak_bytes", "allocations", "allocated_bytes", "retained_bytes", "operator_calls".
inline Quantity exact(const std::string& metric) {
  return {metric, false, metric};
}
/// A metric that the variant measures itself.
inline Quantity measured(const std::string& metric) {
  return {metric, false, metric};
}

/// Right side: a multiple of another case's value.
struct Scaled {
  double factor = 1;
  Selection where;  ///< empty: the group's reference variant with the same axis values
  std::string text;
};
inline Scaled reference() {
  return {1, {}, "reference"};
}
/// The group's own case that differs in this axis. (`at` would read well, and is a namespace of LibTorch.)
inline Scaled case_with(std::string axis, AxisValue value) {
  std::string text = "at " + axis + ":" + to_string(value);
  return {1, {{std::move(axis), std::move(value)}}, std::move(text)};
}
inline Scaled case_with(std::string axis, int value) {
  return case_with(std::move(axis), AxisValue{std::int64_t{value}});
}
inline Scaled case_with(std::string axis, const char* value) {
  return case_with(std::move(axis), AxisValue{std::string(value)});
}
Scaled operator*(double factor, Scaled scaled);

struct Promise {
  Quantity quantity;
  record::Relation relation = record::Relation::at_most;
  Scaled bound;
  std::string text;
  std::string mistake;  ///< why the claim is invalid; empty if it is valid
};
Promise operator<=(Quantity quantity, Scaled bound);
Promise operator>=(Quantity quantity, Scaled bound);

/// The claim as a ratio of times or counts, in which smaller is better where the quantity is a rate.
record::Claim concrete(const Promise& promise, const std::string& case_name, const std::string& reference_case);

/// Restricts a claim to cases with these axis values: claims(..., {{"batch", 8}, {"device", "cpu"}}).
struct Where {
  Selection selection;
  Where() = default;
  Where(std::initializer_list<std::pair<const char*, std::variant<int, const char*>>> values);
};

}  // namespace torchgate::bench
