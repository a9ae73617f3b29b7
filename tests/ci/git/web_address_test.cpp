// SPDX-License-Identifier: Apache-2.0
// The pages of commits, from the addresses of remotes as people write them.
#include "ci/git/web_address.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace torchgate::git {
namespace {

Variables environment_of(const std::map<std::string, std::string>& values) {
  return [values](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
}

std::string commit_pages(const std::string& remote, const std::map<std::string, std::string>& values = {}) {
  const auto address = web_address(remote, environment_of(values));
  return address ? address->commit : "none";
}

TEST(WebAddress, OfEachFormOfAnAddress) {
  for (const char* const remote :
       {"https://github.com/owner/name.git", "https://github.com/owner/name", "https://github.com/owner/name/",
        "git@github.com:owner/name.git", "ssh://git@github.com/owner/name.git", "ssh://git@github.com:22/owner/name",
        "https://GitHub.com/owner/name"})
    EXPECT_EQ(commit_pages(remote), "https://github.com/owner/name/commit/") << remote;
}

TEST(WebAddress, HasNoUserAndNoPassword) {
  EXPECT_EQ(commit_pages("https://x-access-token:secret@github.com/owner/name"),
            "https://github.com/owner/name/commit/");
  EXPECT_EQ(commit_pages("https://a@b@github.com/owner/name"), "https://github.com/owner/name/commit/");
}

TEST(WebAddress, OfEachKnownServer) {
  const auto gitlab = web_address("git@gitlab.example.org:group/sub/name.git", environment_of({}));
  ASSERT_TRUE(gitlab);
  EXPECT_EQ(gitlab->commit, "https://gitlab.example.org/group/sub/name/-/commit/");
  EXPECT_EQ(gitlab->compare, "https://gitlab.example.org/group/sub/name/-/compare/");
  const auto github = web_address("https://github.com/owner/name", environment_of({}));
  ASSERT_TRUE(github);
  EXPECT_EQ(github->compare, "https://github.com/owner/name/compare/");
  const auto bitbucket = web_address("git@bitbucket.org:owner/name.git", environment_of({}));
  ASSERT_TRUE(bitbucket);
  EXPECT_EQ(bitbucket->commit, "https://bitbucket.org/owner/name/commits/");
  EXPECT_EQ(bitbucket->compare, "");
  EXPECT_EQ(commit_pages("https://codeberg.org/owner/name"), "https://codeberg.org/owner/name/commit/");
}

TEST(WebAddress, OfTheServerOfTheJob) {
  EXPECT_EQ(commit_pages("https://git.example.org/owner/name"), "none");
  EXPECT_EQ(commit_pages("https://git.example.org/owner/name", {{"GITHUB_SERVER_URL", "https://git.example.org"}}),
            "https://git.example.org/owner/name/commit/");
  EXPECT_EQ(commit_pages("https://git.example.org:8443/g/name", {{"CI_SERVER_URL", "https://git.example.org:8443"}}),
            "https://git.example.org:8443/g/name/-/commit/");
  EXPECT_EQ(commit_pages("https://other.org/owner/name", {{"GITHUB_SERVER_URL", "https://git.example.org"}}), "none");
}

TEST(WebAddress, HasThePortAndThePrefixOfAnAddressOfHttps) {
  EXPECT_EQ(commit_pages("https://gitea.example.org:8443/prefix/owner/name.git"),
            "https://gitea.example.org:8443/prefix/owner/name/commit/");
  EXPECT_EQ(commit_pages("http://gitlab.example.org:8080/git/group/sub/name"),
            "http://gitlab.example.org:8080/git/group/sub/name/-/commit/");
  EXPECT_EQ(commit_pages("https://gitea.example.org:port/owner/name"), "https://gitea.example.org/owner/name/commit/");
}

TEST(WebAddress, DoesNotHaveThePortOfSsh) {
  for (const char* const remote :
       {"ssh://git@gitlab.example.org:2222/group/sub/name.git", "[git@gitlab.example.org:2222]:group/sub/name.git"})
    EXPECT_EQ(commit_pages(remote), "https://gitlab.example.org/group/sub/name/-/commit/") << remote;
  EXPECT_EQ(commit_pages("ssh://git@ssh.github.com:443/owner/name.git"), "https://github.com/owner/name/commit/");
  EXPECT_EQ(commit_pages("ssh://git@altssh.gitlab.com:443/owner/name"), "https://gitlab.com/owner/name/-/commit/");
  EXPECT_EQ(commit_pages("ssh://git@altssh.bitbucket.org:443/owner/name"), "https://bitbucket.org/owner/name/commits/");
}

TEST(WebAddress, OfSshHasThePortAndThePrefixOfTheServerOfTheJob) {
  const std::map<std::string, std::string> gitlab = {{"CI_SERVER_URL", "https://git.example.org:8443/prefix/"}};
  for (const char* const remote :
       {"ssh://git@git.example.org:2222/group/name.git", "git@git.example.org:group/name.git",
        "https://git.example.org:8443/prefix/group/name.git"})
    EXPECT_EQ(commit_pages(remote, gitlab), "https://git.example.org:8443/prefix/group/name/-/commit/") << remote;
  EXPECT_EQ(
      commit_pages("git@github.example.org:owner/name.git", {{"GITHUB_SERVER_URL", "http://github.example.org:81"}}),
      "http://github.example.org:81/owner/name/commit/");
}

TEST(WebAddress, NotOfAnotherServerOnTheHostOfTheServerOfTheJob) {
  const std::map<std::string, std::string> gitlab = {{"CI_SERVER_URL", "https://git.example.org:8443/prefix"}};
  for (const char* const remote :
       {"https://git.example.org/prefix/owner/name", "https://git.example.org:84430/prefix/owner/name",
        "https://git.example.org:8443/owner/name", "https://git.example.org:8443/prefixes/owner/name"})
    EXPECT_EQ(commit_pages(remote, gitlab), "none") << remote;
}

TEST(WebAddress, NoneOfFoldersAndOfWhatIsNotAnAddress) {
  for (const char* const remote :
       {"", "/srv/git/name.git", "../name", "file:///srv/github.com/owner/name", "C:/owner/name", "github.com",
        "https://github.com", "https://github.com/name", "https://github.com/../name", "https://github.com/a//b",
        "https://github.com/owner/na\"me", "https://github.com/owner/na me", "https://github.com/owner/<b>",
        "https://git hub.com/owner/name", "[github.com:owner/name", "[github.com]/owner/name",
        "javascript://github.com/owner/name", "https:///owner/name"})
    EXPECT_EQ(commit_pages(remote), "none") << remote;
  EXPECT_EQ(commit_pages("https://github.com/owner/" + std::string(400, 'n')), "none");
}

}  // namespace
}  // namespace torchgate::git
