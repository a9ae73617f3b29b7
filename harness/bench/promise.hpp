// SPDX-License-Identifier: Apache-2.0
// The notation for the claims of a group:
//   time() <= 0.9 * reference()                           of a variant, against the group's reference
//   time() <= 1.7 * reference()                           what it may cost
//   metric("peak_bytes") <= 0.4 * variant_named("plain")  against another variant
//   metric("peak_bytes") <= absolute(4'000'000)           a number of bytes
//   p99() <= 2.0 * own(time())                            against another value of the same case
//   items_per_second() >= 1.5 * case_with(batch(1))       of a sweep, against another of its own cases
// and, for proves(): metric("allocations") == 0.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/bench/observation.hpp"
#include "harness/bench/where.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// An optimisation that is not at least this much faster is too small for a time claim: claim another metric that it
/// improves. Factors above 1 bound a cost.
inline constexpr double least_time_claim = 1.05;

/// Left side of a claim.
struct Quantity {
  std::string metric;
  bool rate = false;  ///< items per second: higher is better, derived from the time and the items of a call
  std::string text;
  record::Quantile quantile = record::Quantile::median;
};
inline Quantity time() {
  return {"time", false, "time"};
}
inline Quantity items_per_second() {
  return {"time", true, "items/s"};
}
/// Any metric by its name: a counted one ("peak_bytes", "allocations", "allocated_bytes", "retained_bytes", "operator_calls",
/// "output_error"), or one of the variant's own.
inline Quantity metric(const std::string& name) {
  return {name, false, name};
}
/// A percentile of the samples of a process. P95 needs 21 samples, P99 101; with fewer the claim is not measured.
inline Quantity p95(const std::string& metric = "time") {
  return {metric, false, "P95 of " + metric, record::Quantile::p95};
}
inline Quantity p99(const std::string& metric = "time") {
  return {metric, false, "P99 of " + metric, record::Quantile::p99};
}

/// Right side: a multiple of another value.
struct Scaled {
  double factor = 1;
  Where where;                         ///< the group's own case with these axis values
  std::optional<std::string> variant;  ///< this variant with the same axis values
  std::optional<Quantity> own;         ///< another quantity of the same case
  std::string text;                    ///< all three empty: the group's reference with the same axis values
};
inline Scaled reference() {
  return {1, {}, {}, {}, "reference"};
}
/// Another variant of the group, for the same axis values.
inline Scaled variant_named(const std::string& name) {
  return {1, {}, name, {}, name};
}
/// Another quantity of the case itself: metric("gpu_time_graph") <= 0.9 * own(metric("gpu_time_hot")).
inline Scaled own(const Quantity& quantity) {
  return {1, {}, {}, quantity, "own " + quantity.text};
}
/// The group's own case that has this value of an axis. (`at` would read well, and is a namespace of LibTorch.)
Scaled case_with(const Where& value);
Scaled operator*(double factor, Scaled scaled);

/// Right side: a number of bytes. Only for an exact metric in bytes.
struct ByteBound {
  std::int64_t bytes = 0;
};
template <std::integral Number>
ByteBound absolute(Number number) {
  return {static_cast<std::int64_t>(number)};
}

struct Promise {
  Quantity quantity;
  record::Relation relation = record::Relation::at_most;
  Scaled bound;
  std::optional<ByteBound> limit;  ///< in place of the bound
  std::string text;
  std::string mistake;  ///< why the claim is invalid; empty if it is valid
};
Promise operator<=(Quantity quantity, Scaled bound);
Promise operator>=(Quantity quantity, Scaled bound);
Promise operator<=(Quantity quantity, ByteBound limit);
Promise operator>=(Quantity quantity, ByteBound limit);

/// The claim as a ratio of times or counts, in which smaller is better where the quantity is a rate. `reference_case` is
/// not used where there is a limit.
record::Claim concrete(const Promise& promise, const std::string& case_name, const std::string& reference_case);

// Evidence about an exact metric: metric("allocations") == 0. A whole number, so that it is not taken for a claim.
template <std::integral Count>
Expectation operator==(const Quantity& quantity, Count exactly) {
  return metric_is(quantity.metric, static_cast<std::int64_t>(exactly));
}
template <std::integral Count>
Expectation operator<=(const Quantity& quantity, Count most) {
  return metric_at_most(quantity.metric, static_cast<std::int64_t>(most));
}
template <std::integral Count>
Expectation operator>=(const Quantity& quantity, Count least) {
  return metric_at_least(quantity.metric, static_cast<std::int64_t>(least));
}

}  // namespace torchgate::bench
