// SPDX-License-Identifier: Apache-2.0
// Over 400 lines because it draws, once, each part of a record and of a policy that judging reads.
#include "tests/ci/gate/digests/random_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace torchgate::gate::testing {
namespace {

using record::CaseStatus;
using record::Direction;
using record::MetricKind;
using record::ProcessStatus;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  bool chance(double p) { return unit() < p; }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  double normal() { return std::sqrt(-2 * std::log(1 - unit())) * std::cos(6.283185307179586 * unit()); }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }

 private:
  std::mt19937_64 engine_;
};

/// What a case is like whichever run measures it.
struct Nature {
  record::Case definition;
  double time = 1e5;
  double noise = 0.01;       // from process to process
  double change = 1;         // of the current run, and of the later side of pairs
  double paired_change = 1;  // may differ: then pairs do not confirm
  double troubled = 0;       // chance of a result that is not ok, on the later side
};

struct Shape {
  std::vector<record::Group> groups;
  std::vector<Nature> cases;
  bool raw_samples = true;
  int samples = 3;
  bool same_objects = false;
  bool objects_known = true;
  bool profiles = false;
  double trouble = 0;  // chance that a process is lost
};

record::Metric timed(const std::string& name, Direction direction, bool primary) {
  const bool rate = direction == Direction::higher_is_better;
  return {name, rate ? "items/s" : "ns", direction, MetricKind::timed, primary};
}

Nature nature(Dice& dice, const std::string& group, int index) {
  Nature made;
  record::Case& c = made.definition;
  c.suite = "g";
  c.group = group;
  c.variant = "v";
  c.name = group + "/case:" + std::to_string(index);
  c.parameters = {{"case", std::to_string(index)}};
  c.protocol = "cpu-wall/1";
  if (dice.chance(0.2)) c.device = "cuda";
  if (dice.chance(0.3)) c.items_per_call = 64;
  const bool rate = dice.chance(0.15);
  if (!dice.chance(0.02))
    c.metrics.push_back(timed("time", rate ? Direction::higher_is_better : Direction::lower_is_better, true));
  if (dice.chance(0.4)) c.metrics.push_back(timed("cpu_time", Direction::lower_is_better, false));
  for (const char* const exact : {"peak_bytes", "operator_calls"})
    c.metrics.push_back({exact, "1", Direction::lower_is_better, MetricKind::exact, false});
  made.time = 1e4 * (1 + dice.below(50));
  made.noise = dice.one_of({0.0, 0.002, 0.01, 0.03});
  made.change = dice.one_of({1.0, 1.0, 1.0, 1.015, 1.03, 1.06, 1.12, 1.5, 0.9, 0.7});
  made.paired_change = dice.chance(0.7) ? made.change : dice.one_of({1.0, 1.03, 1.2, 0.9});
  if (dice.chance(0.08)) made.troubled = dice.one_of({0.2, 0.6, 1.0});
  return made;
}

Shape shape(Dice& dice) {
  Shape made;
  const bool suite = dice.chance(0.12);  // enough cases for the drift of a suite
  const int groups = 1 + dice.below(4);
  made.raw_samples = dice.chance(0.8);
  made.samples = dice.one_of({3, 3, 8, 20});
  made.same_objects = dice.chance(0.25);
  made.objects_known = dice.chance(0.9);
  made.profiles = dice.chance(0.2);
  if (dice.chance(0.3)) made.trouble = dice.one_of({0.05, 0.2, 0.5});
  for (int g = 0; g < groups; ++g) {
    record::Group group{"g/group" + std::to_string(g), "g", std::nullopt, {}};
    const int cases = suite ? 10 : 1 + dice.below(4);
    for (int c = 0; c < cases; ++c) made.cases.push_back(nature(dice, group.name, c));
    if (dice.chance(0.3) && cases > 1) {
      record::Claim claim;
      claim.case_name = group.name + "/case:1";
      claim.reference_case = group.name + "/case:" + (dice.chance(0.1) ? "9" : "0");
      claim.metric = dice.one_of({"time", "time", "peak_bytes"});
      claim.ratio = dice.one_of({0.5, 1.0, 3.0});
      claim.relation = dice.chance(0.5) ? record::Relation::at_most : record::Relation::at_least;
      claim.text = "faster than its reference";
      group.claims.push_back(claim);
    }
    made.groups.push_back(group);
  }
  if (suite && dice.chance(0.6)) {
    const double common = dice.one_of({1.03, 1.08});
    const bool in_pairs = dice.chance(0.5);
    for (Nature& each : made.cases) {
      each.change *= common;
      if (in_pairs) each.paired_change *= common;
    }
  }
  return made;
}

