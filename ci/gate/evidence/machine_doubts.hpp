// SPDX-License-Identifier: Apache-2.0
// What the doctor found about the machines of a comparison, as a reader needs it: what makes these numbers doubtful, merged over the
// runs and over checks of the same thing; and what the machine is like anyway, which is context.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// A run and how the report calls it: "baseline", "this run".
using LabelledRun = std::pair<const record::Run*, std::string>;

/// Rows of that severity that are bad; one that is bad before and after the run once, as it was in the end.
std::vector<const record::MachineCheck*> bad_rows(const record::Machine& machine, record::CheckSeverity severity);

/// Rows about a property of the machine, the same for both sides: governor, turbo, a virtual machine. Unless such a setting changed
/// during the run it is context, and not a doubt.
bool is_machine_property(std::string_view check);
/// Rows that other programs on the CPUs make bad, the most telling first: they are one doubt.
const std::vector<std::string_view>& load_checks();

struct MachineFindings {
  std::vector<reports::Doubt> doubts;  ///< unfit first (and whether times are judged anyway), then warnings
  facts::Facts context;                ///< "machine: running in a virtual machine; could not be checked: governor"
};
/// A label that is empty is not written. What was busy before a run is left out where nothing else ran during it.
MachineFindings machine_findings(const std::vector<LabelledRun>& runs, const policy::Gate& policy);

/// The same as doubts and notes of a report; where only counts are judged, warnings are notes.
void add_machine_findings(Remarks& remarks, const std::vector<LabelledRun>& runs, const policy::Gate& policy);

}  // namespace torchgate::gate
