// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/seed_runs.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace torchgate::fuzz {
namespace {

const std::vector<std::string> variants = {"eager", "folded"};

std::string name_of(const std::string& variant) {
  return "g/one/" + variant + "/device:cpu";
}

record::Case seed_case(const std::string& variant) {
  record::Case definition;
  definition.name = name_of(variant);
  definition.suite = "g";
  definition.group = "g/one";
  definition.variant = variant;
  definition.parameters = {{"device", "cpu"}};
  definition.protocol = "cpu-wall/1";
  definition.items_per_call = 8;
  definition.metrics = {{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true},
                        {"items/s", "items/s", record::Direction::higher_is_better, record::MetricKind::timed, false},
                        {"peak_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact, false}};
  return definition;
}

record::SampleSummary summary_around(double median) {
  return {3, median, median * 0.01, median * 0.99, median * 0.995, median, median * 1.005, {}, {}, median * 1.01, 0.1};
}

record::CaseResult result_around(const std::string& variant, double median) {
  record::CaseResult result;
  result.name = name_of(variant);
  result.calls_per_sample = 4;
  result.steady = true;
  result.measurements = {
      {"time", summary_around(median), std::nullopt, {median * 0.99, median, median * 1.01}},
      {"items/s", summary_around(8e9 / median), std::nullopt, {}},
      {"peak_bytes", std::nullopt, 4096, {}},
  };
  result.profile =
      record::OperatorProfile{4, median / 1000, {{"aten::conv2d", "Float 8x3", 1, median / 2000}}, 2, median / 4000};
  return result;
}

record::Process seed_process(std::int64_t index, double median, double factor) {
  record::Process process;
  process.index = index;
  process.suite = "g";
  process.group = "g/one";
  process.started = "2026-01-01T00:00:00.000Z";
  process.wall_ns = 1'000'000'000;
  process.exit_code = 0;
  process.cpu_ns = 900'000'000;
  process.usage = record::ProcessUsage{25000, 2, 17, 40};
  process.environment = {{"OMP_NUM_THREADS", "1"}};
  process.objects = {0, 1};
  for (const std::string& variant : variants)
    process.cases.push_back(result_around(variant, variant == variants.back() ? median * factor : median));
  return process;
}

// A per cent up and down, the same in every build of this file.
double median_of(std::int64_t index) {
  return 100'000.0 * (1 + 0.002 * static_cast<double>((index * 7) % 11 - 5));
}

record::Run described(const std::string& id) {
  record::Run run;
  run.id = id;
  run.created = "2026-01-01T00:00:00.000Z";
  run.tool_version = "0.1.0";
  run.plan.suites = {"g"};
  run.machine.host_key = "host-a";
  run.machine.facts = {{"cpu_model", "Model A", "", record::FactClass::host},
                       {"kernel", "6.1", "", record::FactClass::warn},
                       {"gpu_model", std::nullopt, "no such file", record::FactClass::device}};
  run.objects = {{"/build/g", "", 1000, 42, 1, std::string(64, 'a'), true, false},
                 {"/build/libg.so", "libg.so", 2000, 43, 1, std::string(64, id.back()), false, false}};
  record::Claim claim;
  claim.case_name = name_of("folded");
  claim.reference_case = name_of("eager");
  claim.metric = "time";
  claim.relation = record::Relation::at_most;
  claim.ratio = 0.9;
  claim.text = "time <= 0.9 x reference";
  run.groups = {{"g/one", "g", "eager", {claim}}};
  for (const std::string& variant : variants) run.cases.push_back(seed_case(variant));
  return run;
}

}  // namespace

record::Run stored_run(const std::string& id, double factor) {
  record::Run run = described(id);
  run.plan.processes = 3;
  run.sides = {{"run", {std::string(40, 'c'), false, "main"}, {"build/g"}}};
  for (std::int64_t index = 0; index < run.plan.processes; ++index)
    run.processes.push_back(seed_process(index, median_of(index + id.front()), factor));
  return run;
}

record::Run paired_run(const std::string& id, double factor) {
  record::Run run = described(id);
  run.plan.processes = 6;
  run.sides = {{"before", {std::string(40, 'b'), false, "main"}, {"old/g"}},
               {"after", {std::string(40, 'c'), false, "topic"}, {"build/g"}}};
  for (std::int64_t pair = 0; pair < run.plan.processes; ++pair) {
    for (const std::int64_t side : {0, 1}) {
      record::Process process = seed_process(2 * pair + side, median_of(pair), side == 1 ? factor : 1.0);
      process.side = side;
      process.pair = pair;
      process.order_in_pair = side;
      run.processes.push_back(std::move(process));
    }
  }
  return run;
}

record::Run without_samples(record::Run run) {
  for (record::Process& process : run.processes)
    for (record::CaseResult& result : process.cases)
      for (record::Measurement& measurement : result.measurements) measurement.samples.clear();
  return run;
}

}  // namespace torchgate::fuzz
