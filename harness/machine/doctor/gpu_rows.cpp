// SPDX-License-Identifier: Apache-2.0
// The GPU rows that are read at one moment. With several devices a row is as bad as its worst device.
#include <unistd.h>

#include <array>
#include <utility>

#include "harness/machine/doctor/gpu_reasons.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// A device this close to its threshold may cross it within a minute.
constexpr unsigned near_degrees = 5;

std::string gib(std::uint64_t bytes) {
  return short_number(static_cast<double>(bytes) / (1ULL << 30U)) + " GiB";
}

MachineCheck other_processes(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_other_processes";
  if (!gpu.processes) return unknown(name, gpu.processes.why);
  std::string others;
  for (const unsigned pid : *gpu.processes)
    if (pid != static_cast<unsigned>(getpid())) others += (others.empty() ? "" : ", ") + std::to_string(pid);
  return others.empty() ? ok(name, "no other compute processes")
                        : bad(name, "other compute processes (pid " + others + ")");
}

/// NVML does not report whether clocks are locked. A locked device either reports its application clocks as the
/// reason of its clock, or keeps a high clock while idle; an unlocked one drops to its lowest.
MachineCheck clocks_locked(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_clocks_locked";
  if (!gpu.event_reasons) return unknown(name, gpu.event_reasons.why);
  if ((*gpu.event_reasons & reason_application_clocks) != 0)
    return ok(name, "the SM clock is locked (application clocks)");
  if (!gpu.sm_mhz) return unknown(name, gpu.sm_mhz.why);
  const bool idle = (*gpu.event_reasons & reason_idle) != 0;
  const bool high = gpu.sm_mhz->current * 2 > gpu.sm_mhz->other;
  if (idle && high) return ok(name, "the SM clock is locked (it stays high while idle)");
  return bad(name, "the SM clock is not locked: up to " + std::to_string(gpu.sm_mhz->other) + " MHz");
}

MachineCheck temperature(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_temperature";
  if (!gpu.temperature) return unknown(name, gpu.temperature.why);
  std::string seen =
      std::to_string(gpu.temperature->current) + " C, slow-down at " + std::to_string(gpu.temperature->other) + " C";
  bool near = gpu.temperature->current + near_degrees >= gpu.temperature->other;
  if (gpu.memory_temperature) {  // not all devices measure it
    seen += "; memory " + std::to_string(gpu.memory_temperature->current) + " of " +
            std::to_string(gpu.memory_temperature->other) + " C";
    near = near || gpu.memory_temperature->current + near_degrees >= gpu.memory_temperature->other;
  }
  return near ? bad(name, seen) : ok(name, seen);
}

MachineCheck persistence(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_persistence";
  if (!gpu.persistence) return unknown(name, gpu.persistence.why);
  return *gpu.persistence ? ok(name, "persistence mode is on") : bad(name, "persistence mode is off");
}

/// The expected profile is known from the baseline only: a change is found by comparing (examine_run, and the gate).
MachineCheck mig(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_mig";
  if (!gpu.mig) return unknown(name, gpu.mig.why);
  const std::string seen = gpu.mig->current == 0 ? "MIG is off" : "MIG profile " + gpu.mig_profile;
  if (gpu.mig->current != gpu.mig->other) return bad(name, seen + "; another mode is pending", CheckSeverity::warning);
  if (gpu.mig->current != 0 && gpu.mig_profile.empty()) return bad(name, "MIG is on, but no slice exists");
  return ok(name, seen);
}

MachineCheck ecc(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_ecc";
  if (!gpu.ecc) return unknown(name, gpu.ecc.why);
  const std::string seen = gpu.ecc->current == 0 ? "ECC is off" : "ECC is on";
  return gpu.ecc->current == gpu.ecc->other ? ok(name, seen) : bad(name, seen + "; the other mode is pending");
}

MachineCheck ecc_errors(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_ecc_errors";
  if (!gpu.uncorrected_errors) return unknown(name, gpu.uncorrected_errors.why);
  const std::string seen = std::to_string(*gpu.uncorrected_errors) + " uncorrected memory errors";
  return *gpu.uncorrected_errors > 0 ? bad(name, seen) : ok(name, seen);
}

MachineCheck power_limit(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_power_limit";
  if (!gpu.power_limit_mw) return unknown(name, gpu.power_limit_mw.why);
  const std::string seen = "power limit " + std::to_string(gpu.power_limit_mw->current / 1000) + " W, default " +
                           std::to_string(gpu.power_limit_mw->other / 1000) + " W";
  return gpu.power_limit_mw->current == gpu.power_limit_mw->other ? ok(name, seen) : bad(name, seen);
}

