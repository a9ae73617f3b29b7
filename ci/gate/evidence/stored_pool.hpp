// SPDX-License-Identifier: Apache-2.0
// Which stored run is the baseline of a case: the newest that has usable numbers of it. A pushed run that lost a case or a count is
// not a baseline for it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Whether PROFILE measures all cases that OTHER does: "full" those of "default", and this those of "quick". Of a profile of another tool nothing is known.
bool measures_all_of(std::string_view profile, std::string_view other);

/// What one stored run knows of a case.
struct StoredCase {
  const CaseEvidence* evidence = nullptr;  ///< nullptr: no run has it
  std::size_t run = 0;                     ///< 0: the nearest
};

class StoredPool {
 public:
  /// RUNS, the nearest first, must outlive it. CURRENT: the run that they are compared with.
  StoredPool(const std::vector<SideEvidence>& runs, const record::Run& current);

  using Has = std::function<bool(const StoredCase& stored)>;

  /// The newest run that measured the case as AFTER did, and HAS what is wanted of it: of its machine, else of another one (other_machine).
  [[nodiscard]] StoredCase comparable(const CaseEvidence& after, const Has& has = nullptr) const;

  /// The newest run that has the case at all.
  [[nodiscard]] StoredCase known(std::string_view case_name) const;

  /// The newest run that measured the case and that no later one removed it from: a later run has it without numbers, or was not asked
  /// for it. A run that was asked for it and does not list it, or skips it, has removed it, which its own gate has judged. A run of a
  /// smaller profile removes nothing that this profile is not known to measure.
  [[nodiscard]] StoredCase not_removed(const record::Case& definition) const;

  /// A run from FIRST on has the case and is of PROFILE or of a smaller one: PROFILE measures it.
  [[nodiscard]] bool is_in_profile(std::string_view case_name, std::string_view profile, std::size_t first = 0) const;

  /// RUN does not have the case because of its profile, for all that is known of it.
  [[nodiscard]] bool profile_leaves_out(std::size_t run, const record::Case& definition) const;

  /// RUN has the case, or was asked for it and no longer lists it: what it lacks was removed.
  [[nodiscard]] bool knows(std::size_t run, const record::Case& definition) const;

  /// Why times of RUN are not comparable with those of the current run: the host is not known, or the case is one of a GPU, and the devices
  /// differ. nullptr: they are.
  [[nodiscard]] const facts::Fact* other_machine(std::size_t run, const record::Case& definition) const;

  [[nodiscard]] std::size_t size() const { return runs_->size(); }
  [[nodiscard]] const record::Run& run(std::size_t run) const { return (*runs_)[run].run(); }

  /// "run X of 1a2b3c4d5e6f (2026-11-25)"
  [[nodiscard]] facts::Fact name_of(std::size_t run) const;

  /// Why the nearest run has no usable numbers of AFTER's case: "has none of it", "it failed in ..."
  [[nodiscard]] facts::Fact why_not_nearest(const CaseEvidence& after) const;

 private:
  const std::vector<SideEvidence>* runs_;
  // By run.
  std::vector<std::optional<facts::Fact>> hosts_unknown_;
  std::vector<std::optional<facts::Fact>> devices_differ_;
};

}  // namespace torchgate::gate
