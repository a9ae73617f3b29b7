// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/stored_pool.hpp"

#include <algorithm>
#include <array>

#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

bool was_asked_for(const SideEvidence& side, const record::Case& definition) {
  if (side.run().interrupted || side.lost_a_listing()) return false;
  const Coverage coverage = side.coverage(definition);
  return coverage == Coverage::planned || coverage == Coverage::other_suites;
}

}  // namespace

StoredPool::StoredPool(const std::vector<SideEvidence>& runs, const record::Run& current) : runs_(&runs) {
  for (const SideEvidence& stored : runs) {
    hosts_unknown_.push_back(host_unknown(stored.run().machine, current.machine));
    devices_differ_.push_back(devices_differ(stored.run().machine, current.machine));
  }
}

const facts::Fact* StoredPool::other_machine(std::size_t run, const record::Case& definition) const {
  if (const auto& unknown = hosts_unknown_[run]) return &*unknown;
  const auto& why = devices_differ_[run];
  return why && record::is_cuda(definition) ? &*why : nullptr;
}

bool measures_all_of(std::string_view profile, std::string_view other) {
  constexpr std::array<std::string_view, 3> smallest_first{"quick", "default", "full"};
  if (profile == other) return true;
  const auto place = std::find(smallest_first.begin(), smallest_first.end(), profile);
  return place != smallest_first.end() && std::find(smallest_first.begin(), place, other) != place;
}

bool StoredPool::is_in_profile(std::string_view case_name, std::string_view profile, std::size_t first) const {
  return std::any_of(runs_->begin() + static_cast<std::ptrdiff_t>(first), runs_->end(), [&](const SideEvidence& one) {
    return measures_all_of(profile, one.run().plan.profile) && one.find(case_name) != nullptr;
  });
}

bool StoredPool::profile_leaves_out(std::size_t run, const record::Case& definition) const {
  const SideEvidence& side = (*runs_)[run];
  return side.find(definition.name) == nullptr && was_asked_for(side, definition) &&
         !is_in_profile(definition.name, side.run().plan.profile, run);
}

bool StoredPool::knows(std::size_t run, const record::Case& definition) const {
  const SideEvidence& side = (*runs_)[run];
  if (side.find(definition.name) != nullptr) return true;
  return was_asked_for(side, definition) && !profile_leaves_out(run, definition);
}

StoredCase StoredPool::comparable(const CaseEvidence& after, const Has& has) const {
  StoredCase elsewhere;
  for (std::size_t run = 0; run < runs_->size(); ++run) {
    const CaseEvidence* const stored = (*runs_)[run].find(after.definition->name);
    if (stored == nullptr || stored->measured.empty()) continue;
    if (!is_same_case(*stored->definition, *after.definition) || (has && !has({stored, run}))) continue;
    if (other_machine(run, *after.definition) == nullptr) return {stored, run};
    if (elsewhere.evidence == nullptr) elsewhere = {stored, run};
  }
  return elsewhere;
}

StoredCase StoredPool::known(std::string_view case_name) const {
  for (std::size_t run = 0; run < runs_->size(); ++run) {
    if (const CaseEvidence* const stored = (*runs_)[run].find(case_name)) return {stored, run};
  }
  return {};
}

StoredCase StoredPool::not_removed(const record::Case& definition) const {
  for (std::size_t run = 0; run < runs_->size(); ++run) {
    const CaseEvidence* const stored = (*runs_)[run].find(definition.name);
    if (stored != nullptr && !stored->measured.empty()) return {stored, run};
    const bool removed = stored == nullptr ? knows(run, definition) : stored->definition->skipped.has_value();
    if (removed) return {};
  }
  return {};
}

facts::Fact StoredPool::name_of(std::size_t run) const {
  const record::Run& stored = (*runs_)[run].run();
  const auto& commit = stored.sides.front().source.commit;
  const std::string date = stored.created.substr(0, std::string_view("YYYY-MM-DD").size());
  return commit ? facts::stored_run_of_commit(stored.id, record::short_commit(*commit), date)
                : facts::stored_run(stored.id, date);
}

facts::Fact StoredPool::why_not_nearest(const CaseEvidence& after) const {
  const CaseEvidence* const nearest = runs_->front().find(after.definition->name);
  if (nearest == nullptr) return facts::lacks_the_case;
  if (!nearest->measured.empty()) {
    if (nearest->definition->ambiguous) return facts::cannot_tell_apart(*nearest->definition->ambiguous);
    if (auto differs = identity_differs(*nearest->definition, *after.definition))
      return facts::measured_otherwise(*std::move(differs));
    if (const facts::Fact* const elsewhere = other_machine(0, *after.definition))
      return facts::measured_on_another_machine(*elsewhere);
    return facts::without_usable_numbers();
  }
  const auto failure = failure_of(*nearest);
  return failure ? facts::without_usable_numbers_as(facts::it_did(*failure)) : facts::without_usable_numbers();
}

}  // namespace torchgate::gate
