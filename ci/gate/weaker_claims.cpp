// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/weaker_claims.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/stored_pool.hpp"
#include "reports/facts/about_tests.hpp"

namespace torchgate::gate {
namespace {

using record::Claim;

// They promise the same of the same numbers, with a limit that may differ.
bool same_promise(const Claim& a, const Claim& b) {
  return a.case_name == b.case_name && a.metric == b.metric && a.quantile == b.quantile && a.relation == b.relation &&
         a.per_item == b.per_item && a.limit.has_value() == b.limit.has_value() &&
         (a.limit || (a.reference_case == b.reference_case && a.metric_of_reference() == b.metric_of_reference() &&
                      a.reference_quantile == b.reference_quantile));
}

double limit_of(const Claim& claim) {
  return claim.limit.value_or(1) * claim.ratio;
}

bool is_weaker(const Claim& now, const Claim& was) {
  return was.relation == record::Relation::at_most ? limit_of(now) > limit_of(was) : limit_of(now) < limit_of(was);
}

enum class Made : std::uint8_t { here, anywhere };

// The one that promises most; nullptr: none of the group is about the same.
const Claim* strictest_of(const record::Group& group, const Claim& was, Made made) {
  const Claim* found = nullptr;
  for (const Claim& each : group.claims) {
    if (made == Made::here && each.not_claimed) continue;
    if (same_promise(each, was) && (found == nullptr || is_weaker(*found, each))) found = &each;
  }
  return found;
}

bool is_kept(const Claim* is, const Claim& was) {
  return is != nullptr && !is_weaker(*is, was);
}

// What claims can require of a machine is the same on both: its host, its devices, and the instructions that LibTorch uses.
bool same_machine(const record::Machine& before, const record::Machine& after) {
  if (before.host_key.empty() || after.host_key.empty()) return false;
  if (refuse_comparison(before, after) || host_unknown(before, after) || devices_differ(before, after)) return false;
  const std::vector<reports::Difference> differences = machine_differences(before, after);
  return std::none_of(differences.begin(), differences.end(),
                      [](const reports::Difference& each) { return each.name == "cpu_capability"; });
}

bool is_measured(const SideEvidence& side, const std::string& name) {
  const CaseEvidence* const evidence = side.find(name);
  return evidence != nullptr && !evidence->measured.empty();
}

facts::Quantity quantity_of(const Claim& claim, const SideEvidence& side) {
  if (!claim.limit) return {claim.ratio, "1"};
  const record::Metric* const metric = metric_named(*side.find(claim.case_name)->definition, claim.metric);
  return {limit_of(claim), metric == nullptr ? "1" : metric->unit};
}

using Groups = std::unordered_map<std::string_view, const record::Group*>;

Groups groups_of(const record::Run& run) {
  Groups groups;
  for (const record::Group& group : run.groups) groups.emplace(group.name, &group);
  return groups;
}

// The claims of the stored runs, and which run speaks for each.
class StoredClaims {
 public:
  StoredClaims(const std::vector<SideEvidence>& stored, const SideEvidence& after)
      : after_(&after), pool_(stored, after.run()) {
    for (const SideEvidence& side : stored) groups_.push_back(groups_of(side.run()));
  }

  // A newer run makes the claim, or knows of its cases and no longer makes it, which the gate of that run has judged.
  [[nodiscard]] bool is_superseded(std::size_t run, const std::string& group, const Claim& was) const {
    for (std::size_t newer = 0; newer < run; ++newer) {
      if (knows(newer, was.case_name) && (was.limit || knows(newer, was.reference_case))) return true;
      const auto same = groups_[newer].find(group);
      if (same != groups_[newer].end() && strictest_of(*same->second, was, Made::anywhere) != nullptr) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool knows(std::size_t run, const std::string& name) const {
    return pool_.knows(run, *after_->find(name)->definition);
  }

  const SideEvidence* after_;
  StoredPool pool_;
  std::vector<Groups> groups_;  // of each run
};

// Why NOW does not keep the claim; absent: it does. ON_SAME_MACHINE: nothing of it explains that a claim is not made now.
std::optional<facts::Fact> given_up_because(const Claim& was, const record::Group& now, bool on_same_machine,
                                            const SideEvidence& after) {
  const Claim* const promised = strictest_of(now, was, Made::anywhere);
  const Claim* const made = on_same_machine ? strictest_of(now, was, Made::here) : promised;
  if (is_kept(made, was)) return std::nullopt;
  const facts::Quantity limit = quantity_of(was, after);
  if (is_kept(promised, was) && promised->not_claimed) return facts::claim_not_made(limit, *promised->not_claimed);
  if (made == nullptr) return facts::claim_removed(limit);
  const bool at_most = was.relation == record::Relation::at_most;
  return (at_most ? facts::claim_raised : facts::claim_lowered)(limit, quantity_of(*made, after));
}

}  // namespace

reports::ClaimFinding promised_by(const Claim& claim) {
  reports::ClaimFinding finding;
  finding.case_name = claim.case_name;
  finding.reference_case = claim.reference_case;
  finding.metric = claim.metric;
  finding.text = claim.text;
  finding.promised_ratio = claim.ratio;
  finding.at_most = claim.relation == record::Relation::at_most;
  return finding;
}

std::vector<reports::ClaimFinding> weaker_claims(const std::vector<SideEvidence>& stored, const SideEvidence& after) {
  const Groups groups = groups_of(after.run());
  const StoredClaims claims(stored, after);
  std::vector<reports::ClaimFinding> findings;
  for (std::size_t run = 0; run < stored.size(); ++run) {
    const record::Run& before = stored[run].run();
    const bool same = same_machine(before.machine, after.run().machine);
    for (const record::Group& group : before.groups) {
      const auto now = groups.find(group.name);
      if (now == groups.end()) continue;  // its cases are missing
      for (const Claim& was : group.claims) {
        if (was.not_claimed || !is_measured(after, was.case_name)) continue;
        if (!was.limit && !is_measured(after, was.reference_case)) continue;
        if (claims.is_superseded(run, group.name, was)) continue;
        auto why = given_up_because(was, *now->second, same, after);
        if (!why) continue;
        reports::ClaimFinding finding = promised_by(was);
        finding.state = reports::ClaimState::broken;
        finding.reasons = {*std::move(why)};
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}

}  // namespace torchgate::gate
