// SPDX-License-Identifier: Apache-2.0
// What every reader of other tools' files promises.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/directions.hpp"
#include "harness/import/run_of_processes.hpp"
#include "harness/record/codec.hpp"
#include "tests/fuzz/target.hpp"

namespace torchgate::fuzz {

/// An error has a message; what was read is sorted, has each name once, and makes a run that can be stored and read back.
inline void require_storable(base::Result<std::vector<import::ImportedProcess>> read) {
  if (!read) return require(!read.error().message.empty(), "an error has a message");
  require(!read->empty(), "a file that was read has a process");
  for (import::ImportedProcess& process : *read) {
    process.file_changed = "2026-01-01T00:00:00.000Z";
    import::settle_directions(process, {});
    std::set<std::string> names;
    for (const import::ImportedCase& each : process.cases) {
      require(names.insert(each.name).second, "a process has each name once: " + each.name);
      require(each.failure.empty() || each.time_ns.empty(), "a failed case has no time: " + each.name);
    }
    require(std::is_sorted(process.cases.begin(), process.cases.end(),
                           [](const auto& a, const auto& b) { return a.name < b.name; }),
            "cases are sorted");
  }
  const std::string nothing = import::nothing_to_judge(*read);
  require(nothing.empty() || nothing.starts_with("no value can be judged"), "a file without a direction says so");
  const auto run = import::run_of_processes({*std::move(read)}, "0.1.0");
  if (!run) return;
  accepted();
  const auto again = record::run_from_json(record::to_json(*run), "written back");
  require(again.ok(), "an imported run can be stored: " + (again ? "" : again.error().message));
}

}  // namespace torchgate::fuzz
