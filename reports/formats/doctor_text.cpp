// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/doctor_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/json/json_writer.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/names.hpp"
#include "reports/format.hpp"

namespace torchgate::reports {
namespace {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;

}  // namespace

std::string_view check_word(record::CheckSeverity severity) {
  return base::name_of(record::check_severity_names, severity);
}

std::string_view check_word(record::CheckAnswer answer) {
  return base::name_of(record::check_answer_names, answer);
}

std::size_t fatal_count(const record::MachineChecks& checks) {
  return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), [](const MachineCheck& check) {
    return check.answer == CheckAnswer::bad && check.severity == CheckSeverity::fatal;
  }));
}

namespace {

// The answer first: whether times that are measured here mean anything.
std::string doctor_headline(const record::MachineChecks& checks) {
  const std::size_t fatal = fatal_count(checks);
  const auto bad = static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [](const MachineCheck& check) { return check.answer == CheckAnswer::bad; }));
  if (fatal > 0)
    return fmt::format("Unfit for timing: {}; times measured now would not be judged\n\n",
                       counted(fatal, "fatal condition", "fatal conditions"));
  if (bad > 0)
    return fmt::format("Noisy machine: {} timings; times are judged, but small changes may not be seen\n\n",
                       counted(bad, "condition disturbs", "conditions disturb"));
  return "Fit for timing: nothing that disturbs timings was found\n\n";
}

}  // namespace

std::string doctor_text(const record::MachineChecks& checks, const WhyOfCheck& why) {
  std::string text = doctor_headline(checks);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const MachineCheck& check = checks[i];
    std::string names = check.name;
    if (check.answer == CheckAnswer::unknown) {
      while (i + 1 < checks.size() && checks[i + 1].answer == check.answer && checks[i + 1].seen == check.seen)
        names += ", " + checks[++i].name;
    }
    const bool bad = check.answer == CheckAnswer::bad;
    text += fmt::format("{:<8}{:<9}{:<24}{}{}\n", check_word(check.answer), bad ? check_word(check.severity) : "",
                        names, names.size() >= 24 ? "\n" + std::string(41, ' ') : "", check.seen);
    if (bad) text += fmt::format("{:41}why:  {}\n{:41}fix:  {}\n", "", why(check.name), "", check.advice);
  }
  const auto count = [&](auto&& wanted) { return std::count_if(checks.begin(), checks.end(), wanted); };
  text += fmt::format("\n{} checks: {} fatal, {} bad, {} unknown, {} ok\n", checks.size(), fatal_count(checks),
                      count([](const auto& c) { return c.answer == CheckAnswer::bad; }) -
                          static_cast<std::ptrdiff_t>(fatal_count(checks)),
                      count([](const auto& c) { return c.answer == CheckAnswer::unknown; }),
                      count([](const auto& c) { return c.answer == CheckAnswer::ok; }));
  return text;
}

std::string doctor_json(const DoctorReport& report) {
  json::JsonWriter json(json::file_layout);
  json.begin_object();
  json.member("schema", "torchgate.doctor/1");
  json.member("fatal", fatal_count(report.checks));
  json.key("checks");
  json.begin_array();
  for (const MachineCheck& check : report.checks) {
    json.begin_object();
    json.member("name", check.name);
    json.member("answer", check_word(check.answer));
    json.member("severity", check_word(check.severity));
    json.member("seen", check.seen);
    json.member("why", report.why(check.name));
    json.member("advice", check.advice);
    json.end_object();
  }
  json.end_array();
  record::write_machine(json, report.machine);
  json.end_object();
  return json.take() + '\n';
}

}  // namespace torchgate::reports
