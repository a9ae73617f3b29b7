// SPDX-License-Identifier: Apache-2.0
// What `ab`, `gate` and `run` say of repositories that do not give what they need; with real ones.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

class RepositoryMessages : public ::testing::Test {
 protected:
  void SetUp() override { folder_.make_repository(); }
  [[nodiscard]] Ran ab(const std::string& before) const {
    return folder_.torchgate(
        {"ab", "--before", before, "--after", "HEAD", "--build", "true", "--suites", "build", "--quick"});
  }
  // Git's own switch for its tests.
  void belong_to_another_user() {
    folder_.set("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    folder_.set("GIT_CONFIG_GLOBAL", "/dev/null");
    folder_.set("GIT_CONFIG_SYSTEM", "/dev/null");
  }
  ProgramFolder folder_;
};

TEST_F(RepositoryMessages, ARepositoryOfAnotherUserIsNamedByAbAndGate) {
  folder_.save(made_run("aaaaaaaaaaaaaaaa", 1000), "stored");
  belong_to_another_user();
  const Ran compared = ab("HEAD~1");
  EXPECT_EQ(compared.code, 2);
  EXPECT_TRUE(has(compared.err, "dubious ownership: the repository"));
  EXPECT_TRUE(has(compared.err, "safe.directory"));
  const Ran gated = folder_.torchgate({"gate", "stored"});
  EXPECT_NE(gated.code, 0);
  EXPECT_TRUE(has(gated.err + gated.out, "dubious ownership"));
}

TEST_F(RepositoryMessages, ARunWithoutACommitSaysWhy) {
  folder_.make_suite("build1", 1000);
  belong_to_another_user();
  const Ran ran = folder_.torchgate({"run", "--suite", "build1", "--quick", "--allow-noisy", "--save", "one"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out + ran.err, "dubious ownership"));
}

TEST_F(RepositoryMessages, AShallowCloneIsNamed) {
  (void)folder_.commit("second");
  folder_.git({"clone", "--quiet", "--depth", "1", "file://" + fs::current_path().string(), "shallow"});
  fs::current_path("shallow");
  const Ran shallow = ab("HEAD~1");
  fs::current_path("..");
  EXPECT_EQ(shallow.code, 2);
  EXPECT_TRUE(has(shallow.err, "which is shallow"));
  EXPECT_TRUE(has(shallow.err, "git fetch --unshallow"));
  EXPECT_FALSE(has(ab("no-such-branch").err, "shallow"));
}

TEST_F(RepositoryMessages, ABuildThatLacksASubmoduleSaysSo) {
  folder_.git({"init", "--quiet", "library"});
  write_text("library/file", "text");
  folder_.git({"-C", "library", "add", "file"});
  folder_.git({"-C", "library", "commit", "--quiet", "-m", "library"});
  folder_.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./library", "deps/library"});
  folder_.git({"commit", "--quiet", "-m", "with a submodule"});
  const auto build = [&](const std::string& command) {
    return folder_.torchgate(
        {"ab", "--before", "HEAD", "--after", "HEAD", "--build", command, "--suites", "build", "--quick"});
  };
  EXPECT_FALSE(has(build("test -f deps/library/file && false").err, "submodule")) << "it is there";
  folder_.git({"submodule", "--quiet", "deinit", "--force", "deps/library"});
  const Ran ran = build("test -f deps/library/file");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "deps/library"));
  EXPECT_TRUE(has(ran.err, "git submodule update --init --recursive"));
}

}  // namespace
}  // namespace torchgate::cli::testing
