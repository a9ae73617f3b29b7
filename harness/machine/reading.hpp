// SPDX-License-Identifier: Apache-2.0
// A value that was read, or why it could not be read.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::machine {

template <class T>
struct Reading {
  std::optional<T> value;
  std::string why = "not read";  ///< why there is no value

  Reading() = default;
  // NOLINTNEXTLINE(google-explicit-constructor,readability-redundant-member-init): for `= 3`; clears "not read"
  Reading(T read) : value(std::move(read)), why() {}
  /// The result of a function that may fail.
  Reading(const base::Result<T>& result) {  // NOLINT(google-explicit-constructor)
    if (result)
      value = *result, why.clear();
    else
      why = result.error().message;
  }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved, which the check does not see in a template
  static Reading unknown(std::string reason) {
    Reading reading;
    reading.why = std::move(reason);
    return reading;
  }

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

}  // namespace torchgate::machine
