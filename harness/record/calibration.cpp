// SPDX-License-Identifier: Apache-2.0
#include "harness/record/calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/limits.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "torchgate.calibration/1";

struct SdField {
  const char* name;
  std::optional<double> CaseCalibration::*value;
};
constexpr std::array<SdField, 6> sd_fields{{{"iteration_sd", &CaseCalibration::iteration_sd},
                                            {"process_sd", &CaseCalibration::process_sd},
                                            {"run_sd", &CaseCalibration::run_sd},
                                            {"found_by_one_run", &CaseCalibration::found_by_one_run},
                                            {"found_by_ten_runs", &CaseCalibration::found_by_ten_runs},
                                            {"found_by_pairs", &CaseCalibration::found_by_pairs}}};
struct CountField {
  const char* name;
  std::optional<std::int64_t> CaseCalibration::*value;
};
constexpr std::array<CountField, 2> count_fields{
    {{"samples_wanted", &CaseCalibration::samples_wanted}, {"processes_wanted", &CaseCalibration::processes_wanted}}};

// Optional: calibrations without counts of instructions do not have them.
constexpr const char* spread_field = "instructions_spread";
constexpr const char* counter_field = "instruction_counter";

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

double not_negative(const nlohmann::json& value, const std::string& place) {
  const double number = value.get<double>();
  if (!(number >= 0) || !std::isfinite(number)) throw std::domain_error(place + " must be a number of at least 0");
  return number;
}

// From 0 on. nlohmann::json::get would convert 1e300 too, which has no meaning in C++.
std::int64_t count_in(const nlohmann::json& value, const std::string& place) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{base::max_count};
  if (!fits) throw std::domain_error(place + " must be an integer from 0 to " + std::to_string(base::max_count));
  return value.get<std::int64_t>();
}

// Not Json: it looks for a key among all of an object, and a file may have any number of them.
CaseCalibration case_from(const nlohmann::json& json) {
  CaseCalibration one;
  one.name = json.at("name").get<std::string>();
  for (const SdField& field : sd_fields) {
    if (!json.at(field.name).is_null())
      one.*field.value = not_negative(json.at(field.name), one.name + "/" + field.name);
  }
  for (const CountField& field : count_fields) {
    if (!json.at(field.name).is_null()) one.*field.value = count_in(json.at(field.name), field.name);
  }
  if (const auto spread = json.find(spread_field); spread != json.end())
    one.instructions_spread = not_negative(*spread, one.name + "/" + spread_field);
  return one;
}

Calibration read(const nlohmann::json& json) {
  if (json.at("schema") != schema) {
    throw std::domain_error("unsupported schema " + json.at("schema").dump() + ": this version reads " + schema);
  }
  Calibration calibration;
  calibration.host_key = json.at("host_key").get<std::string>();
  calibration.created = json.at("created").get<std::string>();
  calibration.tool_version = json.at("tool_version").get<std::string>();
  calibration.profile = json.at("profile").get<std::string>();
  calibration.processes = count_in(json.at("processes"), "processes");
  calibration.pairs = count_in(json.at("pairs"), "pairs");
  calibration.runs = json.at("runs").get<std::vector<std::string>>();
  calibration.run_sd = not_negative(json.at("run_sd"), "run_sd");
  if (const auto counter = json.find(counter_field); counter != json.end())
    calibration.instruction_counter = counter->get<std::string>();
  for (const auto& one : json.at("cases")) calibration.cases.push_back(case_from(one));
  for (const auto& rule : json.at("rules")) {
    const auto count = [&](const char* key) { return count_in(rule.at(key), key); };
    calibration.rules.push_back({rule.at("rule").get<std::string>(), count("tests"), count("flagged"),
                                 count("comparisons"), count("comparisons_flagged")});
  }
  return calibration;
}

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
  Json json{{"schema", schema},
            {"host_key", calibration.host_key},
            {"created", calibration.created},
            {"tool_version", calibration.tool_version},
            {"profile", calibration.profile},
            {"processes", calibration.processes},
            {"pairs", calibration.pairs},
            {"runs", calibration.runs},
            {"run_sd", calibration.run_sd},
            {"cases", Json::array()},
            {"rules", Json::array()}};
  if (!calibration.instruction_counter.empty()) json[counter_field] = calibration.instruction_counter;
  for (const CaseCalibration& one : calibration.cases) {
    Json row{{"name", one.name}};
    for (const SdField& field : sd_fields) row[field.name] = or_null(one.*field.value);
    for (const CountField& field : count_fields) row[field.name] = or_null(one.*field.value);
    if (one.instructions_spread) row[spread_field] = *one.instructions_spread;
    json["cases"].push_back(std::move(row));
  }
  for (const RuleCalibration& rule : calibration.rules) {
    json["rules"].push_back({{"rule", rule.rule},
                             {"tests", rule.tests},
                             {"flagged", rule.flagged},
                             {"comparisons", rule.comparisons},
                             {"comparisons_flagged", rule.comparisons_flagged}});
  }
  return json.dump(1) + '\n';
}

base::Result<Calibration> calibration_from_json(std::string_view text, const std::string& where) {
  if (auto fit = json::check_json(text, where + ": not a calibration"); !fit) return fit.error();
  try {
    Calibration calibration = read(nlohmann::json::parse(text));
    if (const auto problem = problem_of(calibration)) throw std::domain_error(*problem);
    return calibration;
  } catch (const std::exception& error) {  // of nlohmann_json, and our own of a value that is out of range
    return base::Error{base::ErrorCode::bad_input, where + ": not a calibration: " + error.what()};
  }
}

double run_sd_of(const Calibration& calibration, std::string_view case_name) {
  const auto found = std::find_if(calibration.cases.begin(), calibration.cases.end(),
                                  [&](const CaseCalibration& one) { return one.name == case_name; });
  return found == calibration.cases.end() ? calibration.run_sd : found->run_sd.value_or(calibration.run_sd);
}

}  // namespace torchgate::record
