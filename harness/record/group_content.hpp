// SPDX-License-Identifier: Apache-2.0
// What the processes of a group ran and read, by content: whether a group is the same in two runs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record {

struct GroupContent {
  std::map<std::string, std::string> objects;  ///< soname ("" is the executable): SHA-256
  std::map<std::string, std::string> files;    ///< path or $VARIABLE: SHA-256; "" where there is none

  [[nodiscard]] std::size_t libraries() const { return objects.size() - objects.count(""); }
  [[nodiscard]] std::size_t files_on_disk() const;  ///< without the variables
  bool operator==(const GroupContent&) const = default;
};

/// What the processes of GROUP in RUN, a run with one side, loaded and read. not_found: the group was not measured. bad_input,
/// with the reason as message: a process did not end normally, content is not known, or differs between the processes.
base::Result<GroupContent> content_of(const Run& run, std::string_view group);

/// The evidence of a group that was not measured in RUN. bad_input: it is incomplete.
base::Result<GroupContent> content_of(const Run& run, const UnchangedGroup& unchanged);

/// "libtorch_cpu.so differs", "the file /srv/weights.bin differs", "the environment variable HOME differs": the first difference; empty if there is none.
std::string difference(const GroupContent& before, const GroupContent& now);

/// A fact of the machine that can change times (kernel, microcode, driver, governor, variables that libraries read) and has another
/// value NOW, or was not recorded BEFORE, as a sentence; empty if there is none. What suites report of themselves is left out.
std::string machine_difference(const Machine& before, const Machine& now);

}  // namespace torchgate::record
