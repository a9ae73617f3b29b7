// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "ci/gate/evidence/build_parts.hpp"
#include "ci/gate/evidence/environment_differences.hpp"
#include "ci/gate/evidence/same_files.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_machine.hpp"

namespace torchgate::gate {
namespace {

const record::MachineFact* find(const record::Machine& machine, const std::string& name) {
  const auto found =
      std::find_if(machine.facts.begin(), machine.facts.end(), [&](const auto& fact) { return fact.name == name; });
  return found == machine.facts.end() ? nullptr : &*found;
}

// Files in which every case failed or was skipped may be identical: they hold no measurements, and each case has its reason.
bool is_file_without_numbers(const record::Run& run) {
  return record::is_imported(run) &&
         std::all_of(run.processes.begin(), run.processes.end(), [](const record::Process& process) {
           return std::none_of(process.cases.begin(), process.cases.end(),
                               [](const auto& result) { return result.status == record::CaseStatus::ok; });
         });
}

// The first fact of the key of KNOWN that OTHER does not have as one: equal keys do not show that the machines are the same.
std::optional<facts::Fact> host_fact_lacking(const record::Machine& known, const record::Machine& other,
                                             const char* label) {
  for (const record::MachineFact& fact : known.facts) {
    if (fact.fact_class != record::FactClass::host) continue;
    const record::MachineFact* const same = find(other, fact.name);
    if (same == nullptr) return facts::host_unknown(fact.name, label, "its record lacks it");
    if (same->fact_class != record::FactClass::host)
      return facts::host_unknown(fact.name, label, "its record does not have it as a fact of the host");
  }
  return std::nullopt;
}

std::set<std::string> hashes(const record::Run& run) {
  std::set<std::string> all;
  for (const record::LoadedObject& object : run.objects)
    if (!object.system) all.insert(object.sha256);
  return all;
}

}  // namespace

base::Result<void> check_runs(const std::vector<const record::Run*>& baseline, const record::Run& current) {
  const auto bad = [](std::string message) { return base::Error{base::ErrorCode::bad_input, std::move(message)}; };
  const auto two_sides = [&](const record::Run& run) {
    return bad(fmt::format("run {0} already contains both sides; use `torchgate report {0}`", run.id));
  };
  for (const record::Run* run : baseline) {
    if (run->id == current.id && !is_file_without_numbers(current))
      return bad(fmt::format("run {} is compared with itself: measure again with `torchgate run`, or name another run",
                             run->id));
    if (run->sides.size() != 1) return two_sides(*run);
    if (auto both = files_on_both_sides(*run, current); !both.empty())
      return bad(facts::files_on_both_sides(std::move(both)).words());
  }
  if (current.sides.size() != 1) return two_sides(current);
  return {};
}

std::vector<reports::Difference> machine_differences(const record::Machine& before, const record::Machine& after) {
  std::vector<reports::Difference> differences;
  for (const record::MachineFact& fact : after.facts) {
    if (fact.fact_class == record::FactClass::info || !fact.value) continue;
    const record::MachineFact* other = find(before, fact.name);
    if (other == nullptr || !other->value || *other->value == *fact.value) continue;
    if (other->fact_class == record::FactClass::info) continue;  // it differs among the files of that side
    differences.push_back({fact.name, *other->value, *fact.value, fact.fact_class == record::FactClass::host});
  }
  std::stable_sort(differences.begin(), differences.end(),
                   [](const auto& a, const auto& b) { return a.refuses && !b.refuses; });
  differences = by_parts(std::move(differences));
  std::ranges::move(environment_differences(before, after), std::back_inserter(differences));
  return differences;
}

std::optional<facts::Fact> refuse_comparison(const record::Machine& before, const record::Machine& after) {
  // Whatever the keys are: equal keys of records that were joined or edited hide a fact of one machine.
  for (const reports::Difference& difference : machine_differences(before, after)) {
    if (difference.refuses) return facts::hosts_differ_in(difference.name, difference.before, difference.after);
  }
  // An imported run has no host key: its tool wrote down too little for one. To refuse it would refuse every other tool's
  // file; what both sides do know was compared above, and the report says that this is not all (add_run_doubts).
  const bool both_known = !before.host_key.empty() && !after.host_key.empty();
  if (!both_known || before.host_key == after.host_key) return std::nullopt;
  return facts::hosts_differ(before.host_key, after.host_key);
}

std::optional<facts::Fact> host_unknown(const record::Machine& before, const record::Machine& after) {
  if (before.host_key.empty() || after.host_key.empty()) return std::nullopt;
  for (const auto& [machine, label] : {std::pair(&before, "the baseline"), std::pair(&after, "this run")}) {
    for (const record::MachineFact& fact : machine->facts)
      if (fact.fact_class == record::FactClass::host && !fact.value)
        return facts::host_unknown(fact.name, label, fact.unknown_reason);
  }
  if (auto lacks = host_fact_lacking(before, after, "this run")) return lacks;
  return host_fact_lacking(after, before, "the baseline");
}

std::optional<facts::Fact> devices_differ(const record::Machine& before, const record::Machine& after,
                                          const char* label_before, const char* label_after) {
  if (!before.device_key && !after.device_key) {  // recorded where NVML was not there
    const record::MachineFact* const was = find(before, "cuda_device");
    const record::MachineFact* const is = find(after, "cuda_device");
    if (was == nullptr || is == nullptr || !was->value || !is->value || *was->value == *is->value) return std::nullopt;
    return facts::devices_differ_in(is->name, *was->value, *is->value);
  }
  if (before.device_key == after.device_key) return std::nullopt;
  if (!before.device_key) return facts::device_unknown(label_before);
  if (!after.device_key) return facts::device_unknown(label_after);
  for (const record::MachineFact& fact : after.facts) {
    if (fact.fact_class != record::FactClass::device || !fact.value) continue;
    const record::MachineFact* const other = find(before, fact.name);
    if (other != nullptr && other->value && *other->value != *fact.value)
      return facts::devices_differ_in(fact.name, *other->value, *fact.value);
  }
  return facts::devices_differ(*before.device_key, *after.device_key);
}

bool same_objects(const record::Run& before, const record::Run& after) {
  const auto a = hashes(before);
  return !a.empty() && a.count("") == 0 && a == hashes(after);
}

}  // namespace torchgate::gate
