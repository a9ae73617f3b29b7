// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/vary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/evidence/build_parts.hpp"
#include "ci/policy/nearest_name.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

constexpr const char* libtorch_name = "libtorch";

const record::MachineFact* find_fact(const record::Run& run, const std::string& name) {
  const auto& facts = run.machine.facts;
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

}  // namespace

std::set<std::string> suite_fact_names() {
  return {"cpu_capability",   "cuda_clock",       "cuda_device",      "cuda_devices",     "cuda_expected_clock_mhz",
          "cuda_flush_bytes", "cuda_l2_bytes",    "inter_op_threads", "intra_op_threads", "libtorch_build",
          "libtorch_version", "quantized_engine", "suite_build",      "suite_compiler"};
}

bool names_fact(const std::string& name, const std::string& fact) {
  const bool of_environment = name == "environment" && fact == "library_environment";
  return fact == name || fact.starts_with(name + "_") || of_environment;
}

base::Result<void> check_vary(const std::vector<std::string>& names, const record::Machine& machine) {
  std::set<std::string> known = suite_fact_names();
  known.insert("library_environment");
  for (const record::MachineFact& fact : machine.facts)
    if (fact.fact_class == record::FactClass::warn) known.insert(fact.name);
  for (const std::string& name : names) {
    const bool found =
        std::any_of(known.begin(), known.end(), [&](const auto& fact) { return names_fact(name, fact); });
    if (found && !name.empty()) continue;
    known.insert(libtorch_name);  // the first words that are worth proposing
    known.insert("environment");
    std::string proposals;
    for (const std::string& near : policy::nearest_names(name, known, 3))
      proposals += fmt::format("{}\"{}\"", proposals.empty() ? "" : ", ", near);
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("--vary {}: unknown fact; did you mean {}?", name, proposals)};
  }
  return {};
}

std::vector<reports::Difference> side_differences(const record::Run& run) {
  std::vector<reports::Difference> differences;
  if (run.sides.size() != 2) return differences;
  const std::string before = " (" + run.sides[0].label + ")";
  const std::string after = " (" + run.sides[1].label + ")";
  for (const record::MachineFact& fact : run.machine.facts) {
    if (!fact.name.ends_with(before) || !fact.value) continue;
    const std::string name = fact.name.substr(0, fact.name.size() - before.size());
    const record::MachineFact* const other = find_fact(run, name + after);
    if (other != nullptr && other->value) differences.push_back({name, *fact.value, *other->value, false});
  }
  return by_parts(std::move(differences));
}

bool varies_libtorch(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return names_fact(name, "libtorch_version"); });
}

void accept_varied(reports::Report& report, const std::vector<std::string>& names) {
  const auto wanted = [&](const reports::Difference& difference) {
    return !difference.refuses && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return names_fact(name, std::string(whole_fact(difference.name)));
    });
  };
  std::set<std::string_view> said;  // once of a fact, whatever parts of it differ
  for (const reports::Difference& difference : report.differences) {
    const std::string_view fact = whole_fact(difference.name);
    if (wanted(difference) && said.insert(fact).second) report.notes.push_back(facts::varied(std::string(fact)));
  }
  if (varies_libtorch(names)) {
    report.upgrade.emplace();
    std::copy_if(report.differences.begin(), report.differences.end(), std::back_inserter(report.upgrade->build),
                 [&](const auto& difference) {
                   return wanted(difference) && names_fact(libtorch_name, std::string(whole_fact(difference.name)));
                 });
  }
  std::erase_if(report.differences, wanted);
}

}  // namespace torchgate::gate
