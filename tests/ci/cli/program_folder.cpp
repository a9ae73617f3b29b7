// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/cli/program_folder.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "ci/cli/program.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;

/// Whether the journal of an unfinished run has a measured process.
bool has_a_process() {
  std::error_code error;
  for (fs::recursive_directory_iterator it(".torchgate/runs", error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it->path().parent_path().extension() == ".part" && name.starts_with("0") && name.ends_with(".json"))
      return true;
  }
  return false;
}

}  // namespace

Ran ProgramFolder::torchgate(const std::vector<std::string>& arguments) const {
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err};
  const ExitCode code = run_program(arguments, console);
  return {static_cast<int>(code), out.str(), err.str()};
}

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no \"" << part << "\" in:\n" << text;
}

std::thread interrupting_user() {
  std::signal(SIGINT, SIG_DFL);  // of a job in the background it is ignored, and stays so (interrupt.hpp)
  return std::thread([] {
    // Another torchgate may hold the lock of this machine for a while.
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    while (std::chrono::steady_clock::now() < end && !has_a_process())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (has_a_process()) kill(getpid(), SIGINT);
  });
}

record::Run made_run(const std::string& id, double time_ns) {
  record::Run run = gate::testing::empty_run(id);
  gate::testing::add_case(run, made_case, gate::testing::around(time_ns, 0.01));
  return run;
}

record::Run pairs_of(record::Run run, const std::string& before, const std::string& after) {
  run.sides.push_back(run.sides.front());
  run.sides[0].label = before;
  run.sides[1].label = after;
  const std::vector<record::Process> measured = run.processes;
  for (record::Process process : measured) {
    process.side = 1;
    run.processes.push_back(std::move(process));
  }
  for (std::size_t i = 0; i < run.processes.size(); ++i)
    run.processes[i].pair = static_cast<std::int64_t>(i % measured.size());
  return run;
}

}  // namespace torchgate::cli::testing
