// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/gpu_watch.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "harness/machine/doctor/gpu_reasons.hpp"

namespace torchgate::machine::doctor {

void add_looks(GpuDuring& seen, const std::vector<Nvml::Look>& looks) {
  seen.clocks.resize(std::max(seen.clocks.size(), looks.size()));
  for (std::size_t device = 0; device < looks.size(); ++device) {
    const Nvml::Look& look = looks[device];
    if (look.reasons) {
      seen.reasons |= *look.reasons;
      ++seen.looks;
    }
    const bool idle = look.reasons && (*look.reasons & reason_idle) != 0;
    if (idle || !look.sm_mhz) continue;
    const double mhz = *look.sm_mhz;
    if (!seen.clocks[device]) seen.clocks[device] = BusyClock{mhz, mhz};
    seen.clocks[device]->last_mhz = mhz;
  }
}

GpuWatch::GpuWatch(std::shared_ptr<const Nvml> nvml, std::map<std::string, std::string> environment,
                   std::chrono::milliseconds every)
    : nvml_(std::move(nvml)), environment_(std::move(environment)), every_(every) {
  // Signals must go to the thread that starts and stops processes.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

GpuWatch::~GpuWatch() {
  stop();
}

GpuDuring GpuWatch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
  return seen_;
}

void GpuWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    const auto looks = nvml_->look(environment_);
    lock.lock();
    add_looks(seen_, looks);
    ended_.wait_for(lock, every_, [this] { return stop_; });
  }
}

}  // namespace torchgate::machine::doctor
