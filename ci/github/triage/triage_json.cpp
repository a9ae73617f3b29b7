// SPDX-License-Identifier: Apache-2.0
// What was done and what is open, for programs.
#include <nlohmann/json.hpp>

#include "ci/github/triage/triage.hpp"
#include "ci/github/triage/triage_text.hpp"
#include "ci/policy/waivers.hpp"

namespace torchgate::github {
namespace {

using TriageJson = nlohmann::ordered_json;

template <class T>
TriageJson value_or_null(bool known, const T& value) {
  return known ? TriageJson(value) : TriageJson(nullptr);
}

TriageJson json_of(const OpenCause& open) {
  TriageJson cases = TriageJson::array();
  for (const CauseCase& one : open.cause.cases) {
    cases.push_back({{"case", one.name},
                     {"metric", one.metric},
                     {"change", value_or_null(one.change.has_value(), one.change.value_or(0))},
                     {"repaired", one.repaired()}});
  }
  const auto& entry = open.entry;
  return {{"issue", value_or_null(open.number != 0, open.number)},
          {"commit", open.cause.commit},
          {"commit_before", value_or_null(open.cause.before.has_value(), open.cause.before.value_or(""))},
          {"filter", case_filter(open.cause)},
          {"cases", std::move(cases)},
          {"unlisted", open.cause.unlisted},
          {"state", value_or_null(entry.has_value(), entry ? policy::to_string(entry->state) : "")},
          {"owner", value_or_null(entry.has_value(), entry ? entry->owner : "")},
          {"due", value_or_null(entry && entry->due, entry && entry->due ? policy::date_text(*entry->due) : "")},
          {"overdue", open.overdue}};
}

}  // namespace

std::string triage_json(const TriagePlan& plan, const std::vector<TriageAction>& actions, bool dry_run) {
  TriageJson json = {{"schema", "torchgate.triage/1"},
                     {"dry_run", dry_run},
                     {"actions", TriageJson::array()},
                     {"open", TriageJson::array()},
                     {"notes", plan.notes}};
  for (const TriageAction& each : actions) {
    json["actions"].push_back({{"issue", value_or_null(each.issue != 0, each.issue)},
                               {"action", each.action},
                               {"commit", each.commit},
                               {"why", each.why}});
  }
  for (const OpenCause& each : plan.open) json["open"].push_back(json_of(each));
  return json.dump(2, ' ', true, TriageJson::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::github
