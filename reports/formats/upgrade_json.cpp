// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/upgrade_json.hpp"

namespace torchgate::reports {
namespace {

void put_group(json::JsonWriter& json, const CaseGroup& group) {
  put_group_counts(json, group);
  json.member("counts_changed", group.counts_changed);
  json.member("outputs_changed", group.outputs_changed);
}

void put_operator(json::JsonWriter& json, const UpgradeOperator& each) {
  json.begin_object();
  json.member("name", each.name);
  json.member("cases", each.cases);
  json.member("slower", each.slower);
  json.member("faster", each.faster);
  json.member("other_calls", each.other_calls);
  json.member("calls_before", each.calls_before);
  json.member("calls_after", each.calls_after);
  json.member("mean_change", each.mean_change);
  json.end_object();
}

void put_deviation(json::JsonWriter& json, json::Key key, const std::optional<UpgradeDeviation>& deviation) {
  json.key(key);
  if (!deviation) return json.null();
  json.begin_object();
  json.member("max_abs", deviation->max_abs);
  json.member("relative_l2", deviation->relative_l2);
  json.end_object();
}

void put_output(json::JsonWriter& json, const UpgradeOutput& output) {
  json.begin_object();
  json.member("case", output.case_name);
  json.member("against", output.against);
  put_deviation(json, "before", output.before);
  put_deviation(json, "after", output.after);
  json.member("wrong_before", output.wrong_before);
  json.member("wrong_after", output.wrong_after);
  json.end_object();
}

}  // namespace

void put_group_counts(json::JsonWriter& json, const CaseGroup& group) {
  json.member("slower", group.slower);
  json.member("faster", group.faster);
  json.member("equal", group.equal);
  json.member("undecided", group.undecided);
  json.member("not_compared", group.not_compared);
  json.member("mean_change", group.mean_change);
}

void put_difference_members(json::JsonWriter& json, const Difference& difference) {
  json.member("name", difference.name);
  json.member("before", difference.before);
  json.member("after", difference.after);
}

void put_upgrade(json::JsonWriter& json, const Upgrade& upgrade) {
  json.begin_object();
  json.member("before", upgrade.before);
  json.member("after", upgrade.after);
  json.key("build");
  json.begin_array();
  for (const Difference& part : upgrade.build) {
    json.begin_object();
    put_difference_members(json, part);
    json.end_object();
  }
  json.end_array();
  json.key("all");
  json.begin_object();
  put_group(json, upgrade.all);
  json.end_object();
  json.key("suites");
  json.begin_array();
  for (const CaseGroup& suite : upgrade.suites) {
    json.begin_object();
    json.member("suite", suite.name);
    put_group(json, suite);
    json.end_object();
  }
  json.end_array();
  json.member("cases_profiled", upgrade.profiled);
  json.key("operators");
  json.begin_array();
  for (const UpgradeOperator& each : upgrade.operators) put_operator(json, each);
  json.end_array();
  json.member("operators_unchanged", upgrade.operators_unchanged);
  json.member("cases_checked", upgrade.checked);
  json.member("cases_not_repeatable", upgrade.not_repeatable);
  json.key("outputs");
  json.begin_array();
  for (const UpgradeOutput& output : upgrade.outputs) put_output(json, output);
  json.end_array();
  json.end_object();
}

}  // namespace torchgate::reports
