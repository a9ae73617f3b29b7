// SPDX-License-Identifier: Apache-2.0
// Against real repositories, made by the real git.
#include "ci/git/repository.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "harness/process/temporary_folder.hpp"
#include "tests/ci/git/real_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

/// Sets an environment variable, or takes it away, until the end of the scope.
class WithEnvironment {
 public:
  WithEnvironment(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~WithEnvironment() { set(old_); }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  void set(const std::optional<std::string>& value) { value ? ::setenv(name_, value->c_str(), 1) : ::unsetenv(name_); }

  const char* name_;
  std::optional<std::string> old_;
};

class RepositoryTest : public ::testing::Test {
 protected:
  void SetUp() override { git({"init", "--quiet", "--initial-branch=main", root().string()}, scratch_.path()); }

  [[nodiscard]] fs::path root() const { return scratch_.path() / "repository"; }
  [[nodiscard]] Repository open() const { return Repository::open(root()).value(); }

  std::string git(const std::vector<std::string>& arguments, const fs::path& folder) {
    if (clock_ == 0) return testing::run_git(arguments, folder);
    const std::string date = std::to_string(1'700'000'000 + clock_) + " +0000";
    return testing::run_git(arguments, folder, {{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}});
  }
  std::string git(const std::vector<std::string>& arguments) { return git(arguments, root()); }

  void write(const std::string& name, const std::string& content) {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << content;
  }

  std::string commit(const std::string& name) {
    ++clock_;
    write(name, "content of " + name);
    git({"add", name});
    git({"commit", "--quiet", "-m", name});
    return git({"rev-parse", "HEAD"});
  }

  /// Merges BRANCH into the current one as GitHub does, with a merge commit in any case.
  std::string merge(const std::string& branch) {
    ++clock_;
    git({"merge", "--quiet", "--no-ff", "-m", "merge " + branch, branch});
    return git({"rev-parse", "HEAD"});
  }

  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
  int clock_ = 0;
};

TEST_F(RepositoryTest, APathMayHaveLineBreaksAndLinks) {
  const auto first = commit("deep/a");
  const fs::path odd = scratch_.path() / "line\nbreak \t";
  fs::create_directories(odd);
  fs::rename(root(), odd / "repository");
  fs::create_directory_symlink(odd / "repository" / "deep", scratch_.path() / "link");
  for (const fs::path& folder : {odd / "repository", odd / "repository" / "deep", scratch_.path() / "link"}) {
    const auto opened = Repository::open(folder);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->root(), fs::canonical(odd / "repository"));
    EXPECT_EQ(opened->head().value().commit, first);
  }
  EXPECT_EQ(Repository::open(odd / "repository" / ".git").error().code, ErrorCode::bad_input);
}

TEST_F(RepositoryTest, ARepositoryOfAnotherUserIsNamedAsSuch) {
  commit("a");
  const WithEnvironment other("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");  // git's own switch for its tests
  const WithEnvironment global("GIT_CONFIG_GLOBAL", "/dev/null");       // which may trust all folders
  const WithEnvironment system("GIT_CONFIG_SYSTEM", "/dev/null");
  const auto opened = Repository::open(root());
  ASSERT_FALSE(opened);
  const std::string& message = opened.error().message;
  EXPECT_TRUE(message.starts_with("dubious ownership: the repository " + fs::canonical(root()).string())) << message;
  EXPECT_NE(message.find("git config --global --add safe.directory " + fs::canonical(root()).string()), message.npos);
}

TEST_F(RepositoryTest, HeadIsCommitBranchAndWhetherTrackedFilesDiffer) {
  const auto first = commit("a");
  auto head = open().head().value();
  EXPECT_EQ(head.commit, first);
  EXPECT_EQ(head.branch, "main");
  EXPECT_FALSE(head.modified);

  write("untracked", "x");
  EXPECT_FALSE(open().head().value().modified) << "untracked files do not count";
  write("a", "changed");
  EXPECT_TRUE(open().head().value().modified);
  git({"add", "a"});
  EXPECT_TRUE(open().head().value().modified) << "staged is modified too";
  write("a", "content of a");
  git({"add", "a"});
  EXPECT_FALSE(open().head().value().modified);
  git({"add", "untracked"});
  EXPECT_TRUE(open().head().value().modified) << "a file that was added is tracked";
  git({"rm", "--quiet", "--cached", "untracked"});
  fs::remove(root() / "a");
  EXPECT_TRUE(open().head().value().modified) << "deleted";
}

TEST_F(RepositoryTest, HeadNamesTheFirstFilesThatDiffer) {
  for (const char* name : {"a", "b", "c", "d e", "f"}) commit(name);
  write("untracked", "x");
  write("d e", "changed");
  EXPECT_EQ(open().head().value().modified_files, std::vector<std::string>{"\"d e\""});
  for (const char* name : {"f", "c", "b", "a"}) write(name, "changed");
  EXPECT_EQ(open().head().value().modified_files, (std::vector<std::string>{"a", "b", "c", "\"d e\""}));
}

TEST_F(RepositoryTest, ChangesThatGitWasToldNotToLookAtCount) {
  commit("a");
  commit("b\n\tc");
  commit("d");
  for (const auto& [hide, show] :
       {std::pair{"--skip-worktree", "--no-skip-worktree"}, std::pair{"--assume-unchanged", "--no-assume-unchanged"}}) {
    git({"update-index", hide, "a", "b\n\tc"});
    EXPECT_FALSE(open().head().value().modified) << hide;
    write("b\n\tc", "changed");
    EXPECT_EQ(git({"status", "--porcelain"}), "") << "git does not show it";
    EXPECT_TRUE(open().head().value().modified) << hide;
    write("b\n\tc", "content of b\n\tc");
    EXPECT_FALSE(open().head().value().modified) << "as it was";
    git({"update-index", show, "a", "b\n\tc"});
  }
  git({"update-index", "--skip-worktree", "a"});
  git({"update-index", "--assume-unchanged", "d"});
  fs::remove(root() / "a");
  EXPECT_FALSE(open().head().value().modified) << "a sparse checkout";
  fs::remove(root() / "d");
  EXPECT_TRUE(open().head().value().modified) << "deleted";
}

TEST_F(RepositoryTest, AFileThatWasOnlyTouchedIsNotModified) {
  commit("a");
  fs::last_write_time(root() / "a", fs::last_write_time(root() / "a") + std::chrono::hours(1));
  const auto index = fs::last_write_time(root() / ".git" / "index");
  EXPECT_FALSE(open().head().value().modified);
  EXPECT_EQ(fs::last_write_time(root() / ".git" / "index"), index) << "asking writes nothing";
}

TEST_F(RepositoryTest, ConfigurationDoesNotChangeTheAnswer) {
  commit("a");
  git({"config", "status.relativePaths", "false"});
  git({"config", "status.branch", "true"});
  git({"config", "diff.ignoreSubmodules", "all"});
  git({"config", "core.pager", "false"});
  git({"config", "color.ui", "always"});
  EXPECT_FALSE(open().head().value().modified);
  write("a", "changed");
  EXPECT_TRUE(open().head().value().modified);
}

TEST_F(RepositoryTest, ASubmoduleCountsWhenItsTrackedFilesDiffer) {
  const auto library = scratch_.path() / "library";
  git({"init", "--quiet", library.string()}, scratch_.path());
  std::ofstream(library / "file") << "x";
  git({"add", "file"}, library);
  git({"commit", "--quiet", "-m", "x"}, library);
  git({"submodule", "--quiet", "add", library.string(), "library"});
  git({"commit", "--quiet", "-m", "with a submodule"});
  EXPECT_FALSE(open().head().value().modified);
  write("library/untracked", "x");
  EXPECT_FALSE(open().head().value().modified);
  write("library/file", "changed");
  EXPECT_TRUE(open().head().value().modified);
}

TEST_F(RepositoryTest, ADetachedHeadHasNoBranch) {
  commit("a");
  git({"checkout", "--quiet", "--detach"});
  const auto head = open().head();
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->branch, std::nullopt);
}

