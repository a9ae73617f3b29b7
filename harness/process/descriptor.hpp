// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace torchgate::process {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) close(), value_ = std::exchange(other.value_, -1);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool open() const { return value_ >= 0; }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }

 private:
  int value_ = -1;
};

}  // namespace torchgate::process
