// SPDX-License-Identifier: Apache-2.0
#include "reports/upgrade_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace torchgate::reports {
namespace {

/// A column of counts; one that says nothing in any row is left out.
struct CountColumn {
  const char* name;
  std::int64_t CaseGroup::*count;
  bool always;
};

constexpr std::array<CountColumn, 7> count_columns{{{"slower", &CaseGroup::slower, true},
                                                    {"faster", &CaseGroup::faster, true},
                                                    {"equal", &CaseGroup::equal, true},
                                                    {"undecided", &CaseGroup::undecided, true},
                                                    {"not compared", &CaseGroup::not_compared, false},
                                                    {"counts changed", &CaseGroup::counts_changed, false},
                                                    {"results changed", &CaseGroup::outputs_changed, false}}};

Table suite_table(const Upgrade& upgrade, const Format& format) {
  Table table{"By suite", {"suite", "time"}, {}, {}};
  std::vector<const CaseGroup*> groups;
  for (const CaseGroup& suite : upgrade.suites) groups.push_back(&suite);
  if (groups.size() > 1) groups.push_back(&upgrade.all);
  for (const CaseGroup* group : groups)
    table.rows.push_back({group->name.empty() ? "all" : group->name, format.percent(group->mean_change)});
  for (const CountColumn& column : count_columns) {
    if (!column.always && upgrade.all.*column.count == 0) continue;
    table.columns.emplace_back(column.name);
    for (std::size_t i = 0; i < groups.size(); ++i) table.rows[i].push_back(grouped(groups[i]->*column.count));
  }
  if (!groups.empty())
    table.notes.emplace_back(
        "time: geometric mean of after / before over the cases that were compared, undecided ones too; positive is "
        "slower");
  return table;
}

Table operator_table(const Upgrade& upgrade, const Format& format) {
  Table table{
      "By operator", {"operator", "self time", "cases", "slower in", "faster in", "other calls in", "calls"}, {}, {}};
  for (const UpgradeOperator& each : upgrade.operators)
    table.rows.push_back({each.name, format.percent(each.mean_change), grouped(each.cases), grouped(each.slower),
                          grouped(each.faster), grouped(each.other_calls),
                          format.calls(each.calls_before, each.calls_after)});
  if (!table.rows.empty())
    table.notes.emplace_back(
        "self time: geometric mean of after / before over the cases that call it on both sides, in observed, untimed "
        "calls; calls: one call of each case");
  return table;
}

std::string deviation_words(const std::optional<UpgradeDeviation>& deviation, bool wrong, const Format& format) {
  if (wrong) return "wrong";
  return deviation ? fmt::format("{:.3g}", deviation->relative_l2) : format.unknown();
}

std::string largest_words(const std::optional<UpgradeDeviation>& deviation, const Format& format) {
  return deviation ? fmt::format("{:.3g}", deviation->max_abs) : format.unknown();
}

Table output_table(const Upgrade& upgrade, const Format& format) {
  Table table{"Results that changed",
              {"case", "relative L2 before", "relative L2 after", "largest before", "largest after"},
              {},
              {}};
  for (const UpgradeOutput& each : upgrade.outputs)
    table.rows.push_back({each.case_name, deviation_words(each.before, each.wrong_before, format),
                          deviation_words(each.after, each.wrong_after, format), largest_words(each.before, format),
                          largest_words(each.after, format)});
  if (!table.rows.empty())
    table.notes.emplace_back(
        "deviation of the output of a case from that of its reference in the same build, on the same inputs");
  return table;
}

std::string result_words(const Upgrade& upgrade) {
  constexpr const char* limit =
      "outputs of the two builds are not recorded, so a change that a case and its reference have in common is not "
      "seen";
  if (upgrade.checked == 0 && upgrade.outputs.empty())
    return fmt::format("results: not known; no case is checked against a reference on both sides, and {}", limit);
  const auto both = std::count_if(upgrade.outputs.begin(), upgrade.outputs.end(),
                                  [](const UpgradeOutput& output) { return output.before && output.after; });
  const std::int64_t one_sided = static_cast<std::int64_t>(upgrade.outputs.size()) - both;
  std::string words = fmt::format("results: {} changed of {}", grouped(both),
                                  counted(upgrade.checked, "case that is checked against a reference on both sides",
                                          "cases that are checked against a reference on both sides"));
  if (one_sided > 0)
    words += fmt::format(", and {} on one side", counted(one_sided, "case is wrong", "cases are wrong"));
  words += fmt::format("; {}", limit);
  if (upgrade.not_repeatable > 0)
    words +=
        fmt::format("; of {} the processes of one side disagree", counted(upgrade.not_repeatable, "case", "cases"));
  return words;
}

std::string operator_words(const Upgrade& upgrade) {
  if (upgrade.profiled == 0)
    return "operators: not known by name; no case has an operator profile on both sides. Where only their number is "
           "recorded (operator_calls), it is among the counts";
  const auto changed = static_cast<std::int64_t>(upgrade.operators.size());
  return fmt::format("operators: {} changed of {} in the profiles of {}", grouped(changed),
                     grouped(changed + upgrade.operators_unchanged), counted(upgrade.profiled, "case", "cases"));
}

}  // namespace

std::string upgrade_title(const Upgrade& upgrade, const Format& format) {
  if (!upgrade.before || !upgrade.after) return "Another LibTorch on the same code";
  return fmt::format("LibTorch {} {} {} on the same code", *upgrade.before, format.arrow(), *upgrade.after);
}

std::string group_counts(const CaseGroup& group, const Format& format) {
  std::string words = fmt::format("{} slower, {} faster, {} equal, {} undecided", grouped(group.slower),
                                  grouped(group.faster), grouped(group.equal), grouped(group.undecided));
  if (group.not_compared > 0) words += fmt::format(", {} not compared", grouped(group.not_compared));
  if (group.mean_change) words += fmt::format("; geometric mean {}", format.percent(group.mean_change));
  return words;
}

std::vector<std::string> upgrade_sentences(const Upgrade& upgrade, const Format& format) {
  std::string counts =
      fmt::format("counts: exact metrics changed in {}", counted(upgrade.all.counts_changed, "case", "cases"));
  return {fmt::format("times: {}", group_counts(upgrade.all, format)), std::move(counts), result_words(upgrade),
          operator_words(upgrade)};
}

std::vector<Table> upgrade_tables(const Upgrade& upgrade, const Format& format) {
  std::vector<Table> tables{suite_table(upgrade, format), operator_table(upgrade, format),
                            output_table(upgrade, format)};
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace torchgate::reports
