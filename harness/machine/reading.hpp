// SPDX-License-Identifier: Apache-2.0
// A value that could be read, or why it could not.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::machine {

template <class T>
struct Reading {
  std::optional<T> value;
  std::string why = "not asked";  ///< why there is no value

  Reading() = default;
  Reading(T read) : value(std::move(read)), why() {}  // NOLINT(google-explicit-constructor): `= 3` is the point
  /// What a function that may fail gave.
  Reading(const base::Result<T>& result) {  // NOLINT(google-explicit-constructor)
    if (result)
      value = *result, why.clear();
    else
      why = result.error().message;
  }
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
