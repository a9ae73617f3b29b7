// SPDX-License-Identifier: Apache-2.0
// Which cases of a group something is said of:
//   batch(8)                           those with this value; `batch` is what Group::axis() returned
//   batch(1, 8)                        with one of these values
//   cpu, cuda                          on this device
//   where(cpu, batch(8), op("mm"))     all of it at once
//   none                               no case: quick(none)
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/args.hpp"

namespace torchgate::bench {

struct Where {
  struct Term {
    std::string axis;
    std::vector<AxisValue> any_of;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;  ///< a case satisfies each of them; without any: every case
  bool operator==(const Where&) const = default;
};

template <std::convertible_to<Where>... Terms>
Where where(const Terms&... terms) {
  Where all;
  for (const Where& each : std::initializer_list<Where>{terms...})
    all.terms.insert(all.terms.end(), each.terms.begin(), each.terms.end());
  return all;
}

/// An axis of a group, as its author declared it. Called with values it selects the cases that have one of them.
class Axis {
 public:
  template <class... Values>
  Where operator()(const Values&... values) const {
    return {{{name_, {value_of(values)...}}}};
  }

 private:
  friend class Group;
  explicit Axis(std::string name) : name_(std::move(name)) {}
  static AxisValue value_of(std::integral auto number) { return static_cast<std::int64_t>(number); }
  static AxisValue value_of(const char* word) { return std::string(word); }

  std::string name_;
};

/// The cases of one device, in a group that has the axis "device".
struct OnDevice {
  const char* name;
  operator Where() const { return {{{"device", {std::string(name)}}}}; }  // NOLINT(google-explicit-constructor)
};
inline constexpr OnDevice cpu{"cpu"};
inline constexpr OnDevice cuda{"cuda"};

struct NoCase {
  operator Where() const { return {{{"", {}}}}; }  // NOLINT(google-explicit-constructor)
};
inline constexpr NoCase none;

}  // namespace torchgate::bench
