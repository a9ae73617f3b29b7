// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/machine_doubts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "ci/gate/answer.hpp"
#include "harness/machine/doctor/check.hpp"
#include "reports/facts/about_machine.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

namespace doctor = machine::doctor;
using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;

constexpr std::array before_the_run{std::string_view("load"), std::string_view("runnable"),
                                    std::string_view("cpu_pressure")};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool bad_as(const MachineCheck& check, CheckSeverity severity) {
  return check.answer == CheckAnswer::bad && check.severity == severity;
}

// A setting stands among the checks after a run only where it changed.
bool is_context(const record::Machine& machine, const MachineCheck& check) {
  if (!is_machine_property(check.name) || check.severity == CheckSeverity::fatal) return false;
  return std::any_of(machine.checks_before.begin(), machine.checks_before.end(),
                     [&](const MachineCheck& one) { return &one == &check; });
}

// The load average remembers what ended before the run (often torchgate itself): where it was followed by a run without other
// programs it says nothing.
bool is_past(const record::Machine& machine, const MachineCheck& check) {
  if (!contains(before_the_run, check.name)) return false;
  return std::any_of(machine.checks_after.begin(), machine.checks_after.end(),
                     [](const MachineCheck& one) { return one.name == "other_load" && one.answer == CheckAnswer::ok; });
}

// "this run: what it was"; WHAT alone where there is no label.
facts::Fact labelled(const facts::Names& labels, const facts::Fact& what) {
  return labels == facts::Names{""} ? what : facts::of_runs(labels, what);
}

// The bad rows of one theme over all runs.
struct Theme {
  struct Row {
    const MachineCheck* check;
    std::string label;
    std::size_t rank;  // of a load check: 0 is the most telling
  };
  CheckSeverity severity = CheckSeverity::warning;
  std::vector<Row> rows;  // in the order of the runs

  // Of rows alike in rank that of the later run, which decided.
  [[nodiscard]] const Row& told() const {
    const Row* best = &rows.front();
    for (const Row& row : rows)
      if (row.rank <= best->rank) best = &row;
    return *best;
  }
  [[nodiscard]] std::vector<std::string> labels() const {
    std::vector<std::string> all;
    for (const Row& row : rows)
      if (!contains(all, row.label)) all.push_back(row.label);
    return all;
  }
  [[nodiscard]] facts::Names others() const {
    facts::Names names;
    for (const std::string_view name : load_checks()) {
      const bool bad = std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.check->name == name; });
      if (bad && name != told().check->name) names.emplace_back(name);
    }
    return names;
  }

  // POLICY: whether times are judged on an unfit machine.
  [[nodiscard]] facts::Fact fact(const policy::Gate& policy) const {
    const MachineCheck& check = *told().check;
    if (severity == CheckSeverity::fatal) {
      const auto& sentence = policy.allow_noisy ? facts::unfit_judged : facts::unfit_not_judged;
      return sentence(check.seen, check.name);
    }
    facts::Names also = others();
    return also.empty() ? facts::check_found(check.seen, check.name)
                        : facts::load_found(check.seen, std::move(also), check.name);
  }
};

class Themes {
 public:
  void add(const record::Run& run, const std::string& label, CheckSeverity severity) {
    for (const MachineCheck* const check : bad_rows(run.machine, severity)) {
      if (is_context(run.machine, *check) || is_past(run.machine, *check)) continue;
      const auto& load = load_checks();
      const auto at = std::find(load.begin(), load.end(), check->name);
      const bool of_load = at != load.end() && severity != CheckSeverity::fatal;
      Theme& theme = theme_of(of_load ? std::string_view("load") : std::string_view(check->name), severity);
      theme.rows.push_back({check, label, static_cast<std::size_t>(at - load.begin())});
    }
  }

