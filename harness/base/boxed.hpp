// SPDX-License-Identifier: Apache-2.0
// An optional value that is rarely present, and costs only a pointer when it is absent. A run has 100,000 results,
// most of whose members stay empty.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <utility>

namespace torchgate::base {

/// As std::optional<T>, copies and comparisons included.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  Boxed(std::optional<T> value)  // NOLINT(google-explicit-constructor): the same in less space
      : value_(value ? std::make_unique<T>(*std::move(value)) : nullptr) {}
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }

  void reset() { value_.reset(); }

  /// REQUIRES: has_value().
  const T& operator*() const { return assert(has_value()), *value_; }
  T& operator*() { return assert(has_value()), *value_; }
  const T* operator->() const { return &**this; }
  T* operator->() { return &**this; }

  bool operator==(const Boxed& other) const {
    return value_ && other.value_ ? *value_ == *other.value_ : has_value() == other.has_value();
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace torchgate::base
