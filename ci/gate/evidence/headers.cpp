// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/headers.hpp"

#include <algorithm>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/incomplete.hpp"

namespace torchgate::gate {

reports::Report report_under(const policy::Policy& policy) {
  reports::Report report;
  report.rule = policy.rule;
  report.gate_ratio = policy.latency;
  report.equivalence_ratio = policy.equivalence;
  return report;
}

reports::SideHeader side_header(const record::Run& run, std::int64_t side, const std::string& label) {
  const record::Side& from = run.sides.at(static_cast<std::size_t>(side));
  reports::SideHeader header;
  header.label = label;
  header.run_ids = {run.id};
  header.commit = from.source.commit;
  header.modified = from.source.modified;
  header.created = run.created;
  header.host_key = run.machine.host_key;
  return header;
}

void add_run_doubts(Remarks& remarks, const record::Run& run, const std::string& label) {
  using reports::DoubtKind;
  const auto add = [&](const std::string& what, DoubtKind kind = DoubtKind::other) {
    reports::Doubt doubt(label + ": " + what, kind);
    if (std::find(remarks.doubts.begin(), remarks.doubts.end(), doubt) == remarks.doubts.end())
      remarks.doubts.push_back(std::move(doubt));
  };
  if (run.machine.host_key.empty()) {
    add("the file does not identify the machine; both sides are assumed to come from the same one");
  }
  if (run.interrupted) add("was stopped before its plan was complete", DoubtKind::incomplete);
  if (const std::string missing = missing_shards_sentence(run.plan); !missing.empty())
    add(missing, DoubtKind::incomplete);
  for (const std::string& warning : run.warnings) add(warning);
  for (const record::Process& process : run.processes) {
    if (process.status == record::ProcessStatus::ok) continue;
    add(lost_sentence(process), DoubtKind::incomplete);
  }
}

}  // namespace torchgate::gate
