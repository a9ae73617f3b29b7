// SPDX-License-Identifier: Apache-2.0
// /proc/PID/maps of an untrusted process, which may have any file names.
#include "harness/machine/objects_of_process.hpp"

#include <set>

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(process_maps) {
  const auto files = machine::executable_files(input);
  if (!files.empty()) fuzz::accepted();
  fuzz::require(std::set(files.begin(), files.end()).size() == files.size(), "each file is named once");
  for (const std::string& file : files) fuzz::require(file.starts_with('/'), "a file has an absolute path: " + file);
}
