// SPDX-License-Identifier: Apache-2.0
// Samples the devices during a run: afterwards they are idle and no longer report throttling.
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

/// Often enough to sample every process of a suite, rare enough to be negligible: a sample takes well under a
/// millisecond.
inline constexpr std::chrono::milliseconds default_look_every{250};

/// Adds one round of samples to those seen so far.
void add_looks(GpuDuring& seen, const std::vector<Nvml::Look>& looks);

class GpuWatch {
 public:
  GpuWatch(std::shared_ptr<const Nvml> nvml, std::map<std::string, std::string> environment,
           std::chrono::milliseconds every = default_look_every);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  /// Stops the thread and returns what it observed.
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
