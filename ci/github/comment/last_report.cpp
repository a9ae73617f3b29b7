// SPDX-License-Identifier: Apache-2.0
#include "ci/github/comment/last_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/base/atomic_file.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/json/json_reader.hpp"
#include "reports/formats/json.hpp"

namespace torchgate::github {
namespace {

using base::Error;
using base::ErrorCode;
using Json = nlohmann::json;

constexpr std::int64_t largest_report = std::int64_t{1} << 30;
constexpr const char* report_schema = "torchgate.report/1";

std::optional<double> number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<std::int64_t> count_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto count = found->get<std::uint64_t>();
  if (count < 1 || count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

// What a report of an older version may lack.
std::string text_or_nothing(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<reports::Interval> interval_in(const Json& finding) {
  const auto found = finding.find("interval");
  if (found == finding.end() || !found->is_object()) return std::nullopt;
  const auto low = number_in(*found, "low");
  const auto high = number_in(*found, "high");
  if (!low || !high) return std::nullopt;
  return reports::Interval{*low, *high, number_in(*found, "level").value_or(0)};
}

bool was_modified(const Json& side) {
  const auto found = side.find("modified");
  return found == side.end() || !found->is_boolean() || found->get<bool>();
}

ReportedFinding finding_of(const Json& one) {
  ReportedFinding finding;
  finding.case_name = one.at("case").get<std::string>();
  const Json& metric = one.at("metric");
  finding.metric = metric.at("name").get<std::string>();
  finding.unit = text_or_nothing(metric, "unit");
  finding.exact = metric.at("kind") == "exact";
  finding.lower_is_better = metric.at("direction") == "lower_is_better";
  finding.verdict = one.at("verdict").get<std::string>();
  finding.action = one.at("action").get<std::string>();
  finding.change = number_in(one, "change");
  const auto over_budget = one.find("over_budget");  // a report of an older version has only the verdict
  finding.over_budget = finding.verdict == "over_budget" || (over_budget != one.end() && *over_budget == true);
  finding.interval = interval_in(one);
  if (one.at("after").is_object()) finding.value = number_in(one.at("after"), "value");
  if (const auto before = one.find("before"); before != one.end() && before->is_object())
    finding.value_before = number_in(*before, "value");
  // What caused it is the first thing to say of it.
  for (const char* const list : {"causes", "reasons"}) {
    const auto sentences = one.find(list);
    if (sentences == one.end() || !sentences->is_array()) continue;
    for (const Json& sentence : *sentences) finding.reasons.push_back(sentence.get<std::string>());
  }
  return finding;
}

void read_sides(const Json& document, SavedReport& report) {
  const Json& after = document.at("after");
  const Json& commit = after.at("commit");
  if (commit.is_string()) report.commit = commit.get<std::string>();
  if (std::string head = text_or_nothing(after, "head"); !head.empty()) report.head = std::move(head);
  report.host = text_or_nothing(after, "host_key");
  report.after_modified = was_modified(after);
  report.modified = report.after_modified;
  // It becomes an option of suites: only what is one.
  const std::string profile = text_or_nothing(after, "profile");
  if (profile == "quick" || profile == "full") report.sampling.profile = profile;
  report.sampling.warmup_calls = count_in(after, "warmup_calls");
  report.sampling.samples = count_in(after, "samples");
  const auto before = document.find("before");
  if (before == document.end() || !before->is_object()) return;
  if (std::string known = text_or_nothing(*before, "commit"); !known.empty()) report.before_commit = std::move(known);
  report.modified = report.modified || was_modified(*before);
}

}  // namespace

base::Result<void> keep_last_report(const reports::Report& report) {
  const auto not_saved = [](const base::Error& error) {
    return error.within("the report was not saved for `torchgate accept`");
  };
  const std::filesystem::path folder = std::filesystem::path(last_report_file).parent_path();
  std::error_code failed;
  base::create_folders(folder, failed);
  if (failed) return not_saved(base::system_error(folder, "create the folder", failed.value()));
  const auto written = base::write_file_atomically(last_report_file, reports::render_json(report), true);
  if (!written) return not_saved(written.error());
  return {};
}

base::Result<SavedReport> load_report(const std::string& file, std::string_view option) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    return Error{ErrorCode::not_found, fmt::format("{}: no such report; run `torchgate gate`, `ab` or `compare`, which "
                                                   "save it, or name a file written with --json by {} FILE",
                                                   file, option)};
  }
  const auto text = base::read_file(file, largest_report);
  if (!text) return text.error();
  if (auto fit = json::check_json(*text, file + ": not a torchgate report"); !fit) return fit.error();
  try {
    const Json document = Json::parse(*text);
    if (document.at("schema") != report_schema)
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: not a torchgate report: its schema is not \"{}\"", file, report_schema)};
    SavedReport report;
    report.outcome = document.at("outcome").get<std::string>();
    report.headline = document.at("headline").get<std::string>();
    read_sides(document, report);
    if (const auto weak = document.find("weak"); weak != document.end())
      report.weak = weak->is_boolean() && weak->get<bool>();
    if (const auto paired = document.find("paired"); paired != document.end())
      report.paired = paired->is_boolean() && paired->get<bool>();
    if (const auto since = document.find("since"); since != document.end() && since->is_object()) {
      report.since_pin = true;
      if (std::string name = text_or_nothing(*since, "name"); !name.empty()) report.pin = std::move(name);
    }
    for (const Json& one : document.at("findings")) report.findings.push_back(finding_of(one));
    return report;
  } catch (const Json::exception& error) {
    return Error{ErrorCode::bad_input, fmt::format("{}: not a torchgate report: {}", file, error.what())};
  }
}

}  // namespace torchgate::github
