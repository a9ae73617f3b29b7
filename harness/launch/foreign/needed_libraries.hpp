// SPDX-License-Identifier: Apache-2.0
// The libraries that the loader maps for a program before any of its code runs: known for a program that ends before /proc can be read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/process.hpp"
#include "harness/record/process.hpp"

namespace torchgate::launch {

struct NeededLibraries {
  /// With the executable first, by their real paths, as ObjectsOfProcess has them. Absent: not known.
  std::optional<std::vector<record::LoadedObject>> objects;
  std::string unknown;  ///< why not: "/opt/run.sh is not an ELF file"
};

/// Asks the dynamic loader that EXECUTABLE names (`--list`), in the environment and folder of COMMAND, so that search paths
/// need not be modelled here. Nothing of EXECUTABLE runs. Not known for a script, and with another loader than glibc's.
NeededLibraries needed_libraries(process::Command command, const std::filesystem::path& executable);

/// OBJECTS, which were seen in a process, and those of NEEDED that were not. Unchanged if the process ran another executable than NEEDED is of.
void add_needed(const NeededLibraries& needed, std::vector<record::LoadedObject>& objects);

/// The paths in the output of a loader's `--list`, in its order. Absent: a library was not found.
std::optional<std::vector<std::string>> listed_libraries(const std::string& output);

}  // namespace torchgate::launch
