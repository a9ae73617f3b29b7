// SPDX-License-Identifier: Apache-2.0
// NVML, opened at run time. A function that the library lacks makes only its own readings unknown.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/machine/doctor/gpu_snapshot.hpp"

namespace torchgate::machine::doctor {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

class Nvml {
 public:
  /// not_found: the library is missing. io: it could not be initialised (no driver, no permission).
  static base::Result<std::shared_ptr<const Nvml>> open(const std::string& library = nvml_library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The devices selected by CUDA_VISIBLE_DEVICES of ENVIRONMENT (all without it), with all their readings.
  [[nodiscard]] GpuSnapshot snapshot(const std::map<std::string, std::string>& environment) const;

  /// The readings that change during a run, for GpuWatch.
  struct Look {
    std::optional<std::uint64_t> reasons;
    std::optional<unsigned> sm_mhz;
  };
  [[nodiscard]] std::vector<Look> look(const std::map<std::string, std::string>& environment) const;

 private:
  explicit Nvml(void* library) : library_(library) {}

  void* library_;
};

/// The snapshot; if NVML is not available, one without devices that holds the reason.
GpuSnapshot look_at_gpus(const base::Result<std::shared_ptr<const Nvml>>& nvml,
                         const std::map<std::string, std::string>& environment);

}  // namespace torchgate::machine::doctor
