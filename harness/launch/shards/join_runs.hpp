// SPDX-License-Identifier: Apache-2.0
// Joins parts of one run: processes that were measured on other machines, or earlier.
#pragma once

#include <optional>
#include <string>

#include "harness/record/run.hpp"

namespace torchgate::launch {

/// Appends the processes and the unchanged groups of FROM to TO, and the objects and files that they refer to, each once.
void append_processes(const record::Run& from, record::Run& to);

/// Adds the warnings that TO does not have yet.
void append_warnings(const record::Run& from, record::Run& to);

/// A fact that makes two machines different hosts, and its values.
struct HostDifference {
  std::string fact;
  std::string first;
  std::string second;
};
/// The first one.
std::optional<HostDifference> host_difference(const record::Machine& first, const record::Machine& second);

/// Of each row the worse answer: bad before unknown before ok, fatal before warning.
record::MachineChecks worse_checks(const record::MachineChecks& a, const record::MachineChecks& b);

}  // namespace torchgate::launch
