// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/doctor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace torchgate::reports {
namespace {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;

/// Files keep bytes as they were; a JSON writer wants UTF-8.
std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

const char* check_word(record::CheckSeverity severity) {
  switch (severity) {
    case CheckSeverity::fatal:
      return "fatal";
    case CheckSeverity::warning:
      return "warning";
    case CheckSeverity::info:
      return "info";
  }
  return "";
}

const char* check_word(record::CheckAnswer answer) {
  switch (answer) {
    case CheckAnswer::ok:
      return "ok";
    case CheckAnswer::bad:
      return "bad";
    case CheckAnswer::unknown:
      return "unknown";
  }
  return "";
}

std::size_t fatal_count(const record::MachineChecks& checks) {
  return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), [](const MachineCheck& check) {
    return check.answer == CheckAnswer::bad && check.severity == CheckSeverity::fatal;
  }));
}

std::string doctor_text(const record::MachineChecks& checks, const WhyOfCheck& why) {
  std::string text;
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

std::string doctor_json(const record::MachineChecks& checks, const WhyOfCheck& why) {
  nlohmann::ordered_json json;
  json["schema"] = "torchgate.doctor/1";
  json["fatal"] = fatal_count(checks);
  json["checks"] = nlohmann::ordered_json::array();
  for (const MachineCheck& check : checks) {
    json["checks"].push_back({{"name", check.name},
                              {"answer", check_word(check.answer)},
                              {"severity", check_word(check.severity)},
                              {"seen", check.seen},
                              {"why", why(check.name)},
                              {"advice", check.advice}});
  }
  return dump(json);
}

}  // namespace torchgate::reports
