// SPDX-License-Identifier: Apache-2.0
// Looks at the devices while a run goes on: afterwards they are idle, and every trace of throttling is gone.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/machine/doctor/nvml.hpp"

namespace torchgate::machine::doctor {

/// Often enough to meet every process of a suite, rare enough to cost nothing: a look takes well under a millisecond.
inline constexpr std::chrono::milliseconds default_look_every{250};

/// Adds one round of looks to what was seen so far.
void add_looks(GpuDuring& seen, const std::vector<Nvml::Look>& looks);

class GpuWatch {
 public:
  GpuWatch(std::shared_ptr<const Nvml> nvml, std::map<std::string, std::string> environment,
           std::chrono::milliseconds every = default_look_every);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  /// Ends the watch; what it saw.
  GpuDuring stop();

 private:
  void watch();

  std::shared_ptr<const Nvml> nvml_;
  std::map<std::string, std::string> environment_;
  std::chrono::milliseconds every_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool stop_ = false;
  GpuDuring seen_;
  std::thread thread_;
};

}  // namespace torchgate::machine::doctor
