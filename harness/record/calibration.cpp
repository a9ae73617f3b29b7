// SPDX-License-Identifier: Apache-2.0
#include "harness/record/calibration.hpp"

#include <set>

#include "harness/json/fields.hpp"

namespace torchgate::record {
namespace {

using json::at_least_0;
using json::counted;
using json::list_of;
using json::object_of;
using json::optional;
using json::required;

constexpr json::Table case_calibration_fields{
    json::of<CaseCalibration>,
    required("name", &CaseCalibration::name, json::name),
    required("iteration_sd", &CaseCalibration::iteration_sd, at_least_0),
    required("process_sd", &CaseCalibration::process_sd, at_least_0),
    required("run_sd", &CaseCalibration::run_sd, at_least_0),
    required("found_by_one_run", &CaseCalibration::found_by_one_run, at_least_0),
    required("found_by_ten_runs", &CaseCalibration::found_by_ten_runs, at_least_0),
    required("found_by_pairs", &CaseCalibration::found_by_pairs, at_least_0),
    required("samples_wanted", &CaseCalibration::samples_wanted, counted),
    required("processes_wanted", &CaseCalibration::processes_wanted, counted),
    optional("instructions_spread", &CaseCalibration::instructions_spread, at_least_0),
    optional("device", &CaseCalibration::device, json::name),
    optional("created", &CaseCalibration::created, json::name),
};

constexpr json::Table rule_calibration_fields{
    json::of<RuleCalibration>,
    required("rule", &RuleCalibration::rule, json::name),
    required("tests", &RuleCalibration::tests, counted),
    required("flagged", &RuleCalibration::flagged, counted),
    required("comparisons", &RuleCalibration::comparisons, counted),
    required("comparisons_flagged", &RuleCalibration::comparisons_flagged, counted),
};

constexpr json::Table calibration_fields{
    json::of<Calibration>,
    json::stored_schema("torchgate.calibration/1"),
    required("host_key", &Calibration::host_key, json::name),
    required("created", &Calibration::created, json::name),
    required("tool_version", &Calibration::tool_version, json::name),
    required("profile", &Calibration::profile, json::name),
    required("processes", &Calibration::processes, counted),
    required("pairs", &Calibration::pairs, counted),
    required("runs", &Calibration::runs, list_of(json::max_json_elements, json::name)),
    required("run_sd", &Calibration::run_sd, at_least_0),
    required("cases", &Calibration::cases, list_of(json::max_json_elements, object_of<case_calibration_fields>)),
    required("rules", &Calibration::rules, list_of(json::max_json_elements, object_of<rule_calibration_fields>)),
    optional("instruction_counter", &Calibration::instruction_counter, json::name),
    optional("device_key", &Calibration::device_key, json::name),
};

}  // namespace

std::optional<std::string> problem_of(const Calibration& calibration) {
  const std::set<std::string> runs(calibration.runs.begin(), calibration.runs.end());
  if (runs.size() < fewest_calibrated_runs) {
    return "it has " + std::to_string(runs.size()) + " different runs, but needs at least " +
           std::to_string(fewest_calibrated_runs);
  }
  const auto is_an_sd = [](double sd) { return sd > 0 && sd <= largest_run_sd; };  // false for NaN
  const auto complaint = [](const std::string& whose) {
    return "the run-to-run SD of " + whose + " must be above 0 and at most " + std::to_string(largest_run_sd);
  };
  if (!is_an_sd(calibration.run_sd)) return complaint("the machine");
  for (const CaseCalibration& one : calibration.cases)
    if (one.run_sd && !is_an_sd(*one.run_sd)) return complaint(one.name);
  return std::nullopt;
}

std::string to_json(const Calibration& calibration) {
  return json::write_document<calibration_fields>(calibration);
}

base::Result<Calibration> calibration_from_json(std::string_view text, const std::string& where) {
  const std::string what = where + ": not a calibration";
  auto calibration = json::read_document<calibration_fields>(text, what);
  if (!calibration) return calibration;
  if (const auto problem = problem_of(*calibration))
    return base::Error{base::ErrorCode::bad_input, what + ": " + *problem};
  return calibration;
}

}  // namespace torchgate::record