double at(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

record::Measurement timed_measurement(Dice& dice, const Shape& shape, const std::string& metric, double centre) {
  record::Measurement made;
  made.metric = metric;
  std::vector<double> samples;
  for (int i = 0; i < shape.samples; ++i)
    samples.push_back(centre * (dice.chance(0.05) ? 1.3 : 1) * std::exp(0.01 * dice.normal()));
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  record::SampleSummary s;
  s.n = shape.samples;
  s.mean = s.median = centre;
  s.sd = centre * 0.01;
  s.min = sorted.front();
  s.p25 = at(sorted, 0.25);
  s.p75 = at(sorted, 0.75);
  s.max = sorted.back();
  made.summary = s;
  if (shape.raw_samples) made.samples = std::move(samples);
  return made;
}

void add_profile(Dice& dice, record::CaseResult& result, double time, bool later) {
  record::OperatorProfile profile;
  profile.passes = 3;
  profile.call_ns = time;
  profile.operators = {{"aten::mm", "Float 8x8", 2, time * 0.6}, {"aten::add", "Float 8x8", 1, time * 0.2}};
  if (later && dice.chance(0.7)) profile.operators.push_back({"aten::copy_", "Float 8x8", 2, time * 0.1});
  result.profile = std::move(profile);
}

record::CaseResult result_of(Dice& dice, const Shape& shape, const Nature& nature, double change, bool later) {
  record::CaseResult result;
  result.name = nature.definition.name;
  if (later && dice.chance(nature.troubled)) {
    result.status = dice.one_of({CaseStatus::failed, CaseStatus::wrong, CaseStatus::failed});
    result.message = dice.one_of({"it threw", "output differs\nsecond line"});
    if (dice.chance(0.5)) return result;
    result.status = CaseStatus::ok;
    result.message = {};
  }
  const double centre = nature.time * change * std::exp(nature.noise * dice.normal());
  for (const record::Metric& metric : nature.definition.metrics) {
    if (metric.kind == MetricKind::exact) {
      record::Measurement count;
      count.metric = metric.name;
      count.value = 100 + (later && nature.change > 1.1 ? 20 : 0) + (dice.chance(0.003) ? 1 : 0);
      result.measurements.push_back(count);
      continue;
    }
    if (!metric.primary && later && dice.chance(nature.troubled))
      continue;  // a metric beside the primary one is missing
    const bool rate = metric.direction == Direction::higher_is_better;
    double value = rate ? 1e12 / centre : centre;
    if (later && dice.chance(nature.troubled * 0.3)) value = 0;
    result.measurements.push_back(timed_measurement(dice, shape, metric.name, value));
    if (value == 0) result.measurements.back().samples.assign(result.measurements.back().samples.size(), 0);
  }
  if (nature.noise > 0.02) result.message = "it leaks " + std::to_string(dice.below(9)) + " bytes per call";
  if (nature.noise == 0.002) result.calls_per_sample = 16;
  if (nature.time > 4e5) result.discarded_samples = 4;
  if (shape.profiles) add_profile(dice, result, centre, later);
  return result;
}

void add_objects(Dice& dice, const Shape& shape, record::Run& run, bool later, record::Process& process) {
  if (!shape.objects_known) return;
  const bool own = later && !shape.same_objects;
  if (run.objects.empty()) {
    for (const bool after : {false, true}) {
      const std::string mark = after ? "b" : "a";
      run.objects.push_back({"/x/g" + mark, "", 1, 1, 1, std::string(8, after ? 'b' : 'a'), true, false});
      run.objects.push_back({"/x/libtorch" + mark + ".so", "libtorch_cpu.so", 1, 1, 1,
                             std::string(8, after && shape.cases.size() % 3 == 0 ? 'd' : 'c'), false, false});
    }
    run.objects.push_back({"/lib/libc.so.6", "libc.so.6", 1, 1, 1, "", false, true});
  }
  process.objects = own ? std::vector<std::int64_t>{2, 3, 4} : std::vector<std::int64_t>{0, 1, 4};
  if (dice.chance(0.01)) process.objects.clear();
}

void add_process(Dice& dice, const Shape& shape, record::Run& run, const record::Group& group, std::int64_t side,
                 bool later, double run_shift, std::optional<std::int64_t> pair) {
  record::Process process;
  process.index = static_cast<std::int64_t>(run.processes.size());
  process.side = side;
  process.pair = pair;
  process.suite = "g";
  process.group = group.name;
  process.started = run.created;
  add_objects(dice, shape, run, later, process);
  if (dice.chance(0.5)) process.usage = record::ProcessUsage{100, 0, 5, 2};
  if (dice.chance(shape.trouble)) {
    process.status = dice.one_of({ProcessStatus::crashed, ProcessStatus::timed_out, ProcessStatus::failed,
                                  ProcessStatus::not_started, ProcessStatus::bad_report});
    process.message = "killed by signal 9\nlast words";
  }
  if (process.status == ProcessStatus::ok || dice.chance(0.3)) {
    for (const Nature& each : shape.cases) {
      if (each.definition.group != group.name) continue;
      const auto known = std::find_if(run.cases.begin(), run.cases.end(),
                                      [&](const auto& c) { return c.name == each.definition.name; });
      if (known == run.cases.end() || known->skipped) continue;
      if (later && dice.chance(each.troubled * 0.3)) continue;  // it says nothing of this case
      const double change = !later ? 1 : pair ? each.paired_change : each.change;
      process.cases.push_back(result_of(dice, shape, each, change * run_shift, later));
    }
  }
  run.processes.push_back(std::move(process));
}

record::MachineCheck check(Dice& dice) {
  record::MachineCheck made;
  made.name = dice.one_of({"governor", "thermal_throttling", "load"});
  made.answer = dice.one_of({record::CheckAnswer::ok, record::CheckAnswer::bad, record::CheckAnswer::unknown});
  made.severity =
      dice.one_of({record::CheckSeverity::fatal, record::CheckSeverity::warning, record::CheckSeverity::info});
  made.seen = "it was " + made.name;
  if (made.answer == record::CheckAnswer::bad) made.advice = "fix it";
  return made;
}

record::Run run_of(Dice& dice, const Shape& shape, const std::string& id, bool later) {
  record::Run run;
  run.id = id;
  run.created = "2026-01-0" + std::to_string(1 + dice.below(9)) + "T00:00:00.000Z";
  run.plan.suites = {"g"};
  run.machine.host_key = dice.chance(0.03) ? "" : dice.chance(0.02) ? "host-b" : "host-a";
  run.machine.facts = {{"cpu_model", "Model A", "", record::FactClass::host},
                       {"kernel", dice.chance(0.1) ? "6.2" : "6.1", "", record::FactClass::warn}};
  if (dice.chance(0.4)) run.machine.device_key = dice.chance(0.15) ? "gpu-b" : "gpu-a";
  if (dice.chance(0.2)) run.machine.checks_before = {check(dice)};
  if (dice.chance(0.2)) run.machine.checks_after = {check(dice)};
  if (dice.chance(0.1)) run.warnings = {"the machine was busy"};
  run.sides = {record::Side{"run", {}, {"g"}}};
  run.groups = shape.groups;
  for (const Nature& each : shape.cases) {
    if (dice.chance(0.03)) continue;  // the run has no such case
    record::Case definition = each.definition;
    if (dice.chance(0.03)) definition.skipped = "no CUDA device";
    if (dice.chance(0.01)) definition.protocol = "cpu-wall/2";
    if (dice.chance(0.01)) definition.input_seed = 7;
    if (dice.chance(0.01)) definition.parameters.push_back({"other", "1"});
    run.cases.push_back(definition);
  }
  run.interrupted = dice.chance(0.05);
  if (dice.chance(0.05)) run.plan.filter = "group0";
  if (dice.chance(0.06)) {
    run.plan.division = {{"g/group0"}, {"g/group1", "g/group2"}};
    dice.chance(0.5) ? run.plan.missing_shards = {2} : (run.plan.shards = 2, run.plan.missing_shards);
  }
  (void)later;
  return run;
}

record::Run single_run(Dice& dice, const Shape& shape, const std::string& id, bool later) {
  record::Run run = run_of(dice, shape, id, later);
  const int processes = dice.one_of({1, 2, 5, 5, 5, 8});
  const double shift = dice.chance(0.7) ? 1 : std::exp(0.03 * dice.normal());
  run.plan.processes = processes;
  for (const record::Group& group : shape.groups) {
    if (dice.chance(0.03)) continue;
    for (int p = 0; p < processes; ++p) add_process(dice, shape, run, group, 0, later, shift, std::nullopt);
  }
  return run;
}

record::Run paired_run(Dice& dice, const Shape& shape, const std::string& id) {
  record::Run run = run_of(dice, shape, id, true);
  run.sides = {record::Side{"before", {}, {"g"}}, record::Side{"after", {}, {"g"}}};
  const int most = dice.one_of({4, 12, 20, 24});
  run.plan.processes = dice.chance(0.6) ? most : 2 * most;
  if (dice.chance(0.25)) run.plan.budget_s = 90;
  if (dice.chance(0.15)) run.plan.budget_pairs = dice.one_of({1, 20});
  if (dice.chance(0.3)) {
    run.machine.facts.push_back({"libtorch_version (before)", "2.0", "", record::FactClass::warn});
    run.machine.facts.push_back({"libtorch_version (after)", "2.1", "", record::FactClass::warn});
  }
  const bool one_group_alike = dice.chance(0.2);
  for (const record::Group& group : shape.groups) {
    if (dice.chance(0.1)) continue;  // its turn never came
    Shape here = shape;
    here.samples = dice.chance(0.3) ? 20 : shape.samples;
    if (one_group_alike && &group == &shape.groups.front()) here.same_objects = true;
    const int pairs = dice.chance(0.6) ? most : 1 + dice.below(most);
    for (int pair = 0; pair < pairs; ++pair) {
      for (const std::int64_t side : {0, 1}) add_process(dice, here, run, group, side, side == 1, 1, pair);
    }
  }
  if (dice.chance(0.04)) {  // a suite that could not say which cases it has
    record::Process unlisted;
    unlisted.suite = "g";
    unlisted.side = 1;
    unlisted.status = ProcessStatus::crashed;
    unlisted.message = "cannot list";
    run.processes.push_back(unlisted);
  }
  return run;
}

policy::CaseRule case_rule(Dice& dice) {
  policy::CaseRule rule;
  rule.pattern = dice.one_of({"group0", "case:1$", "nothing"});
  rule.place = "torchgate.toml:3";
  if (dice.chance(0.5)) rule.settings.emplace_back("latency", dice.one_of({0.02, 0.3}));
  if (dice.chance(0.3)) rule.settings.emplace_back("equivalence", 0.2);
  if (dice.chance(0.3)) rule.settings.emplace_back("inconclusive", std::string(dice.one_of({"warn", "fail"})));
  if (dice.chance(0.3)) rule.settings.emplace_back("unconfirmed", std::string(dice.one_of({"warn", "fail"})));
  if (dice.chance(0.2)) rule.settings.emplace_back("claim_broken", std::string("fail"));
  for (const char* const metric : {"time", "cpu_time", "peak_bytes", "time_p95"}) {
    if (dice.chance(0.35))
      rule.metrics[metric] = dice.one_of({policy::Action::pass, policy::Action::warn, policy::Action::fail});
  }
  return rule;
}

policy::Waiver waiver(Dice& dice, const Shape& shape, int index) {
  policy::Waiver made;
  made.case_name =
      dice.chance(0.9)
          ? shape.cases[static_cast<std::size_t>(dice.below(static_cast<int>(shape.cases.size())))].definition.name
          : "g/group0/cse:1";
  made.metric = dice.one_of({"time", "time", "cpu_time", "peak_bytes", "time_p95", "tme"});
  made.ceiling = made.metric == "peak_bytes" ? dice.one_of({110.0, 200.0}) : dice.one_of({0.02, 0.2, 3.0});
  made.reason = "accepted";
  made.expires = std::chrono::year{2026} / (dice.chance(0.8) ? 12 : 1) / 31;
  made.place = "torchgate-waivers.toml:" + std::to_string(index);
  return made;
}

policy::Policy random_policy(Dice& dice, const Shape& shape) {
  using policy::Action;
  policy::Policy policy;
  const auto action = [&] { return dice.one_of({Action::pass, Action::warn, Action::fail}); };
  policy.rule = dice.one_of<const char*>(
      {"default", "default", "default", "default", "welch", "textbook", "history", "paired", "exact"});
  policy.unconfirmed = dice.one_of(
      {policy::Unconfirmed::beyond, policy::Unconfirmed::beyond, policy::Unconfirmed::warn, policy::Unconfirmed::fail});
  policy.confirm = dice.one_of(
      {policy::Confirm::regressions, policy::Confirm::regressions, policy::Confirm::all, policy::Confirm::none});
  if (dice.chance(0.2)) policy.suspects = policy::Suspects::false_discovery_rate;
  if (dice.chance(0.3)) policy.latency = dice.one_of({0.02, 0.2});
  if (dice.chance(0.4)) policy.tails = action();
  if (dice.chance(0.3)) policy.inconclusive = action();
  if (dice.chance(0.3)) policy.changed = action();
  if (dice.chance(0.3)) policy.claim_broken = action();
  if (dice.chance(0.3)) policy.memory = action();
  if (dice.chance(0.1)) policy.run_sd = 0.03;
  if (dice.chance(0.1)) policy.controls = "case:0";
  if (dice.chance(0.1)) policy.vary = {"libtorch"};
  policy.allow_noisy = dice.chance(0.5);
  policy.pairs = dice.one_of({8, 20, 48});
  if (dice.chance(0.35)) {
    for (int i = 1 + dice.below(2); i > 0; --i) policy.case_rules.push_back(case_rule(dice));
  }
  if (dice.chance(0.4)) {
    for (int i = 1 + dice.below(4); i > 0; --i) policy.waivers.push_back(waiver(dice, shape, i));
    if (dice.chance(0.95)) policy.today = std::chrono::year{2026} / 6 / 1;
  }
  if (dice.chance(0.1)) policy.notes = {"policy of the base branch"};
  if (dice.chance(0.05)) policy.doubts = {"the policy is not that of the base branch"};
  return policy;
}

// Suspects alone are measured again, most of the time.
void keep_some(Dice& dice, record::Run& pairs) {
  std::vector<record::Case> kept;
  for (record::Case& definition : pairs.cases) {
    if (dice.chance(0.8)) kept.push_back(std::move(definition));
  }
  pairs.cases = std::move(kept);
}

}  // namespace

