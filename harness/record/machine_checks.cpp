// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/record/internal/codec_checks.hpp"
#include "harness/record/internal/enum_names.hpp"

namespace torchgate::record::internal {
namespace {

constexpr EnumNames<CheckAnswer, 3> answer_names{{
    {CheckAnswer::ok, "ok"},
    {CheckAnswer::bad, "bad"},
    {CheckAnswer::unknown, "unknown"},
}};

constexpr EnumNames<CheckSeverity, 3> severity_names{{
    {CheckSeverity::fatal, "fatal"},
    {CheckSeverity::warning, "warning"},
    {CheckSeverity::info, "info"},
}};

MachineCheck read_check(json::JsonReader& reader) {
  MachineCheck check;
  reader.object({"name", "answer", "severity"}, [&](std::string_view key) {
    if (key == "name")
      check.name = reader.name();
    else if (key == "answer")
      check.answer = read_enum(reader, answer_names);
    else if (key == "severity")
      check.severity = read_enum(reader, severity_names);
    else if (key == "seen")
      check.seen = reader.string();
    else if (key == "advice")
      check.advice = reader.string();
    else
      reader.skip();
  });
  return check;
}

}  // namespace

void write_checks(json::JsonWriter& json, std::string_view key, const MachineChecks& checks) {
  if (checks.empty()) return;
  json.key(key);
  json.begin_array();
  for (const MachineCheck& check : checks) {
    json.begin_object();
    json.member("name", check.name);
    json.member("answer", name_of(answer_names, check.answer));
    json.member("severity", name_of(severity_names, check.severity));
    if (!check.seen.empty()) json.member("seen", check.seen);
    if (!check.advice.empty()) json.member("advice", check.advice);
    json.end_object();
  }
  json.end_array();
}

MachineChecks read_checks(json::JsonReader& reader) {
  MachineChecks checks;
  reader.array(base::max_parameters, [&](std::int64_t) {
    MachineCheck check = read_check(reader);
    const bool twice = std::any_of(checks.begin(), checks.end(), [&](const auto& c) { return c.name == check.name; });
    if (twice) reader.fail("duplicate check " + base::in_quotes(check.name));
    checks.push_back(std::move(check));
  });
  return checks;
}

}  // namespace torchgate::record::internal
