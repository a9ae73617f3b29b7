// SPDX-License-Identifier: Apache-2.0
// at::autocast for a scope, as torch.autocast of Python does it; LibTorch has the state but not the class.
#pragma once

#include <ATen/autocast_mode.h>

namespace torchgate::suites {

class Autocast {
 public:
  Autocast(torch::DeviceType device, torch::Dtype dtype)
      : device_(device),
        was_enabled_(at::autocast::is_autocast_enabled(device)),
        previous_(at::autocast::get_autocast_dtype(device)) {
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, dtype);
    at::autocast::increment_nesting();
  }
  /// Drops the cast weights too: an optimizer changes them before the next scope.
  ~Autocast() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, was_enabled_);
    at::autocast::set_autocast_dtype(device_, previous_);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  torch::DeviceType device_;
  bool was_enabled_;
  torch::Dtype previous_;
};

}  // namespace torchgate::suites
