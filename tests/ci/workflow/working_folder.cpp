// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/workflow/working_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "harness/process/process.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::workflow::testing {
namespace {

namespace fs = std::filesystem;

// Variables in the environment of the tests that would change what the program does.
bool is_ours_to_clear(const std::string& name) {
  for (const char* prefix : {"TORCHGATE_", "FAKE_", "GIT_", "GITHUB_", "CI_", "CHANGE_", "BUILDKITE_"})
    if (name.starts_with(prefix)) return true;
  return false;
}

std::vector<std::string> names_of_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    names.push_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace

WorkingFolder::WorkingFolder() : before_(fs::current_path()) {
  fs::current_path(folder_.path());
  for (const std::string& variable : names_of_variables()) {
    if (!is_ours_to_clear(variable)) continue;
    old_variables_.emplace(variable, getenv(variable.c_str()));
    unsetenv(variable.c_str());
  }
  set("GIT_CONFIG_GLOBAL", "/dev/null");
  set("GIT_CONFIG_SYSTEM", "/dev/null");
}

WorkingFolder::~WorkingFolder() {
  for (const auto& [name, value] : old_variables_)
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  fs::current_path(before_);
}

void WorkingFolder::set(const std::string& name, const std::string& value) {
  const char* old = getenv(name.c_str());
  old_variables_.emplace(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
  setenv(name.c_str(), value.c_str(), 1);
}

void WorkingFolder::git(const std::vector<std::string>& arguments) const {
  process::Command command;
  command.executable = "/usr/bin/env";
  command.arguments = {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  const auto outcome = process::run_process(command);
  ASSERT_EQ(outcome.exit_code, 0) << arguments.at(0) << ": " << outcome.tail << outcome.error;
}

void WorkingFolder::make_repository() const {
  git({"init", "--quiet", "--initial-branch=main"});
  write_text(".gitignore", ".torchgate\nbuild*\n*.json\n");
  git({"add", ".gitignore"});
  static_cast<void>(commit("first"));
}

std::string WorkingFolder::commit(const std::string& content) const {
  write_text("code", content);
  git({"add", "code"});
  git({"commit", "--quiet", "-m", content});
  std::string hash = read_text(".git/refs/heads/main");
  hash.erase(hash.find_last_not_of('\n') + 1);
  return hash;
}

void WorkingFolder::make_suite(const std::string& folder, int level) const {
  fs::create_directories(folder);
  const fs::path file = fs::path(folder) / "fake";
  fs::remove(file);
  fs::copy_file(TORCHGATE_FAKE_SUITE, file);
  std::ofstream(file, std::ios::app) << "\nFAKE_LEVEL=" << level << '\n';
}

void WorkingFolder::save(record::Run run, const std::string& name) const {
  fs::create_directories(".torchgate/runs");
  const auto saved = record::save_run(run, fs::path(".torchgate/runs") / (name + ".json"), true);
  ASSERT_TRUE(saved) << saved.error().message;
}

void write_text(const fs::path& file, const std::string& text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace torchgate::workflow::testing
