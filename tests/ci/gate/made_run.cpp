// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/gate/made_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace torchgate::gate::testing {
namespace {

record::Case made_case(const std::string& name) {
  record::Case definition;
  definition.name = name;
  definition.suite = "g";
  definition.group = "g/one";
  definition.variant = "v";
  definition.protocol = "cpu-wall/1";
  definition.metrics = {{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true},
                        {"peak_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact, false},
                        {"operator_calls", "1", record::Direction::lower_is_better, record::MetricKind::exact, false}};
  return definition;
}

record::CaseResult measured(const std::string& name, double median) {
  record::Measurement time;
  time.metric = "time";
  time.samples = {median * 0.99, median, median * 1.02};
  record::SampleSummary summary;
  summary.n = 3;
  summary.mean = median * 3.01 / 3;
  summary.sd = median * 0.0153;
  summary.min = time.samples.front();
  summary.p25 = median * 0.995;
  summary.median = median;
  summary.p75 = median * 1.01;
  summary.max = time.samples.back();
  time.summary = summary;
  record::CaseResult result;
  result.name = name;
  result.measurements.push_back(std::move(time));
  return result;
}

record::Process& process_at(record::Run& run, std::size_t index) {
  while (run.processes.size() <= index) {
    record::Process process;
    process.index = static_cast<std::int64_t>(run.processes.size());
    process.suite = "g";
    process.group = "g/one";
    run.processes.push_back(std::move(process));
  }
  return run.processes[index];
}

}  // namespace

record::Run empty_run(const std::string& id) {
  record::Run run;
  run.id = id;
  run.created = "2026-01-01T00:00:00.000Z";
  run.plan.suites = {"g"};
  run.machine.host_key = "host-a";
  run.machine.facts = {{"cpu_model", "Model A", "", record::FactClass::host},
                       {"kernel", "6.1", "", record::FactClass::warn}};
  run.sides = {record::Side{"run", {}, {"g"}}};
  run.groups = {record::Group{"g/one", "g", std::nullopt, {}}};
  return run;
}

void add_case(record::Run& run, const std::string& name, const std::vector<double>& medians_ns) {
  run.cases.push_back(made_case(name));
  for (std::size_t i = 0; i < medians_ns.size(); ++i) process_at(run, i).cases.push_back(measured(name, medians_ns[i]));
}

record::Run paired_run(const std::string& id) {
  record::Run run = empty_run(id);
  run.plan.processes = 20;
  run.sides = {record::Side{"before", {}, {"g"}}, record::Side{"after", {}, {"g"}}};
  return run;
}

void add_paired_case(record::Run& run, const std::string& name, const std::vector<double>& before,
                     const std::vector<double>& after) {
  run.cases.push_back(made_case(name));
  for (std::size_t pair = 0; pair < before.size(); ++pair) {
    for (std::size_t side = 0; side < 2; ++side) {
      record::Process& process = process_at(run, 2 * pair + side);
      process.side = static_cast<std::int64_t>(side);
      process.pair = static_cast<std::int64_t>(pair);
      process.cases.push_back(measured(name, side == 0 ? before[pair] : after[pair]));
    }
  }
}

void add_exact(record::Run& run, const std::string& name, const std::string& metric, double value) {
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      if (result.name != name) continue;
      record::Measurement measurement;
      measurement.metric = metric;
      measurement.value = value;
      result.measurements.push_back(std::move(measurement));
    }
  }
}

void add_slower(record::Run& run, const std::string& name, double slower) {
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(1e5 * (1 + 0.001 * (i % 7)));
    after.push_back(slower * 1e5 * (1 + 0.001 * ((i + 3) % 7)));
  }
  add_paired_case(run, name, before, after);
}

std::vector<double> wobble(double centre, int step, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(centre * (1 + quiet * ((i * step) % 7 - 3)));
  return values;
}

std::vector<double> around(double centre, double share) {
  return {centre * (1 - share), centre * (1 - share / 2), centre, centre * (1 + share / 2), centre * (1 + share)};
}

record::CaseResult& result_of(record::Run& run, std::size_t process, const std::string& name) {
  auto& cases = run.processes.at(process).cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& result) { return result.name == name; });
  if (found == cases.end()) throw std::logic_error("no such case: " + name);
  return *found;
}

record::Run with_claim(const std::vector<double>& reference, const std::vector<double>& claimed,
                       record::Relation relation, double ratio, const std::string& metric) {
  record::Run run = empty_run("aaaa");
  add_case(run, "g/one/ref", reference);
  add_case(run, "g/one/opt", claimed);
  record::Claim claim;
  claim.case_name = "g/one/opt";
  claim.reference_case = "g/one/ref";
  claim.metric = metric;
  claim.relation = relation;
  claim.ratio = ratio;
  claim.text = "promised";
  run.groups[0].claims = {claim};
  return run;
}

}  // namespace torchgate::gate::testing
