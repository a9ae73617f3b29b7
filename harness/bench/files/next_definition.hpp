// SPDX-License-Identifier: Apache-2.0
// The C library's definition of a function that is interposed here.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cerrno>

namespace torchgate::bench {

class KeepErrno {
 public:
  KeepErrno() : value_(errno) {}
  ~KeepErrno() { errno = value_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  int value_;
};

/// Found before main(), so that a signal handler need not look for it; when it is called before that, at the first call.
class NextDefinition {
 public:
  constexpr explicit NextDefinition(const char* name) : name_(name) {}

  void* find() noexcept {
    const KeepErrno keep;
    void* const found = dlsym(RTLD_NEXT, name_);
    found_.store(found, std::memory_order_relaxed);
    return found;
  }

  template <class Function>
  Function* as() noexcept {
    void* const found = found_.load(std::memory_order_relaxed);
    return reinterpret_cast<Function*>(found != nullptr ? found : find());
  }

 private:
  const char* name_;
  std::atomic<void*> found_{nullptr};
};

}  // namespace torchgate::bench

/// Before our definition of NAME.
#define TORCHGATE_NEXT_OF(name)                                           \
  static constinit ::torchgate::bench::NextDefinition next_##name{#name}; \
  __attribute__((constructor(101))) static void find_##name() {           \
    next_##name.find();                                                   \
  }

/// Inside of it: the definition behind it.
#define TORCHGATE_NEXT(name) next_##name.as<decltype(name)>()
