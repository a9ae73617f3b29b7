// SPDX-License-Identifier: Apache-2.0
// Settings of single cases: [[case]] tables in torchgate.toml.
//
//   [[case]]
//   match = "^dataloader/"              # searched in the name; or exact = "the/whole/name"
//   latency = 0.10
//   metrics = { cpu_time = "fail", allocations = "fail" }
//
// Tables are read in order, and the later wins. They are about cases, and so they also win over a flag or an environment
// variable, which are about all cases.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/policy/toml_document.hpp"
#include "harness/base/pattern.hpp"
#include "harness/record/case.hpp"

namespace torchgate::policy {

/// The value of a key; absent when it is of a kind that no key takes.
std::optional<PolicyValue> policy_value(const TomlNode& node);

/// One [[case]] table. bad_input, with file and line: neither or both of match and exact, an expression that is none, an
/// unknown key (names the nearest), a value that the key does not take.
base::Result<CaseRule> read_case_rule(const TomlNode& table, const std::filesystem::path& file);

/// The policy for a screen whose suspects are measured in pairs elsewhere: none fails for being unconfirmed, whatever a
/// [[case]] table says.
Judging awaiting_pairs(Judging policy);

/// The gate of each case. Refers to what it was made of.
class CasePolicies {
 public:
  explicit CasePolicies(const CaseGates& gates);

  /// [gate] with the tables that name this case applied, `metrics` too. Stays as long as this object.
  const Gate& of(std::string_view case_name);

  /// "latency 0.1, metrics cpu_time \"fail\" (torchgate.toml:12)"; empty when no table names the case.
  [[nodiscard]] std::string own_settings(std::string_view case_name) const;

  /// For the report: what each table is in force for; of a table that names no case, or a metric that none of its cases
  /// has, that it does nothing. Tables for suites of which the comparison has no case, such as those of a run of one
  /// suite, are counted in one line. `cases` are all of the comparison.
  [[nodiscard]] std::vector<std::string> notes(
      const std::map<std::string_view, const record::Case*>& cases,
      const std::map<std::string_view, const record::Case*>& others = {}) const;

 private:
  [[nodiscard]] std::vector<std::size_t> rules_for(std::string_view case_name) const;

  const CaseGates& gates_;
  Gate of_others_;                                      // of cases that no table names
  std::vector<std::optional<base::Pattern>> patterns_;  // one per table; absent: the whole name
  std::map<std::vector<std::size_t>, std::unique_ptr<Gate>> resolved_;
};

}  // namespace torchgate::policy