  [[nodiscard]] std::vector<reports::Doubt> doubts(const policy::Gate& policy) const {
    std::vector<reports::Doubt> all;
    for (const auto& [name, theme] : themes_) {
      const bool unfit = theme.severity == CheckSeverity::fatal;
      reports::Doubt doubt(labelled(theme.labels(), theme.fact(policy)),
                           unfit ? reports::DoubtKind::unfit : reports::DoubtKind::machine);
      doubt.fix = theme.told().check->advice;
      all.push_back(std::move(doubt));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    return all;
  }

 private:
  Theme& theme_of(std::string_view name, CheckSeverity severity) {
    for (auto& [known, theme] : themes_)
      if (known == name && theme.severity == severity) return theme;
    themes_.emplace_back(name, Theme{severity, {}});
    return themes_.back().second;
  }

  std::vector<std::pair<std::string, Theme>> themes_;  // in the order found
};

void add_once(facts::Facts& all, facts::Fact fact) {
  if (std::find(all.begin(), all.end(), fact) == all.end()) all.push_back(std::move(fact));
}

// "running in a virtual machine; turbo is on; could not be checked: governor (`torchgate doctor` shows why)".
facts::Facts context_of(const record::Machine& machine) {
  facts::Facts parts;
  facts::Names unknown;
  for (const record::MachineChecks* const checks : {&machine.checks_before, &machine.checks_after}) {
    for (const MachineCheck& check : *checks) {
      if (check.severity == CheckSeverity::info) continue;
      if (check.answer == CheckAnswer::unknown && !contains(unknown, check.name)) unknown.push_back(check.name);
      if (check.answer == CheckAnswer::bad && is_context(machine, check))
        add_once(parts, facts::check_found(check.seen, check.name));
    }
  }
  if (!unknown.empty()) parts.push_back(facts::unchecked(std::move(unknown)));
  return parts;
}

}  // namespace

std::vector<const MachineCheck*> bad_rows(const record::Machine& machine, CheckSeverity severity) {
  std::vector<const MachineCheck*> rows;
  for (const MachineCheck& check : machine.checks_after)
    if (bad_as(check, severity)) rows.push_back(&check);
  for (const MachineCheck& check : machine.checks_before) {
    const bool again =
        std::any_of(rows.begin(), rows.end(), [&](const MachineCheck* row) { return row->name == check.name; });
    if (bad_as(check, severity) && !again) rows.push_back(&check);
  }
  return rows;
}

bool is_machine_property(std::string_view check) {
  const auto* const kind = doctor::find_kind(check);
  return kind != nullptr && kind->subject == doctor::Subject::machine;
}

const std::vector<std::string_view>& load_checks() {
  static const std::vector<std::string_view> checks = [] {
    std::map<int, std::string_view> by_rank;
    for (const doctor::CheckKind& kind : doctor::check_kinds())
      if (kind.subject == doctor::Subject::load) by_rank[kind.rank] = kind.name;
    std::vector<std::string_view> names;
    names.reserve(by_rank.size());
    for (const auto& [rank, name] : by_rank) names.push_back(name);
    return names;
  }();
  return checks;
}

MachineFindings machine_findings(const std::vector<LabelledRun>& runs, const policy::Gate& policy) {
  Themes themes;
  std::vector<std::pair<facts::Facts, facts::Names>> contexts;  // what it is, and of which runs
  for (const auto& [run, label] : runs) {
    themes.add(*run, label, CheckSeverity::fatal);
    themes.add(*run, label, CheckSeverity::warning);
    const facts::Facts context = context_of(run->machine);
    if (context.empty()) continue;
    const auto same =
        std::find_if(contexts.begin(), contexts.end(), [&](const auto& one) { return one.first == context; });
    if (same == contexts.end()) {
      contexts.push_back({context, {label}});
    } else {
      same->second.push_back(label);
    }
  }
  MachineFindings found{themes.doubts(policy), {}};
  for (const auto& [what, labels] : contexts) {
    const bool of_all = contexts.size() == 1 && labels.size() == runs.size();
    found.context.push_back(of_all || labels == facts::Names{""} ? facts::machine(what)
                                                                 : facts::machine_of(labels, what));
  }
  return found;
}

void add_machine_findings(Remarks& remarks, const std::vector<LabelledRun>& runs, const policy::Gate& policy) {
  MachineFindings found = machine_findings(runs, policy);
  for (reports::Doubt& doubt : found.doubts) {
    // Counts do not depend on what else runs.
    if (doubt.kind == reports::DoubtKind::machine && !judges_time(policy))
      remarks.notes.push_back(std::move(doubt.fact));
    else
      remarks.doubts.push_back(std::move(doubt));
  }
  std::move(found.context.begin(), found.context.end(), std::back_inserter(remarks.notes));
}

}  // namespace torchgate::gate
