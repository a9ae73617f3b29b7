// SPDX-License-Identifier: Apache-2.0
#include "ci/git/bisection.hpp"

#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "ci/git/run_git.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::git {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

// `git bisect` ends with it when only skipped commits are left.
constexpr int only_skipped_exit_code = 2;

const char* word_of(BisectMark mark) {
  switch (mark) {
    case BisectMark::good:
      return "good";
    case BisectMark::bad:
      return "bad";
    case BisectMark::skip:
      return "skip";
  }
  return "skip";
}

// The number behind WORDS, as in "Bisecting: 3 revisions left to test after this (roughly 2 steps)".
std::int64_t number_behind(std::string_view line, std::string_view words) {
  const std::size_t found = line.find(words);
  if (found == std::string_view::npos) return 0;
  const std::string_view rest = line.substr(found + words.size());
  std::int64_t number = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return number;
}

// "HASH is the first bad commit", on a line of its own. The commit's own text comes after it.
std::optional<std::string> first_bad(const std::string& line) {
  const std::size_t space = line.find(' ');
  if (space == std::string::npos || line.substr(space) != " is the first bad commit") return std::nullopt;
  const std::string hash = line.substr(0, space);
  return record::is_full_commit(hash) ? std::optional(hash) : std::nullopt;
}

// Absent: which commit is next stands in BISECT_HEAD.
std::optional<BisectAnswer> end_in(const GitAnswer& answer) {
  BisectAnswer end;
  std::istringstream in(answer.output);
  for (std::string line; std::getline(in, line);) {
    if (const auto commit = first_bad(line)) {
      end.kind = BisectAnswer::Kind::found;
      end.commit = *commit;
      return end;
    }
    if (answer.exit_code == only_skipped_exit_code && record::is_full_commit(line)) end.candidates.push_back(line);
  }
  if (answer.exit_code != only_skipped_exit_code) return std::nullopt;
  end.kind = BisectAnswer::Kind::only_skipped;
  return end;
}

}  // namespace

Result<void> check_bisect_range(const Repository& repository, const std::string& good, const std::string& bad) {
  const std::string names = record::short_commit(good) + " and " + record::short_commit(bad);
  if (good == bad) return Error{ErrorCode::bad_input, names + " are one commit: there is nothing to search"};
  const auto base = repository.merge_base(good, bad);
  if (!base) return base.error();
  if (!*base)
    return Error{ErrorCode::bad_input,
                 names + " have no common ancestor in this clone; fetch the history (`git fetch --unshallow`)"};
  if (**base == good) return {};
  if (**base == bad)
    return Error{ErrorCode::bad_input, record::short_commit(good) + " comes after " + record::short_commit(bad) +
                                           ": the good commit has to be the older one; swap --good and --bad"};
  return Error{ErrorCode::bad_input, record::short_commit(good) + " is not an ancestor of " +
                                         record::short_commit(bad) + "; use the commit where they part, " +
                                         record::short_commit(**base) + ", as the good one"};
}

Result<Bisection> Bisection::start(const Repository& repository, const std::string& good, const std::string& bad,
                                   bool first_parent, const std::filesystem::path& folder) {
  if (auto range = check_bisect_range(repository, good, bad); !range) return range.error();
  auto tree = WorkTree::add(repository, bad, folder, Content::nothing);
  if (!tree) return tree.error();
  Bisection bisection(std::move(*tree));
  std::vector<std::string> arguments{"bisect", "start", "--no-checkout"};
  if (first_parent) arguments.emplace_back("--first-parent");
  arguments.insert(arguments.end(), {bad, good, "--"});
  if (auto started = bisection.run(arguments); !started) return started.error();
  return bisection;
}

Result<void> Bisection::mark(BisectMark mark) {
  return run({"bisect", word_of(mark), now_.commit});
}

Result<std::string> Bisection::log() const {
  const auto answer = run_git(tree_.path(), {"bisect", "log"}, {.cleans_up = true});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(tree_.path(), "reading the bisection", *answer, ErrorCode::io);
  return answer->output;
}

Result<void> Bisection::run(const std::vector<std::string>& arguments) {
  const std::string doing = "bisecting (git bisect " + arguments.at(1) + ")";
  const auto answer = run_git(tree_.path(), arguments);
  if (!answer) return answer.error().within(doing);
  if (const auto end = end_in(*answer)) {
    now_ = *end;
    return now_.kind == BisectAnswer::Kind::only_skipped ? sort_candidates() : Result<void>();
  }
  if (answer->exit_code != 0) return failure(tree_.path(), doing, *answer, ErrorCode::io);
  const auto next = run_git(tree_.path(), {"rev-parse", "--verify", "BISECT_HEAD"});
  if (!next) return next.error().within(doing);
  std::istringstream lines(next->output);
  BisectAnswer test;
  for (std::string line; std::getline(lines, line);)
    if (record::is_full_commit(line)) test.commit = line;
  if (test.commit.empty()) return failure(tree_.path(), doing, *answer, ErrorCode::io);
  test.revisions_left = number_behind(answer->output, "Bisecting: ");
  test.steps_left = number_behind(answer->output, "(roughly ");
  now_ = test;
  return {};
}

// Git lists them in the order in which they were skipped.
Result<void> Bisection::sort_candidates() {
  const auto answer = run_git(
      tree_.path(), {"rev-list", "--topo-order", "--reverse", "refs/bisect/bad", "--not", "--glob=refs/bisect/good-*"});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(tree_.path(), "listing the skipped commits", *answer, ErrorCode::io);
  const std::set<std::string> left(now_.candidates.begin(), now_.candidates.end());
  now_.candidates.clear();
  std::istringstream in(answer->output);
  for (std::string line; std::getline(in, line);)
    if (left.contains(line)) now_.candidates.push_back(line);
  return {};
}

}  // namespace torchgate::git
