// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/facts.hpp"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/base/timestamp.hpp"
#include "harness/machine/cgroup.hpp"
#include "harness/machine/cpu_info.hpp"
#include "harness/machine/slurm_facts.hpp"
#include "harness/machine/system_files.hpp"

namespace torchgate::machine {
namespace {

using record::FactClass;
using record::MachineFact;
using Text = base::Result<std::string>;

// The year 2200: a clock that counts nanoseconds in 64 bits ends in 2262.
constexpr std::int64_t latest_boot_s = 7'258'118'400;

constexpr const char* system_allocator = "system";

const std::string cpu_folder = "/sys/devices/system/cpu/";

base::Error unknown(const std::string& reason) {
  return {base::ErrorCode::not_found, reason};
}

MachineFact fact(const std::string& name, FactClass fact_class, const Text& text) {
  if (text && !text->empty()) return {name, *text, "", fact_class};
  return {name, std::nullopt, text ? "empty" : text.error().message, fact_class};
}

Text threads(const FactSources& sources) {
  std::string text;
  for (const char* const name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
    const auto variable = sources.environment.find(name);
    if (variable != sources.environment.end())
      text += (text.empty() ? "" : " ") + variable->first + "=" + variable->second;
  }
  return text.empty() ? "default" : text;
}

/// What changes how malloc takes memory from the system; "system" where nothing does. Times of code with large tensors differ by
/// up to half between two values.
std::string allocator(const FactSources& sources) {
  std::string text;
  for (const auto& [name, value] : sources.environment) {
    if (name == "GLIBC_TUNABLES" || name.starts_with("MALLOC_")) text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text.empty() ? system_allocator : text;
}

Text governor(const FactSources& sources) {
  if (sources.cpus.empty()) return unknown("the affinity mask is unknown");
  std::set<std::string> governors;
  for (const int cpu : sources.cpus) {
    auto text = read_system_file(sources.root, cpu_folder + "cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor");
    if (!text) return text;
    governors.insert(*text);
  }
  std::string all;
  for (const std::string& each : governors) all += (all.empty() ? "" : ", ") + each;
  return all;
}

Text switch_of(const Text& text, std::string_view on, std::string_view off) {
  if (!text) return text;
  if (*text == on) return std::string("on");
  if (*text == off) return std::string("off");
  return unknown("'" + *text + "' is neither " + std::string(on) + " nor " + std::string(off));
}

Text turbo(const FactSources& sources) {
  const auto intel = read_system_file(sources.root, cpu_folder + "intel_pstate/no_turbo");
  if (intel) return switch_of(intel, "0", "1");
  return switch_of(read_system_file(sources.root, cpu_folder + "cpufreq/boost"), "1", "0");
}

/// "always [madvise] never": the mode in brackets is active.
Text transparent_huge_pages(const FactSources& sources) {
  auto text = read_system_file(sources.root, "/sys/kernel/mm/transparent_hugepage/enabled");
  if (!text) return text;
  const std::size_t begin = text->find('[');
  const std::size_t end = text->find(']', begin);
  if (end == std::string::npos) return unknown("no mode in brackets: '" + *text + "'");
  return text->substr(begin + 1, end - begin - 1);
}

Text virtual_machine(const FactSources& sources) {
  const auto flags = cpuinfo({sources.root, sources.cpus}, "flags");
  // Processors other than x86 have no such flag, and only some hypervisors say that they are there.
  for (const char* const name : {"/sys/hypervisor/type", "/proc/device-tree/hypervisor/compatible"})
    if (!flags && read_system_file(sources.root, name)) return std::string("yes");
  if (!flags) return flags;
  const auto all = words(*flags);
  return std::string(std::find(all.begin(), all.end(), "hypervisor") == all.end() ? "no" : "yes");
}

Text swap(const FactSources& sources) {
  const auto text = read_system_file(sources.root, "/proc/swaps");
  if (!text) return text;
  return std::string(lines(*text).size() > 1 ? "on" : "off");  // the first line is the heading
}

Text quota(const FactSources& sources) {
  const auto limit = cpu_quota(sources.root);
  if (!limit) return limit.error();
  if (!limit->cpus) return std::string("none");
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g CPUs", *limit->cpus);
  return std::string(text.data());
}

/// Variables that change what is measured or how fast it runs (TorchBench's machine_config.py and ours).
Text switches(const FactSources& sources) {
  std::string text;
  for (const char* const name :
       {"CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "DEBUG", "DNNL_VERBOSE", "KMP_AFFINITY", "KMP_BLOCKTIME",
        "LD_PRELOAD", "MKLDNN_VERBOSE", "MKL_VERBOSE", "NCCL_DEBUG", "OMP_PROC_BIND", "ONEDNN_MAX_CPU_ISA",
        "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_JIT_LOG_LEVEL", "TORCH_SHOW_CPP_STACKTRACES"}) {
    const auto variable = sources.environment.find(name);
    if (variable != sources.environment.end())
      text += (text.empty() ? "" : " ") + variable->first + "=" + variable->second;
  }
  return text.empty() ? "none" : text;
}

/// Every variable that the loader, the C library, LibTorch or one of its libraries may read: equal where nothing is measured. Those of torchgate
/// itself change no suite, and some are secrets: a token, or the URL of a store.
Text library_environment(const FactSources& sources) {
  std::string text;
  for (const auto& [name, value] : sources.environment) {
    const auto begins = [&variable = name](std::string_view prefix) { return variable.starts_with(prefix); };
    static constexpr std::array prefixes{"ATEN_", "BLIS_",   "C10_",      "CUBLAS",   "CUDA_", "CUDNN_",
                                         "DNNL_", "GLIBC_",  "GLOO_",     "GOMP_",    "KMP_",  "LANG",
                                         "LC_",   "LD_",     "MALLOC_",   "MKL",      "NCCL_", "NVIDIA_",
                                         "OMP_",  "ONEDNN_", "OPENBLAS_", "PYTORCH_", "TORCH", "TP_"};
    if (begins("TORCHGATE_")) continue;
    if (std::any_of(prefixes.begin(), prefixes.end(), begins)) text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text.empty() ? "none" : text;
}

Text pressure(const FactSources& sources) {
  auto text = read_system_file(sources.root, "/proc/pressure/cpu");
  if (!text || lines(*text).empty()) return text;
  return std::string(lines(*text).front());
}

Text boot_time(const FactSources& sources) {
  const auto text = read_system_file(sources.root, "/proc/stat");
  if (!text) return text;
  for (const std::string_view line : lines(*text)) {
    const auto fields = words(line);
    if (fields.size() != 2 || fields[0] != "btime") continue;
    if (const auto seconds = to_count(fields[1]); seconds && *seconds <= latest_boot_s)
      return base::utc_timestamp(std::chrono::system_clock::time_point(std::chrono::seconds(*seconds)));
  }
  return unknown("/proc/stat: missing line 'btime'");
}

bool has_cuda_device(const FactSources& sources) {
  for (const char* const file : {"dev/nvidiactl", "dev/nvidia0", "dev/dxg"}) {  // dxg: a GPU inside WSL
    std::error_code ignored;
    if (std::filesystem::exists(sources.root / file, ignored)) return true;
  }
  return false;
}

}  // namespace

std::vector<int> affinity() {
  // More CPUs than a cpu_set_t has: the kernel answers EINVAL until the mask is large enough.
  for (std::size_t cpus = CPU_SETSIZE; cpus <= 64 * CPU_SETSIZE; cpus *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(cpus), [](cpu_set_t* set) { CPU_FREE(set); });
    if (mask == nullptr || sched_getaffinity(0, bytes, mask.get()) != 0) continue;
    std::vector<int> result;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, mask.get())) result.push_back(static_cast<int>(cpu));
    return result;
  }
  return {};
}

