// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/launch/running.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "harness/record/codec.hpp"

namespace torchgate::launch::testing {

process::Command shell(const std::string& script) {
  process::Command command;
  command.executable = "/bin/sh";
  command.arguments = {"-c", script};
  command.time_limit = std::chrono::seconds(60);
  return command;
}

Request fake_request(const std::string& groups) {
  Request request;
  request.sides.push_back({"run", {TORCHGATE_FAKE_SUITE}, {}, {}});
  request.environment = {{"FAKE_GROUPS", groups}};
  request.plan.processes = 1;
  request.plan.seed = 1;
  request.tool_version = "0.0.0";
  request.lock_file.clear();
  return request;
}

Request in_pairs(Request request) {
  request.sides[0].label = "before";
  request.sides.push_back(request.sides[0]);
  request.sides[1].label = "after";
  return request;
}

record::Run run(const Request& request) {
  Observer silent;
  auto result = measure(request, silent);
  EXPECT_TRUE(result) << result.error().message;
  if (!result) return {};
  const auto again = record::run_from_json(record::to_json(*result), "run");
  EXPECT_TRUE(again) << again.error().message;
  return *std::move(result);
}

bool is_running(pid_t pid) {
  const std::string text = read_text("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.size() > name_end + 2 && text[name_end + 2] != 'Z';
}

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::vector<pid_t> children() {
  std::vector<pid_t> result;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string text = read_text(entry.path() / "stat");
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) continue;  // ended meanwhile
    std::istringstream fields(text.substr(name_end + 1));
    char state = 0;
    pid_t parent = 0;
    fields >> state >> parent;
    if (parent == getpid()) result.push_back(static_cast<pid_t>(std::stol(text)));
  }
  return result;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace torchgate::launch::testing