MachineCheck compute_mode(const GpuDevice& gpu, const Asked&) {
  constexpr std::array names{"default", "exclusive thread", "prohibited", "exclusive process"};
  constexpr unsigned prohibited = 2;
  const char* const name = "gpu_compute_mode";
  if (!gpu.compute_mode) return unknown(name, gpu.compute_mode.why);
  if (*gpu.compute_mode >= names.size()) return unknown(name, "mode " + std::to_string(*gpu.compute_mode));
  const std::string seen = std::string("compute mode: ") + names.at(*gpu.compute_mode);
  return *gpu.compute_mode == prohibited ? bad(name, seen) : ok(name, seen);
}

/// An idle device lowers the generation of its link to save power, but keeps its width.
MachineCheck pcie(const GpuDevice& gpu, const Asked&) {
  const char* const name = "gpu_pcie";
  if (!gpu.pcie_generation) return unknown(name, gpu.pcie_generation.why);
  if (!gpu.pcie_width) return unknown(name, gpu.pcie_width.why);
  const auto of = [](const Pair& pair) { return std::to_string(pair.current) + " of " + std::to_string(pair.other); };
  const std::string seen = "PCIe generation " + of(*gpu.pcie_generation) + ", width " + of(*gpu.pcie_width);
  const bool idle = gpu.event_reasons && (*gpu.event_reasons & reason_idle) != 0;
  const bool slow = gpu.pcie_generation->current < gpu.pcie_generation->other && !idle;
  return slow || gpu.pcie_width->current < gpu.pcie_width->other ? bad(name, seen) : ok(name, seen);
}

MachineCheck memory(const GpuDevice& gpu, const Asked& asked) {
  const char* const name = "gpu_memory";
  if (!gpu.memory) return unknown(name, gpu.memory.why);
  const std::string seen = gib(gpu.memory->free_bytes) + " of " + gib(gpu.memory->total_bytes) + " free";
  return gpu.memory->free_bytes < asked.device_bytes ? bad(name, seen + ", " + gib(asked.device_bytes) + " needed")
                                                     : ok(name, seen);
}

using Row = MachineCheck (*)(const GpuDevice&, const Asked&);
constexpr std::array<std::pair<const char*, Row>, 11> rows{{{"gpu_other_processes", other_processes},
                                                            {"gpu_clocks_locked", clocks_locked},
                                                            {"gpu_temperature", temperature},
                                                            {"gpu_persistence", persistence},
                                                            {"gpu_mig", mig},
                                                            {"gpu_ecc", ecc},
                                                            {"gpu_ecc_errors", ecc_errors},
                                                            {"gpu_power_limit", power_limit},
                                                            {"gpu_compute_mode", compute_mode},
                                                            {"gpu_pcie", pcie},
                                                            {"gpu_memory", memory}}};

int badness(const MachineCheck& check) {
  if (check.answer == CheckAnswer::bad) return 4 - static_cast<int>(check.severity);
  return check.answer == CheckAnswer::unknown ? 1 : 0;
}

MachineCheck worst_of(const GpuSnapshot& now, const Asked& asked, Row row) {
  MachineCheck worst;
  std::string all;
  for (const GpuDevice& gpu : now.devices) {
    MachineCheck check = row(gpu, asked);
    if (now.devices.size() > 1)
      all += (all.empty() ? "GPU " : "; GPU ") + std::to_string(gpu.index) + ": " + check.seen;
    if (worst.name.empty() || badness(check) > badness(worst)) worst = std::move(check);
  }
  if (!all.empty()) worst.seen = all;
  return worst;
}

}  // namespace

MachineChecks gpu_rows(const GpuSnapshot& now, const Asked& asked) {
  MachineChecks checks;
  for (const auto& [name, row] : rows) {
    if (now.devices.empty()) {
      checks.push_back(unknown(name, now.unknown));
    } else {
      checks.push_back(worst_of(now, asked, row));
    }
    MachineCheck& check = checks.back();
    if (check.answer == CheckAnswer::ok && !now.selection_doubt.empty()) check = unknown(name, now.selection_doubt);
    // The run does not use the device: a problem with it is reported, but fails nothing.
    if (!asked.cuda) check.severity = CheckSeverity::info;
  }
  return checks;
}

}  // namespace torchgate::machine::doctor
