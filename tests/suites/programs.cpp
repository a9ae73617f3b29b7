// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/programs.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "harness/process/free_port.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::suites::testing {

Ended run(const std::string& command) {
  Ended ended;
  // NOLINTNEXTLINE(cert-env33-c): the command is made of the tests' own constants
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ended;
  char buffer[4096];
  while (const std::size_t read = fread(buffer, 1, sizeof buffer, pipe)) ended.output.append(buffer, read);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

Ended run_as_ranks(std::int64_t ranks, const std::string& command) {
  if (ranks == 1) return run(command);
  const auto port = process::free_port();
  if (!port) throw std::runtime_error("no free port on 127.0.0.1");
  return run("for rank in $(seq " + std::to_string(ranks - 1) + " -1 0); do RANK=$rank WORLD_SIZE=" +
             std::to_string(ranks) + " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(*port) + " " + command +
             " & done; wait $!; code=$?; wait; exit $code");
}

record::ProcessReport report_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  auto report = record::process_report_from_json(text.str(), path.string());
  if (!report) throw std::runtime_error(report.error().message);
  return *report;
}

std::vector<std::string> suite_names() {
  std::istringstream names(SUITE_NAMES);
  std::vector<std::string> all;
  for (std::string name; names >> name;) all.push_back(name);
  return all;
}

std::string program(const std::string& suite) {
  return std::string(SUITES_DIR) + "/" + suite;
}

record::ProcessReport listing_of(const std::string& suite, const std::string& profile) {
  const base::testing::TemporaryFolder folder;
  const Ended ended =
      run(program(suite) + " --torchgate_profile=" + profile + " --torchgate_list=" + (folder / "list.json").string());
  if (ended.exit_code != 0) throw std::runtime_error(suite + " could not list its groups: " + ended.output);
  return report_of(folder / "list.json");
}

}  // namespace torchgate::suites::testing
