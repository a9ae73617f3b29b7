// SPDX-License-Identifier: Apache-2.0
// See README.md one folder up.
#pragma once

#include <chrono>

namespace gloo {

class Context {
 public:
  virtual ~Context();
  void setTimeout(std::chrono::milliseconds timeout);
  [[nodiscard]] std::chrono::milliseconds getTimeout() const;
};

}  // namespace gloo
