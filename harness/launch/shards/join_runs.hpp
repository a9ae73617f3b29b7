// SPDX-License-Identifier: Apache-2.0
// Parts of one run put together: processes that were measured elsewhere, or before.
#pragma once

#include "harness/record/run.hpp"

namespace torchgate::launch {

/// Appends the processes of FROM to TO, and the objects that they loaded, each object once.
void append_processes(const record::Run& from, record::Run& to);

/// Adds what TO does not say yet.
void append_warnings(const record::Run& from, record::Run& to);

/// Of each row the worse answer: bad before unknown before ok, fatal before warning.
record::MachineChecks worse_checks(const record::MachineChecks& a, const record::MachineChecks& b);

}  // namespace torchgate::launch
