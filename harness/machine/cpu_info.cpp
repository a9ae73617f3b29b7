// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/cpu_info.hpp"

#include <algorithm>
#include <optional>

#include "harness/machine/system_files.hpp"

namespace torchgate::machine {
namespace {

using Text = base::Result<std::string>;

struct CpuinfoLine {
  std::string_view name;
  std::string_view value;
};

/// "name<tab>: value"; absent: a line of another form.
std::optional<CpuinfoLine> cpuinfo_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
  return CpuinfoLine{line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1),
                     begin == std::string_view::npos ? "" : line.substr(begin)};
}

/// Cloud providers hide the model behind names such as "Intel(R) Xeon(R) Processor"; family and model distinguish the
/// generations.
std::string with_generation(const CpuInfo& sources, const std::string& name) {
  const auto family = cpuinfo(sources, "cpu family");
  const auto model = cpuinfo(sources, "model");
  return family && model ? name + " (family " + *family + " model " + *model + ")" : name;
}

/// Arm has no names, only numbers.
std::optional<std::string> arm_model(const CpuInfo& sources) {
  const auto implementer = cpuinfo(sources, "CPU implementer");
  const auto part = cpuinfo(sources, "CPU part");
  if (!implementer || !part) return std::nullopt;
  return "implementer " + *implementer + " part " + *part;
}

/// "sifive,u74-mc", else the numbers of vendor and design; those of an emulator are 0. `isa` alone is that of many models.
std::optional<std::string> riscv_model(const CpuInfo& sources) {
  if (auto name = cpuinfo(sources, "uarch")) return *std::move(name);
  const auto vendor = cpuinfo(sources, "mvendorid");
  const auto design = cpuinfo(sources, "marchid");
  if (!vendor || !design || (*vendor == "0x0" && *design == "0x0")) return std::nullopt;
  return "vendor " + *vendor + " design " + *design;
}

/// z/Architecture has one line for each CPU: "processor 0: version = FF,  identification = 0133E8,  machine = 8561".
std::optional<std::string> s390_model(const CpuInfo& sources) {
  constexpr std::string_view machine = "machine = ";
  const auto text = read_system_file(sources.root, "/proc/cpuinfo");
  if (!text) return std::nullopt;
  for (const std::string_view line : lines(*text)) {
    const auto parsed = cpuinfo_line(line);
    if (!parsed || !parsed->name.starts_with("processor ")) continue;
    const std::size_t at = parsed->value.find(machine);
    if (at == std::string_view::npos) continue;
    const std::string_view number = parsed->value.substr(at + machine.size());
    return "IBM/S390 machine " + std::string(number.substr(0, number.find_first_of(" ,")));
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::string> cpuinfo(const CpuInfo& sources, std::string_view key) {
  const auto text = read_system_file(sources.root, "/proc/cpuinfo");
  if (!text) return text.error();
  bool ours = sources.cpus.empty();
  for (const std::string_view line : lines(*text)) {
    const auto parsed = cpuinfo_line(line);
    if (!parsed) continue;
    if (parsed->name == "processor" && !sources.cpus.empty()) ours = to_integer(parsed->value) == sources.cpus.front();
    if (ours && parsed->name == key) return std::string(parsed->value);
  }
  return base::Error{base::ErrorCode::not_found, "/proc/cpuinfo: missing line '" + std::string(key) + "'"};
}

base::Result<std::string> cpu_model(const CpuInfo& sources) {
  auto name = cpuinfo(sources, "model name");
  if (name) return with_generation(sources, *name);
  if (auto arm = arm_model(sources)) return *std::move(arm);
  // POWER: "POWER9, altivec supported"; MIPS; LoongArch.
  for (const char* const key : {"cpu", "cpu model", "Model Name"})
    if (auto other = cpuinfo(sources, key)) return other;
  if (auto riscv = riscv_model(sources)) return *std::move(riscv);
  if (auto s390 = s390_model(sources)) return *std::move(s390);
  return name;
}

}  // namespace torchgate::machine
