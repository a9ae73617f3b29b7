// SPDX-License-Identifier: Apache-2.0
// What git prints, which is file names, commit messages and whatever else the repository holds. The functions below stand in
// the place of those of ci/git/run_git.cpp: the linker takes them and leaves that file out.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ci/git/file_at.hpp"
#include "ci/git/repository.hpp"
#include "ci/git/run_git.hpp"
#include "tests/fuzz/target.hpp"

namespace {

// The answers still to be given; the first byte of each is git's exit code.
std::vector<std::string_view> answers;

}  // namespace

namespace torchgate::git {

base::Result<GitAnswer> run_git(const std::filesystem::path&, const std::vector<std::string>&, const GitOptions&) {
  if (answers.empty()) return base::Error{base::ErrorCode::io, "git cannot be started"};
  const std::string_view answer = answers.front();
  answers.erase(answers.begin());
  const int exit_code = answer.empty() || answer.front() == '0' ? 0 : static_cast<unsigned char>(answer.front());
  return GitAnswer{exit_code, std::string(answer.substr(answer.empty() ? 0 : 1))};
}

base::Error failure(const std::filesystem::path& folder, const std::string& doing, const GitAnswer& answer,
                    base::ErrorCode code) {
  return {code, "git failed in " + folder.string() + " while " + doing + ": " + answer.output};
}

const std::vector<std::string>& repository_variables() {
  static const std::vector<std::string> names;
  return names;
}

}  // namespace torchgate::git

using namespace torchgate;

namespace {

bool is_hash(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void ask(const git::Repository& repository, char question) {
  const std::string commit(40, 'c');
  switch (question) {
    case 'h':
      if (const auto head = repository.head()) fuzz::require(is_hash(head->commit), "a commit is a full hash");
      break;
    case 'a':
      if (const auto hashes = repository.ancestors(commit, 5, git::Walk::first_parent))
        fuzz::require(std::all_of(hashes->begin(), hashes->end(), is_hash), "ancestors are full hashes");
      break;
    case 'b':
      if (const auto base = repository.merge_base("main", commit); base && *base)
        fuzz::require(is_hash(**base), "a merge base is a full hash");
      break;
    case 's':
      (void)repository.is_shallow();
      break;
    case 'p':
      (void)repository.parents(commit);
      break;
    case 't':
      (void)repository.merge_target();
      break;
    default:
      (void)git::file_at(repository, commit, "torchgate.toml");
  }
}

}  // namespace

// The first byte says what is asked; then come the answers, that of `open` first.
TORCHGATE_FUZZ_TARGET(git_output) {
  if (input.empty()) return;
  const char question = input.front();
  answers = fuzz::parts_of(input.substr(1), 8);
  const auto repository = git::Repository::open(".");
  if (!repository) return;
  fuzz::accepted();
  ask(*repository, question);
}
