// SPDX-License-Identifier: Apache-2.0
// A value, or the reason why there is none. std::expected is C++23 and nvcc 13 stops at C++20.
//
// Three kinds of failure exist here: a programming error is an assertion; an expected failure (no baseline, a
// malformed file, a machine that differs) is an Error; statistical doubt is neither: it is a verdict with reasons.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace torchgate::base {

enum class ErrorCode {
  bad_input,    ///< an invalid file, argument or policy
  not_found,    ///< the named thing does not exist
  no_verdict,   ///< nothing can be judged: no baseline, hosts differ, shards missing
  io,           ///< the operating system reported an error: disk full, permission, broken pipe
  interrupted,  ///< stopped by the user or a signal
  internal      ///< a programming error, found at run time
};

/// What went wrong, where, and what to do about it, in one sentence without a trailing full stop.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;

  /// The same error one layer further out: "context: message".
  [[nodiscard]] Error within(const std::string& context) const { return {code, context + ": " + message}; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;` is the point
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// REQUIRES: ok().
  [[nodiscard]] const T& value() const& { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] T& value() & { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return assert(ok()), std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// REQUIRES: !ok().
  [[nodiscard]] const Error& error() const { return assert(!ok()), std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  /// REQUIRES: !ok().
  [[nodiscard]] const Error& error() const { return assert(!ok_), error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace torchgate::base
