// SPDX-License-Identifier: Apache-2.0
// File names in a store, and what of a record becomes part of one.
#include "baselines/entry_name.hpp"
#include "baselines/safe_name.hpp"

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(entry_name) {
  const auto parsed = baselines::parse_file_name(input, "host-a");
  if (parsed) {
    fuzz::accepted();
    fuzz::require(baselines::file_name(*parsed) == input, "a name that was read is written alike");
  }
  record::Run run;
  const auto parts = fuzz::parts_of(input, 4);
  run.id = parts[0];
  run.created = parts[parts.size() > 1 ? 1 : 0];
  run.machine.host_key = parts[parts.size() > 2 ? 2 : 0];
  run.sides = {{"run", {std::string(parts.back()), false, std::nullopt}, {}}};
  for (const bool of_commit : {false, true}) {
    const auto entry = baselines::entry_of(run, of_commit);
    if (!entry) continue;
    const std::string name = baselines::file_name(*entry);
    fuzz::require(name.find('/') == std::string::npos && name.find('\0') == std::string::npos,
                  "a file's name is not a path");
    fuzz::require(baselines::parse_file_name(name, entry->host_key) == *entry, "a name that was written is read alike");
    fuzz::require(baselines::is_safe_folder_name(entry->host_key), "a host key is one folder");
  }
}