TEST_F(RepositoryTest, BeforeTheFirstCommitThereIsNoHead) {
  const auto head = open().head();
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, ErrorCode::not_found);
}

TEST_F(RepositoryTest, OpensFromAnyFolderOfTheWorkTree) {
  commit("deep/er/file");
  EXPECT_EQ(fs::canonical(Repository::open(root() / "deep" / "er").value().root()), fs::canonical(root()));
}

TEST_F(RepositoryTest, ANameWithSpacesAndShellCharactersIsAFolderLikeAnyOther) {
  const auto odd = scratch_.path() / "it's $(touch owned); \"odd\"";
  git({"init", "--quiet", odd.string()}, scratch_.path());
  EXPECT_TRUE(Repository::open(odd));
  EXPECT_FALSE(fs::exists(scratch_.path() / "owned"));
}

TEST_F(RepositoryTest, RefusesFoldersThatAreNotAWorkTree) {
  const auto plain = scratch_.path() / "plain";
  fs::create_directory(plain);
  const WithEnvironment stop_above("GIT_CEILING_DIRECTORIES", scratch_.path().string());
  const auto none = Repository::open(plain);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_NE(none.error().message.find(plain.string()), std::string::npos);
  EXPECT_NE(none.error().message.find("not a git repository"), std::string::npos) << "git's own words";

  const auto absent = Repository::open(scratch_.path() / "absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::not_found);

  git({"init", "--quiet", "--bare", "bare.git"}, scratch_.path());
  for (const auto& folder : {scratch_.path() / "bare.git", root() / ".git"}) {
    const auto no_files = Repository::open(folder);
    ASSERT_FALSE(no_files);
    EXPECT_EQ(no_files.error().code, ErrorCode::bad_input);
    EXPECT_NE(no_files.error().message.find("work tree"), std::string::npos);
  }
}

TEST_F(RepositoryTest, SaysWhenThereIsNoGit) {
  const WithEnvironment empty_path("PATH", scratch_.path().string());
  const auto opened = Repository::open(root());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::not_found);
  EXPECT_NE(opened.error().message.find("install git"), std::string::npos);
}

