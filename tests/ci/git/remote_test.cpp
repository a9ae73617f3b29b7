// SPDX-License-Identifier: Apache-2.0
// Where a remote is, and how secrets reach git.
#include "ci/git/remote.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using Environment = std::map<std::string, std::string>;

constexpr const char* token = "ghs_0123456789abcdef";
/// printf 'x-access-token:ghs_0123456789abcdef' | base64
constexpr const char* encoded = "eC1hY2Nlc3MtdG9rZW46Z2hzXzAxMjM0NTY3ODlhYmNkZWY=";

Variables in(const Environment& environment) {
  return [environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
}

/// "key=value" in the order in which git reads them.
std::vector<std::string> settings_of(const Remote& remote) {
  std::vector<std::string> settings;
  for (const auto& variable : remote.environment({})) {
    if (variable.name.starts_with("GIT_CONFIG_KEY_")) settings.push_back(variable.value + "=");
    if (variable.name.starts_with("GIT_CONFIG_VALUE_")) settings.back() += variable.value;
  }
  return settings;
}

bool has(const std::vector<std::string>& settings, const std::string& part) {
  for (const std::string& setting : settings)
    if (setting.find(part) != std::string::npos) return true;
  return false;
}

class RemoteTest : public ::testing::Test {
 protected:
  void SetUp() override { git({"init", "--quiet"}); }
  [[nodiscard]] const fs::path& root() const { return scratch_.path(); }
  [[nodiscard]] std::optional<Repository> repository() const { return Repository::open(root()).value(); }
  void git(std::vector<std::string> arguments) const {
    process::Command command;
    command.executable = "/usr/bin/env";
    command.arguments = {"git"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.working_directory = root();
    const auto outcome = process::run_process(command);
    ASSERT_EQ(outcome.exit_code, 0) << arguments.front() << ": " << outcome.tail << outcome.error;
  }

 private:
  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(RemoteTest, IsWhereTheRepositorySays) {
  git({"remote", "add", "origin", "https://github.com/owner/name"});
  git({"config", "remote.origin.pushurl", "../push.git"});
  const auto remote = Remote::find(repository(), "origin", in({}));
  ASSERT_TRUE(remote) << remote.error().message;
  const auto settings = settings_of(*remote);
  EXPECT_TRUE(has(settings, "remote.torchgate-data-branch.url=https://github.com/owner/name"));
  EXPECT_TRUE(has(settings, "remote.torchgate-data-branch.pushurl=" + (root().parent_path() / "push.git").string()));
  EXPECT_FALSE(has(settings, "extraheader"));
}

TEST_F(RemoteTest, ATokenGoesToItsServerOnly) {
  const Environment environment{{"GITHUB_TOKEN", token}};
  const auto github = settings_of(Remote::find(std::nullopt, "https://github.com/o/n", in(environment)).value());
  ASSERT_GE(github.size(), 2U);
  EXPECT_EQ(github[github.size() - 2], "http.https://github.com/.extraheader=");
  EXPECT_EQ(github.back(), std::string("http.https://github.com/.extraheader=AUTHORIZATION: basic ") + encoded);
  for (const char* elsewhere :
       {"https://example.org/o/n", "https://github.com.example.org/o/n", "http://github.com/o/n",
        "ssh://git@github.com/o/n", "git@github.com:o/n", "/srv/n.git"}) {
    const auto remote = Remote::find(std::nullopt, elsewhere, in(environment));
    ASSERT_TRUE(remote) << remote.error().message;
    EXPECT_FALSE(has(settings_of(*remote), "extraheader")) << elsewhere;
  }
  Environment own = environment;
  own["GITHUB_SERVER_URL"] = "https://git.example.org/";
  own["TORCHGATE_GITHUB_TOKEN"] = "another-token";
  const auto enterprise = Remote::find(std::nullopt, "https://git.example.org/o/n", in(own)).value();
  EXPECT_TRUE(has(settings_of(enterprise), "http.https://git.example.org/.extraheader=AUTHORIZATION"));
  EXPECT_FALSE(has(settings_of(enterprise), encoded));
  own["TORCHGATE_GITHUB_TOKEN"] = "with a\nline break";
  const auto invalid = Remote::find(std::nullopt, "https://git.example.org/o/n", in(own));
  ASSERT_FALSE(invalid.ok());
  EXPECT_EQ(invalid.error().message.find("with a"), std::string::npos);
}

TEST_F(RemoteTest, SettingsForTransfersAreTakenOver) {
  std::ofstream(root() / "credentials")
      << "[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0LXNlY3JldA==\n";
  git({"config", "include.path", (root() / "credentials").string()});
  git({"config", "core.sshCommand", "ssh -i key"});
  git({"config", "user.name", "A"});
  git({"remote", "add", "origin", "https://github.com/owner/name"});
  const auto remote = Remote::find(repository(), "origin", in({})).value();
  const auto settings = settings_of(remote);
  EXPECT_TRUE(has(settings, "http.https://github.com/.extraheader=AUTHORIZATION: basic c2VjcmV0LXNlY3JldA=="));
  EXPECT_TRUE(has(settings, "core.sshcommand=ssh -i key"));
  EXPECT_FALSE(has(settings, "user.name"));
  EXPECT_EQ(remote.redacted("header c2VjcmV0LXNlY3JldA== sent"), "header *** sent");
}

TEST_F(RemoteTest, SettingsOfTheEnvironmentStay) {
  const auto remote = Remote::find(std::nullopt, "/srv/n.git", in({{"GIT_CONFIG_COUNT", "2"}})).value();
  const auto variables = remote.environment({{"gc.auto", "0"}});
  EXPECT_EQ(variables.front().name, "GIT_CONFIG_KEY_2");
  EXPECT_EQ(variables.back().name, "GIT_CONFIG_COUNT");
  EXPECT_EQ(variables.back().value, "5");
}

TEST_F(RemoteTest, SecretsAreNotShown) {
  const auto remote = Remote::find(std::nullopt, "https://github.com/o/n", in({{"GITHUB_TOKEN", token}})).value();
  const std::string said = std::string("fatal: ") + token + " and " + encoded +
                           " at https://user:pass@github.com/o/n: 403, " + "see https://docs.example.org/a@b";
  EXPECT_EQ(remote.redacted(said),
            "fatal: *** and *** at https://***@github.com/o/n: 403, see https://docs.example.org/a@b");
}

TEST_F(RemoteTest, RefusesInvalidAndUnknownRemotes) {
  const auto code = [&](const std::string& name) { return Remote::find(repository(), name, in({})).error().code; };
  EXPECT_EQ(code("nowhere"), base::ErrorCode::not_found);
  for (const char* name : {"", "--upload-pack=x", "a\nb", "https://user:password@example.org/o/n"})
    EXPECT_EQ(code(name), base::ErrorCode::bad_input) << name;
  EXPECT_EQ(Remote::find(repository(), "https://u:secret@example.org/n", in({})).error().message.find("secret"),
            std::string::npos);
}

}  // namespace
}  // namespace torchgate::git