FactSources this_machine() {
  FactSources sources;
  sources.cpus = affinity();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) sources.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  utsname names{};
  if (uname(&names) == 0) {
    sources.architecture = names.machine;
    sources.kernel = names.release;
    sources.hostname = names.nodename;
  }
  sources.libc = std::string("glibc ") + gnu_get_libc_version();
  return sources;
}

record::Machine collect_machine(const FactSources& sources) {
  const auto file = [&](const std::string& path) { return read_system_file(sources.root, path); };
  const auto given = [](const std::string& text) -> Text {
    if (text.empty()) return unknown("not reported by the operating system");
    return text;
  };
  const std::string cpus = sources.cpus.empty() ? "" : std::to_string(sources.cpus.size());

  const std::string malloc_settings = allocator(sources);

  record::Machine machine;
  machine.facts = {
      fact("architecture", FactClass::host, given(sources.architecture)),
      fact("cpu_model", FactClass::host, cpu_model({sources.root, sources.cpus})),
      fact("cpu_count", FactClass::host, given(cpus)),
      fact("threads", FactClass::host, threads(sources)),
      // Records of the time before this fact had the system's allocator: their host key stays what it was.
      fact("allocator", malloc_settings == system_allocator ? FactClass::info : FactClass::host, malloc_settings),
      fact("kernel", FactClass::warn, given(sources.kernel)),
      fact("libc", FactClass::warn, given(sources.libc)),
      fact("microcode", FactClass::warn, cpuinfo({sources.root, sources.cpus}, "microcode")),
      fact("governor", FactClass::warn, governor(sources)),
      fact("turbo", FactClass::warn, turbo(sources)),
      fact("smt", FactClass::warn, switch_of(file(cpu_folder + "smt/active"), "1", "0")),
      fact("transparent_huge_pages", FactClass::warn, transparent_huge_pages(sources)),
      fact("virtual_machine", FactClass::warn, virtual_machine(sources)),
      fact("clocksource", FactClass::warn, file("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
      fact("swap", FactClass::warn, swap(sources)),
      fact("cgroup_cpu_quota", FactClass::warn, quota(sources)),
      fact("aslr", FactClass::warn, file("/proc/sys/kernel/randomize_va_space")),
      fact("environment_switches", FactClass::warn, switches(sources)),
      fact("library_environment", FactClass::info, library_environment(sources)),
      fact("hostname", FactClass::info, given(sources.hostname)),
      fact("load_average", FactClass::info, file("/proc/loadavg")),
      fact("cpu_pressure", FactClass::info, pressure(sources)),
      fact("boot_time", FactClass::info, boot_time(sources)),
  };
  for (MachineFact& of_job : slurm_facts(sources.environment, sources.cpus)) machine.facts.push_back(std::move(of_job));
  if (has_cuda_device(sources))
    machine.facts.push_back(fact("gpu", FactClass::device, unknown("NVML was not queried")));
  machine.host_key = host_key(machine.facts);
  return machine;
}

}  // namespace torchgate::machine
