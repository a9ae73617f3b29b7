// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/needed_libraries.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <system_error>

#include "harness/machine/elf_soname.hpp"
#include "harness/machine/objects_of_process.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

/// It maps the libraries; LibTorch with CUDA, cold, takes some seconds.
constexpr std::chrono::seconds longest_list{60};
/// Some hundred lines of two paths each.
constexpr std::size_t most_output_bytes = std::size_t{1} << 20;

/// musl's loader has the name of its C library, and other options.
bool is_of_glibc(const std::string& interpreter) {
  const std::string name = fs::path(interpreter).filename().string();
  return name.starts_with("ld-linux") || name.starts_with("ld64.so");
}

NeededLibraries not_known(std::string why) {
  return {std::nullopt, std::move(why)};
}

}  // namespace

std::optional<std::vector<std::string>> listed_libraries(const std::string& output) {
  std::vector<std::string> paths;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    // "\tlibm.so.6 => /lib/libm.so.6 (0x00007f...)", "\t/lib64/ld-linux-x86-64.so.2 (0x00007f...)", "\tlibx.so => not found"
    if (line.ends_with("=> not found")) return std::nullopt;
    const std::size_t arrow = line.find(" => ");
    const std::size_t begin = arrow == std::string::npos ? line.find_first_not_of(" \t") : arrow + 4;
    const std::size_t end = line.rfind(" (0x");
    if (begin == std::string::npos || end == std::string::npos || end <= begin || line[begin] != '/') continue;
    paths.push_back(line.substr(begin, end - begin));
  }
  return paths;
}

NeededLibraries needed_libraries(process::Command command, const fs::path& executable) {
  const auto interpreter = machine::elf_interpreter(executable);
  if (!interpreter) return not_known(executable.string() + " is not an ELF file");
  std::vector<record::LoadedObject> objects{machine::object_at(executable.string(), true)};
  if (interpreter->empty()) return {std::move(objects), ""};  // linked statically
  if (!is_of_glibc(*interpreter)) return not_known("its loader is " + *interpreter + ", not glibc's");
  command.executable = *interpreter;
  command.arguments = {"--list", executable.string()};
  command.output_file.clear();
  command.look = nullptr;
  command.tail_bytes = most_output_bytes;
  command.time_limit = longest_list;
  const process::Outcome outcome = process::run_process(command);
  const auto paths = listed_libraries(outcome.tail);
  if (outcome.exit_code != 0 || !paths) return not_known("its loader cannot list its libraries: " + outcome.tail);
  for (const std::string& path : *paths) {
    std::error_code failed;
    const fs::path real = fs::canonical(path, failed);
    if (failed) return not_known(path + ": " + failed.message());
    objects.push_back(machine::object_at(real.string(), false));
  }
  return {std::move(objects), ""};
}

void add_needed(const NeededLibraries& needed, std::vector<record::LoadedObject>& objects) {
  if (!needed.objects) return;
  const record::LoadedObject& executable = needed.objects->front();
  if (!objects.empty() &&
      (objects.front().inode != executable.inode || objects.front().mtime_ns != executable.mtime_ns ||
       objects.front().bytes != executable.bytes))
    return;
  for (const record::LoadedObject& object : *needed.objects) {
    const auto same = [&](const record::LoadedObject& each) { return each.path == object.path; };
    if (object.executable ? objects.empty() : std::none_of(objects.begin(), objects.end(), same))
      objects.push_back(object);
  }
}

}  // namespace torchgate::launch
