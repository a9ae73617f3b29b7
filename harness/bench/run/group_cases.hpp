// SPDX-License-Identifier: Apache-2.0
// The cases and claims of a group.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/group_description.hpp"

namespace torchgate::bench {

struct CaseInstance {
  record::Case definition;
  const VariantDescription* variant = nullptr;
  Args args{{}, 0};
  std::string reference_case;  ///< empty for the reference itself and in a sweep
};

class GroupCases {
 public:
  /// Asks the author. Throws std::logic_error with the first mistake, as the functions below that say so.
  GroupCases(const std::string& suite, const std::string& name, const std::function<void(Group&)>& describe);

  [[nodiscard]] const std::string& name() const { return of_.name; }
  [[nodiscard]] bool is_training() const { return of_.training; }
  [[nodiscard]] std::int64_t rank_count() const { return of_.ranks; }
  [[nodiscard]] std::optional<std::int64_t> cold_launches() const { return of_.cold_launches; }
  [[nodiscard]] const std::vector<Need>& group_needs() const { return of_.needs; }
  [[nodiscard]] const std::deque<VariantDescription>& variants() const { return of_.variants; }

  // Group's and variant's together.
  [[nodiscard]] bool has_graphs(const VariantDescription& variant) const { return of_.graphs || variant.graphs; }
  [[nodiscard]] std::vector<OwnMetric> own_metrics(const VariantDescription& variant) const;
  [[nodiscard]] OwnProcess own_process(const VariantDescription& variant) const;
  [[nodiscard]] bool has_own_process(const VariantDescription& variant) const {
    return of_.cold_launches.has_value() || !own_process(variant).empty();
  }
  /// Whether the reference of the case has other such settings: a process with them makes what the case is compared with.
  [[nodiscard]] bool has_reference_elsewhere(const CaseInstance& instance) const {
    return !instance.reference_case.empty() && own_process(of_.variants.front()) != own_process(*instance.variant);
  }
  [[nodiscard]] std::vector<std::string> artefacts(const VariantDescription& variant) const;
  [[nodiscard]] std::optional<std::int64_t> sample_count(const VariantDescription& variant) const {
    return variant.samples ? variant.samples : of_.samples;
  }
  /// Whether that profile measures the case.
  [[nodiscard]] bool is_in(const std::string& profile, const CaseInstance& instance) const;

  /// All cases, in the order axes x variants. Throws as above. They point into this object.
  [[nodiscard]] std::vector<CaseInstance> instances() const;
  /// The group with its claims made concrete for those instances. BACKEND: knows whether each is made here; nullptr: that is not asked. Throws as
  /// above.
  [[nodiscard]] record::Group definition(const std::vector<CaseInstance>& instances,
                                         const Backend* backend = nullptr) const;

 private:
  [[nodiscard]] std::vector<Args> combinations() const;
  [[nodiscard]] std::vector<record::Metric> metrics_of(const VariantDescription& variant, bool on_cuda) const;
  [[nodiscard]] record::Case case_of(const VariantDescription& variant, const Args& args) const;
  void check_names() const;
  void check_metrics(const VariantDescription& variant) const;
  void check_selection(const std::string& what, const Where& where) const;
  void check_settings(const std::string& of, const CaseSettings& settings, bool is_reference) const;
  void check_variant(const VariantDescription& variant) const;
  void check_used(const std::vector<CaseInstance>& all) const;
  void check_own_process(const VariantDescription& variant) const;
  [[nodiscard]] bool compared_with_reference(const VariantDescription& variant) const;
  [[nodiscard]] const VariantDescription* find(const std::string& variant) const;
  void check_promise(const VariantDescription& variant, const ClaimDescription& claimed) const;
  [[nodiscard]] std::string reference_of(const Promise& promise, const CaseInstance& instance) const;
  void add_claims(const VariantDescription& variant, const ClaimDescription& claimed,
                  const std::vector<CaseInstance>& instances, const Backend* backend,
                  std::vector<record::Claim>& claims) const;

  GroupDescription of_;
};

/// Whether a case with these arguments is one of those.
bool selected(const Where& where, const Args& args);

/// "suite/group/variant/axis:value/...".
std::string case_name(const std::string& group, const std::string& variant, const Args& args);

/// The groups of a suite. Throws std::logic_error without any, with two of one name, and as GroupCases does.
std::vector<GroupCases> groups_of(const std::string& suite, const std::vector<RegisteredGroup>& registered);

}  // namespace torchgate::bench
