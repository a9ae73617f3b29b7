// SPDX-License-Identifier: Apache-2.0
// One run; or a stored one and a current one; or these and pairs that confirm suspects: decoded, judged by every rule, and shown
// in every format. What could be read can be judged: an error is an answer, a crash or an exception is not.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ci/gate/explain/explain.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/codec.hpp"
#include "reports/formats/explanation_text.hpp"
#include "reports/formats/registry.hpp"
#include "stats/rules.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

bool is_inert(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f') return false;
  return true;
}

// `narrow`: few columns and few bytes. Rendering takes most of the time, so a report is shown in one way only.
reports::RenderOptions options_for(bool narrow) {
  reports::RenderOptions options;
  if (!narrow) return options;
  options.terminal.width = 60;
  options.terminal.verbose = true;
  options.terminal.unicode = false;
  options.markdown.limit_bytes = 3000;
  return options;
}

void show(const base::Result<reports::Report>& report, bool narrow) {
  if (!report) return fuzz::require(!report.error().message.empty(), "an error has a message");
  const reports::RenderOptions options = options_for(narrow);
  for (const reports::ReportFormat& format : reports::formats_of<reports::Report>()) {
    const std::string text = format.render(*report, options);
    fuzz::require(is_inert(text), std::string(format.name) + " has no control characters");
    if (format.name == "markdown")
      fuzz::require(text.size() <= options.markdown.limit_bytes, "a comment keeps its limit");
    if (format.name == "json") {
      json::JsonReader reader(text, "report");
      reader.skip();
      reader.end();
      fuzz::require(!reader.failed(), "a report's JSON is JSON");
    }
  }
}

// How the outcome follows from the findings, whatever the numbers were.
void require_consistent(const base::Result<reports::Report>& report) {
  if (!report) return;
  bool any_fails = false;
  for (const reports::Finding& finding : report->findings) any_fails |= finding.action == reports::GateAction::fail;
  fuzz::require(!any_fails || report->outcome != reports::Outcome::pass, "a failed run does not pass");
}

void explain(const record::Run& before, const record::Run* after) {
  if (before.cases.empty()) return;
  const auto explanation = gate::explain_case(before, after, before.cases.front().name);
  if (!explanation) return;
  (void)reports::explanation_text(*explanation, reports::Notation::ascii, 80, true);
  (void)reports::explanation_json(*explanation);
}

}  // namespace

TORCHGATE_FUZZ_TARGET(judge) {
  std::vector<record::Run> runs;
  for (const std::string_view part : fuzz::parts_of(input, 3)) {
    auto run = record::run_from_json(part, "input");
    if (!run) return;
    runs.push_back(*std::move(run));
  }
  policy::Policy policy;
  show(gate::describe_run(runs.front(), policy), true);
  explain(runs.front(), runs.size() > 1 ? &runs[1] : nullptr);
  for (const stats::Rule& rule : stats::rules()) {
    policy.rule = rule.name;
    const auto paired = gate::judge_paired(runs.back(), policy);
    show(paired, false);
    require_consistent(paired);
    if (runs.size() == 1) continue;
    gate::Comparison comparison;
    comparison.baseline = {&runs[0]};
    comparison.current = &runs[1];
    comparison.no_pairs_because = "nothing was measured";
    comparison.pairs = runs.size() > 2 ? &runs[2] : nullptr;
    comparison.confirmable = comparison.pairs != nullptr;
    const auto stored = gate::judge_stored(comparison, policy);
    if (stored && !stored->findings.empty()) fuzz::accepted();
    show(stored, policy.rule != "default");
    require_consistent(stored);
    (void)gate::cases_for_pairs(comparison, policy);
  }
}
