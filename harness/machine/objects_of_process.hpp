// SPDX-License-Identifier: Apache-2.0
// Which files another process runs, read from /proc: for programs that do not report it themselves.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::machine {

/// Samples one process while it runs. A library is found at the first sample after it was loaded; one that is opened and
/// closed between two samples is missed.
class ObjectsOfProcess {
 public:
  explicit ObjectsOfProcess(std::filesystem::path proc = "/proc") : proc_(std::move(proc)) {}

  /// Reads /proc/PID/maps. A process that has ended or may not be read changes nothing. If the process runs another
  /// program since the last sample (a script that ends with exec), the list starts anew.
  void look(pid_t pid);

  /// As machine::loaded_objects() of that process, the executable first, the others in order of appearance. A file that was
  /// removed or replaced while it was mapped has 0 bytes. Empty: never read.
  [[nodiscard]] const std::vector<record::LoadedObject>& objects() const { return objects_; }

 private:
  void add(const std::string& path, bool deleted);

  std::filesystem::path proc_;
  std::vector<record::LoadedObject> objects_;
};

/// The file at PATH, an absolute path without links, as loaded_objects() describes it. A missing one has 0 bytes.
record::LoadedObject object_at(const std::string& path, bool executable);

/// The files with a part that can be executed, in the order of a maps file, each once, as the kernel writes them: a removed
/// one ends in " (deleted)". Anonymous memory, [vdso] and the like are left out.
std::vector<std::string> executable_files(std::string_view maps);

}  // namespace torchgate::machine
