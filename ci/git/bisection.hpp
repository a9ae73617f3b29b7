// SPDX-License-Identifier: Apache-2.0
// `git bisect` in a work tree of its own: git's engine chooses the commits, and its state and references (refs/bisect) are those of that
// work tree, so that a bisection of the user, and their checkout, are not touched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/git/work_tree.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

enum class BisectMark { good, bad, skip };

/// What git answers to a mark.
struct BisectAnswer {
  enum class Kind {
    test,         ///< `commit` is the next one to test
    found,        ///< `commit` is the first bad one
    only_skipped  ///< each of `candidates` may be the first bad one: all that are left to test were skipped
  };
  Kind kind = Kind::test;
  std::string commit;                   ///< full hash
  std::vector<std::string> candidates;  ///< full hashes, oldest first
  std::int64_t revisions_left = 0;      ///< to test after this one
  std::int64_t steps_left = 0;          ///< about, after this one
};

/// bad_input: GOOD is not an ancestor of BAD, or they are one commit; what to do instead. Both are full hashes.
base::Result<void> check_bisect_range(const Repository& repository, const std::string& good, const std::string& bad);

/// Nothing is checked out (`git bisect start --no-checkout`): the commits are built in other work trees. The work tree is removed with its
/// owner; log() is what a user continues from (`git bisect replay`).
class Bisection {
 public:
  /// GOOD and BAD are full hashes, GOOD an ancestor of BAD. FOLDER must not exist. FIRST_PARENT: the commits of merged branches are not
  /// looked at. Errors as of check_bisect_range() and WorkTree::add().
  static base::Result<Bisection> start(const Repository& repository, const std::string& good, const std::string& bad,
                                       bool first_parent, const std::filesystem::path& folder);

  /// What is to be done now.
  [[nodiscard]] const BisectAnswer& now() const { return now_; }

  /// Marks the commit of now(). REQUIRES: now().kind is `test`. io, interrupted: git failed.
  base::Result<void> mark(BisectMark mark);

  /// `git bisect log`.
  [[nodiscard]] base::Result<std::string> log() const;

 private:
  explicit Bisection(WorkTree tree) : tree_(std::move(tree)) {}
  base::Result<void> run(const std::vector<std::string>& arguments);
  base::Result<void> sort_candidates();

  WorkTree tree_;
  BisectAnswer now_;
};

}  // namespace torchgate::git