TEST_F(RepositoryTest, AHooksEnvironmentDoesNotLeadElsewhere) {
  const auto here = commit("a");
  const auto other = scratch_.path() / "other";
  git({"init", "--quiet", other.string()}, scratch_.path());
  const WithEnvironment git_dir("GIT_DIR", (other / ".git").string());
  const WithEnvironment work_tree("GIT_WORK_TREE", other.string());
  const WithEnvironment index("GIT_INDEX_FILE", (other / ".git" / "index").string());
  const auto repository = Repository::open(root());
  ASSERT_TRUE(repository) << repository.error().message;
  const auto head = repository->head();
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->commit, here);
  EXPECT_FALSE(head->modified);
}

TEST_F(RepositoryTest, ResolvesNamesToFullHashes) {
  const auto first = commit("a");
  const auto second = commit("b");
  git({"tag", "v1", first});
  ++clock_;
  git({"tag", "-a", "-m", "annotated", "v2", second});
  for (const std::string& name :
       std::vector<std::string>{"main", "HEAD", "v2", second, second.substr(0, 8), "v1~0^{commit}"})
    EXPECT_TRUE(open().resolve(name)) << name;
  EXPECT_EQ(open().resolve("v1").value(), first);
  EXPECT_EQ(open().resolve("v2").value(), second) << "the commit, not the tag object";
  EXPECT_EQ(open().resolve("HEAD~1").value(), first);
}

TEST_F(RepositoryTest, RefusesInvalidAndUnknownNames) {
  commit("a");
  for (const std::string& name : std::vector<std::string>{"", "--all", "-h", "a\nb", "main\x7f"})
    EXPECT_EQ(open().resolve(name).error().code, ErrorCode::bad_input) << name;
  for (const std::string& name : std::vector<std::string>{"nobranch", "HEAD~7", "main:a", "ffffffff", "a..b"}) {
    const auto resolved = open().resolve(name);
    ASSERT_FALSE(resolved) << name;
    EXPECT_EQ(resolved.error().code, ErrorCode::not_found) << name;
    EXPECT_NE(resolved.error().message.find(name), std::string::npos);
  }
}

TEST_F(RepositoryTest, AnAmbiguousNameIsResolvedAsGitDoes) {
  const auto first = commit("a");
  const auto second = commit("b");
  git({"tag", "main", first});  // git warns, then takes the tag
  EXPECT_EQ(open().resolve("main").value(), first);
  EXPECT_EQ(open().head().value().commit, second);
}

/// main: a - b ------- merge - d      feature: b - f1 - f2
class HistoryTest : public RepositoryTest {
 protected:
  void SetUp() override {
    RepositoryTest::SetUp();
    a = commit("a");
    b = commit("b");
    git({"checkout", "--quiet", "-b", "feature"});
    f1 = commit("f1");
    f2 = commit("f2");
    git({"checkout", "--quiet", "main"});
    c = commit("c");
    merged = merge("feature");
    d = commit("d");
  }

  std::string a, b, c, d, f1, f2, merged;
};

TEST_F(HistoryTest, AncestorsNearestFirst) {
  using Hashes = std::vector<std::string>;
  EXPECT_EQ(open().ancestors("HEAD", 100, Walk::first_parent).value(), (Hashes{d, merged, c, b, a}));
  EXPECT_EQ(open().ancestors("HEAD", 100, Walk::all_parents).value(), (Hashes{d, merged, c, f2, f1, b, a}));
  EXPECT_EQ(open().ancestors("feature", 100, Walk::first_parent).value(), (Hashes{f2, f1, b, a}));
  EXPECT_EQ(open().ancestors("HEAD", 2, Walk::first_parent).value(), (Hashes{d, merged}));
  EXPECT_EQ(open().ancestors("HEAD", 0, Walk::first_parent).value(), Hashes{});
  EXPECT_EQ(open().ancestors("nothing", 5, Walk::first_parent).error().code, ErrorCode::not_found);
}

