// SPDX-License-Identifier: Apache-2.0
// Builds commits in places of their own, and measures two of them in interleaved pairs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/build/commit_build.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Where a build is: folders with names of equal length, so that programs have paths of equal length, and builds of the same code are the same
/// but for that name.
enum class Place : std::uint8_t { good, bad, step, parent, commit };

/// Whether the code of cases that became slower is compared after pairs, and what else `ab` looks at.
enum class AfterPairs : std::uint8_t { nothing, follow_up };

class CommitBench {
 public:
  /// All must outlive it.
  CommitBench(const git::Repository& repository, BuildFolder folder, BuildRecipe recipe, Effort effort,
              const policy::Policy& policy, Narrator& narrator)
      : repository_(repository),
        folder_(std::move(folder)),
        recipe_(std::move(recipe)),
        effort_(std::move(effort)),
        policy_(policy),
        narrator_(narrator) {}

  /// Builds COMMIT in PLACE, instead of what was there. LABEL: "good", "step 3". Errors as of build_commit().
  base::Result<void> build(Place place, const NamedCommit& commit);

  /// REQUIRES: built.
  [[nodiscard]] const BuiltCommit& at(Place place) const { return built_.at(place); }

  /// What the suites of one place have: names of cases, with the reason where one cannot run here.
  [[nodiscard]] base::Result<std::map<std::string, std::string>> cases_at(Place place) const;

  /// Pairs of these cases until each is decided, as `ab` measures them. Saved.
  base::Result<record::Run> full_pairs(Place before, Place after, const std::vector<std::string>& cases,
                                       AfterPairs after_pairs);

  /// Pairs of these cases, at most MOST, chosen by ROUNDS. Not saved.
  base::Result<record::Run> pairs(Place before, Place after, const std::vector<std::string>& cases, std::int64_t most,
                                  std::shared_ptr<launch::Rounds> rounds);

  /// A folder beside the builds.
  [[nodiscard]] std::filesystem::path beside(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] const BuildRecipe& recipe() const { return recipe_; }

 private:
  [[nodiscard]] launch::Request request(Place before, Place after, const std::vector<std::string>& cases) const;

  const git::Repository& repository_;
  BuildFolder folder_;
  BuildRecipe recipe_;
  Effort effort_;
  const policy::Policy& policy_;
  Narrator& narrator_;
  std::map<Place, BuiltCommit> built_;  // after the folder, so that the work trees go before it
};

/// How many pairs RUN has: processes of its after side, of all groups.
std::int64_t pairs_in(const record::Run& run);

}  // namespace torchgate::workflow
