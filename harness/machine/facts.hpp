// SPDX-License-Identifier: Apache-2.0
// The machine and its settings: the facts that decide which runs may be compared, and the key made from them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::machine {

/// Where facts are read from. Tests set `root` to a captured tree and fill in the rest.
struct FactSources {
  std::filesystem::path root = "/";                ///< the folder that holds proc, sys and dev
  std::vector<int> cpus;                           ///< CPUs in the affinity mask; empty: unknown
  std::map<std::string, std::string> environment;  ///< of the suite processes
  std::string architecture;                        ///< uname machine: "x86_64"
  std::string kernel;                              ///< uname release
  std::string hostname;
  std::string libc;  ///< "glibc 2.36"; empty: unknown
};

/// The CPUs that the calling thread may run on, ascending; empty: unknown.
std::vector<int> affinity();

/// The machine this program runs on, with this process's affinity mask and environment.
FactSources this_machine();

/// Every fact has a value or the reason why it is unknown; a missing file (virtual machines and containers have few of
/// them) is never an error. Facts of class host: architecture, cpu_model, cpu_count, threads; the host key is made
/// from these only.
record::Machine collect_machine(const FactSources& sources);

/// "x86_64-xeon-6975p-2cpu-3f9a2c1b": architecture, model, CPUs, and eight digits of the SHA-256 of all facts of class
/// host in `facts` as "name=value" lines. An unknown fact is the word "unknown" in it, so two unknown hosts get the
/// same key: the gate does not compare their times (gate::host_unknown).
std::string host_key(const std::vector<record::MachineFact>& facts);

}  // namespace torchgate::machine