RandomComparison random_comparison(std::uint64_t seed) {
  Dice dice(seed * 0x9e3779b97f4a7c15ULL + 1);
  const Shape made = shape(dice);
  RandomComparison comparison;
  comparison.policy = random_policy(dice, made);
  const int kind = dice.below(10);
  if (kind < 3) {
    comparison.pairs = paired_run(dice, made, "9000000000000000");
    return comparison;
  }
  comparison.current = single_run(dice, made, "8000000000000000", true);
  if (kind == 3) return comparison;
  const int stored = dice.one_of({1, 1, 2, 5, 6, 8});
  for (int i = 0; i < stored; ++i)
    comparison.stored.push_back(single_run(dice, made, "100000000000000" + std::to_string(i), false));
  comparison.confirmable = dice.chance(0.6);
  comparison.calibrated = dice.chance(0.15);
  if (dice.chance(0.5)) comparison.no_pairs_because = "the baseline keeps no objects";
  if (dice.chance(0.6)) {
    comparison.confirmable = true;
    comparison.pairs = paired_run(dice, made, "9000000000000000");
    keep_some(dice, *comparison.pairs);
    if (dice.chance(0.7))
      comparison.pairs->plan.confirms = record::Confirms{"8000000000000000", "1000000000000000", 1 + dice.below(9)};
    if (dice.chance(0.2)) comparison.rebuilt = "the baseline was rebuilt from its commit";
  }
  return comparison;
}

}  // namespace torchgate::gate::testing
