// SPDX-License-Identifier: Apache-2.0
#include "tests/baselines/sample_run.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace torchgate::baselines::testing {

std::string commit(std::string_view digits) {
  std::string hash(digits);
  hash.resize(40, '0');
  return hash;
}

std::string id(unsigned number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016x", number);
  return text;
}

record::Run sample_run(unsigned number, const std::string& of_commit) {
  record::Run run;
  run.id = id(number);
  char created[32];
  std::snprintf(created, sizeof created, "2026-11-20T%02u:%02u:%02u.250Z", number / 3600 % 24, number / 60 % 60,
                number % 60);
  run.created = created;
  run.tool_version = "0.1.0";
  run.plan.processes = 1;
  run.plan.suites = {"fusion"};
  run.machine.host_key = host;
  run.sides = {{"run", {of_commit, false, "main"}, {"build/suites/fusion"}}};

  record::Metric time{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  record::Case one;
  one.name = "fusion/conv_bn/eager/device:cpu/batch:8";
  one.suite = "fusion";
  one.group = "fusion/conv_bn";
  one.variant = "eager";
  one.parameters = {{"device", "cpu"}, {"batch", "8"}};
  one.protocol = "cpu-wall/1";
  one.metrics = {time};
  run.cases = {one};
  run.groups = {{"fusion/conv_bn", "fusion", "eager", {}}};

  record::Measurement measured;
  measured.metric = "time";
  const double base = 1000.0 + number;
  measured.samples = {base, base + 1, base + 2};
  measured.summary = record::SampleSummary{3, base + 1, 1.0, base, base, base + 1, base + 2, {}, {}, base + 2, {}};
  record::CaseResult result;
  result.name = one.name;
  result.measurements = {measured};
  record::Process process;
  process.suite = "fusion";
  process.group = "fusion/conv_bn";
  process.started = run.created;
  process.wall_ns = 1'000'000;
  process.exit_code = 0;
  process.cases = {result};
  // Known to have run, and a file of the system, so that no objects are kept.
  run.objects = {{"/usr/lib/fusion", "", 1, 1, 1, "", true, true}};
  process.objects = {0};
  run.processes = {process};
  return run;
}

void write(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace torchgate::baselines::testing