TEST_F(HistoryTest, NoCommitComesBeforeItsChildrenWhateverTheClocksSaid) {
  clock_ = 1000;
  const auto from_the_future = commit("future");
  clock_ = 500;
  const auto next = commit("next");
  const auto all = open().ancestors("HEAD", 3, Walk::all_parents).value();
  EXPECT_EQ(all, (std::vector<std::string>{next, from_the_future, d}));
}

TEST_F(HistoryTest, MergeBase) {
  EXPECT_EQ(open().merge_base("feature", c).value(), b);
  EXPECT_EQ(open().merge_base("main", "feature").value(), f2);
  git({"checkout", "--quiet", "--orphan", "unrelated"});
  commit("u");
  EXPECT_EQ(open().merge_base("main", "unrelated").value(), std::nullopt);
  EXPECT_EQ(open().merge_base("main", "nothing").error().code, ErrorCode::not_found);
}

TEST_F(HistoryTest, AMergeCommitsTarget) {
  EXPECT_EQ(open().merge_target().value(), std::nullopt);
  git({"checkout", "--quiet", "--detach", merged});
  EXPECT_EQ(open().merge_target().value(), c);
  EXPECT_EQ(open().merge_target(c).value(), c);
  EXPECT_EQ(open().merge_target(f2).value(), f2) << "the branch that it goes into was merged into the change";
  EXPECT_EQ(open().merge_target(a).value(), c) << "neither is in its history";
  EXPECT_EQ(open().merge_target(merged).value(), c) << "both are";
  EXPECT_EQ(open().parents(merged).value(), (std::vector<std::string>{c, f2}));
  EXPECT_EQ(open().parents(a).value(), std::vector<std::string>{});
}

TEST_F(HistoryTest, ACommitMessageIsNotItsHeader) {
  ++clock_;
  git({"commit", "--quiet", "--allow-empty", "-m", "subject\n\nparent " + a + "\ntree x"});
  EXPECT_EQ(open().parents("HEAD").value(), std::vector<std::string>{d});
}

TEST_F(HistoryTest, AShallowCloneKnowsItsParentsByNameOnly) {
  git({"checkout", "--quiet", "-b", "pull-request", merged});
  const auto shallow = scratch_.path() / "shallow";
  git({"clone", "--quiet", "--depth=1", "--branch=pull-request", "file://" + root().string(), shallow.string()});
  EXPECT_TRUE(Repository::open(shallow)->has_commit(merged));
  EXPECT_FALSE(Repository::open(shallow)->has_commit(b));
  EXPECT_FALSE(Repository::open(shallow)->has_commit("HEAD"));
  const auto repository = Repository::open(shallow).value();
  EXPECT_TRUE(repository.is_shallow().value());
  EXPECT_EQ(repository.ancestors("HEAD", 100, Walk::first_parent).value(), std::vector<std::string>{merged});
  EXPECT_EQ(repository.merge_target().value(), c) << "HEAD^1 is unknown to git here, but the commit names it";
  EXPECT_EQ(repository.resolve("HEAD^1").error().code, ErrorCode::not_found);
  EXPECT_FALSE(open().is_shallow().value());
}

TEST_F(HistoryTest, AReferenceIsNotATagOrBranchOfThatName) {
  git({"tag", "origin/main", a});
  git({"tag", "refs/remotes/origin/main", a});
  git({"branch", "refs/remotes/origin/main", a});
  EXPECT_EQ(open().resolve_reference("refs/remotes/origin/main").error().code, ErrorCode::not_found);
  git({"update-ref", "refs/remotes/origin/main", merged});
  EXPECT_EQ(open().resolve_reference("refs/remotes/origin/main").value(), merged);
  EXPECT_FALSE(open().resolve_reference("refs/remotes/origin/main~1"));
  EXPECT_EQ(open().resolve_reference("main").error().code, ErrorCode::bad_input);
  EXPECT_EQ(open().resolve_reference("--all").error().code, ErrorCode::bad_input);
}

TEST_F(HistoryTest, ALinkedWorkTreeIsAWorkTree) {
  git({"worktree", "add", "--quiet", (scratch_.path() / "linked").string(), "feature"});
  const auto head = Repository::open(scratch_.path() / "linked").value().head();
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->commit, f2);
  EXPECT_EQ(head->branch, "feature");
}

}  // namespace
}  // namespace torchgate::git
