// SPDX-License-Identifier: Apache-2.0
// The runs of a machine, oldest first: its calibration, a case's history, and the newest one against all before it.
#include <string>
#include <vector>

#include "ci/calibrate/calibrate.hpp"
#include "ci/gate/drift/machine_drift.hpp"
#include "ci/gate/judge.hpp"
#include "ci/history/case_history.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/codec.hpp"
#include "reports/formats/calibration_text.hpp"
#include "reports/formats/history_json.hpp"
#include "reports/formats/history_text.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

void calibrate_runs(const std::vector<const record::Run*>& runs, const policy::Policy& policy) {
  const auto calibration = calibrate::calibrate({runs, 30, "2026-01-01T00:00:00.000Z", "0.1.0"}, policy);
  if (!calibration) return;
  fuzz::accepted();
  (void)reports::calibration_text(*calibration, reports::Notation::ascii);
  const auto again = record::calibration_from_json(record::to_json(*calibration), "written back");
  fuzz::require(again.ok(), "a calibration can be stored: " + (again ? "" : again.error().message));
}

void tell_history(const std::vector<const record::Run*>& runs) {
  if (runs.back()->cases.empty()) return;
  history::HistoryQuestion question;
  question.case_name = runs.back()->cases.front().name;
  question.host_key = runs.back()->machine.host_key;
  history::HistoryReader reader(question);
  for (const record::Run* run : runs) reader.add(history::points_of(*run), true);
  const auto history = reader.judge({});
  if (!history) return;
  (void)reports::render_history_text(*history);
  (void)reports::render_history_json(*history);
}

}  // namespace

TORCHGATE_FUZZ_TARGET(series_of_runs) {
  std::vector<record::Run> runs;
  for (const std::string_view part : fuzz::parts_of(input, 8)) {
    auto run = record::run_from_json(part, "input");
    if (!run) return;
    runs.push_back(*std::move(run));
  }
  std::vector<const record::Run*> all;
  for (const record::Run& run : runs) all.push_back(&run);
  policy::Policy policy;
  calibrate_runs(all, policy);
  tell_history(all);
  if (all.size() < 2) return;
  gate::Comparison comparison;
  comparison.baseline.assign(all.rbegin() + 1, all.rend());
  comparison.current = all.back();
  comparison.no_pairs_because = "nothing was measured";
  for (const char* rule : {"default", "history"}) {
    policy.rule = rule;
    (void)gate::judge_stored(comparison, policy);
  }
  policy.controls = "eager";
  (void)gate::drift({all.begin(), all.end() - 1}, runs.back(), policy);
  (void)gate::judge_stored(comparison, policy);
}
