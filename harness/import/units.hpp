// SPDX-License-Identifier: Apache-2.0
// The one table of units: what a unit says about its values, whichever tool wrote it. README.md ("Units") has the same words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/record/metric.hpp"

namespace torchgate::import {

/// A unit of time under all of its names.
struct TimeUnit {
  double ns;
  std::span<const std::string_view> names;
};
std::span<const TimeUnit> time_units();

/// What a program does more of where it is faster, in the singular: "op", "request", "B". A plural, a prefix (k, M, G, T, P, Ki, Mi,
/// ...) and capitals are accepted with each.
std::span<const std::string_view> work_words();
/// What each unit of work costs: "B/op", "allocs/op".
std::span<const std::string_view> cost_words();
std::span<const std::string_view> unit_prefixes();

enum class UnitKind {
  duration,       ///< "ms": lower is better
  time_per_work,  ///< "ns/op": lower is better
  cost_per_work,  ///< "B/op": lower is better
  rate,           ///< "Mops/s", "tokens_per_second": higher is better
  unknown         ///< "tps", "errors/s", "Megabytes": it does not say what is better
};

struct UnitMeaning {
  UnitKind kind = UnitKind::unknown;
  std::optional<record::Direction> better;  ///< absent: unknown
  std::optional<double> ns;                 ///< of one, where it is a time
  std::string per = {};                     ///< of a time: for what, "frame", where that is not a call of the benchmark

  /// More of it cannot be better: a file that says so describes another value.
  [[nodiscard]] bool is_time() const { return kind == UnitKind::duration || kind == UnitKind::time_per_work; }
};

/// "/", "_per_", " per " and "-per-" all stand between what is counted and what it is counted for.
UnitMeaning meaning_of_unit(std::string_view unit);

/// "ns", "us", "µs", "ms", "s", "sec", "min", "hr", ...; absent: not a unit of time.
std::optional<double> ns_per_unit(std::string_view unit);

/// The unit in the name of a counter: "tokens/s" of "tokens_per_second", "s/op" of "s_per_op"; "ns" of "ns"; "1" where the name has none. Of names
/// without a "per", the units of a time up to a second are units: a counter "h" may be a height, and "min" the least.
std::string unit_in_name(std::string_view name);

}  // namespace torchgate::import
