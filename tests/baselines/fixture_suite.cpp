// SPDX-License-Identifier: Apache-2.0
#include "tests/baselines/fixture_suite.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/base/content_hash.hpp"
#include "harness/process/process.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;

void replace_file(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::remove(to);
  fs::copy_file(from, to);
}

}  // namespace

void install_libraries(int version, const fs::path& folder) {
  const fs::path built = fs::path(FIXTURE_FOLDER) / ("version_" + std::to_string(version));
  for (const char* name : {"libvoice.so.1", "libword.so.1"}) replace_file(built / name, folder / name);
}

fs::path install_speaker(const fs::path& speaker, const fs::path& folder) {
  std::string bytes = read(speaker);
  const std::string placeholder = RUN_PATH_PLACEHOLDER;
  const auto place = bytes.find(placeholder);
  EXPECT_NE(place, std::string::npos);
  EXPECT_LT(folder.string().size(), placeholder.size()) << "the run path of the fixture is too short for this folder";
  std::string run_path = folder.string();
  run_path.resize(placeholder.size(), '\0');
  bytes.replace(place, placeholder.size(), run_path);
  write(folder / "speaker", bytes);
  fs::permissions(folder / "speaker", fs::perms::owner_all);
  return folder / "speaker";
}

Spoken speak(const fs::path& executable, const std::vector<record::Parameter>& environment) {
  process::Command command;
  command.executable = executable;
  command.environment = environment;
  const auto outcome = process::run_process(command);
  Spoken spoken;
  spoken.output = outcome.error + outcome.tail;
  if (outcome.exit_code != 0) return spoken;
  std::istringstream lines(outcome.tail);
  std::getline(lines, spoken.versions);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string kind;
    record::LoadedObject object;
    std::getline(fields, kind, '\t');
    std::getline(fields, object.soname, '\t');
    std::getline(fields, object.path);
    object.executable = kind == "executable";
    object.system = kind == "system";
    object.sha256 = base::sha256_of_file(object.path).value();
    spoken.objects.push_back(object);
  }
  return spoken;
}

record::Run run_that_loaded(const std::vector<record::LoadedObject>& objects) {
  auto run = sample_run(1);
  run.objects = objects;
  auto& process = run.processes[0];
  process.suite = "speaker";
  process.objects.clear();
  for (std::size_t i = 0; i < objects.size(); ++i) process.objects.push_back(static_cast<std::int64_t>(i));
  return run;
}

}  // namespace torchgate::baselines::testing
