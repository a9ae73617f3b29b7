// SPDX-License-Identifier: Apache-2.0
// Cases that are measured in a process of their own: what the process of the group does, and what the other one does for a cold start.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/bench/run/case_measurements.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/run/cold_start.hpp"
#include "harness/bench/run/requirements.hpp"

namespace torchgate::bench {
namespace {

using record::CaseStatus;

std::int64_t sample_count_of(const record::CaseResult& result) {
  const auto time = std::find_if(result.measurements.begin(), result.measurements.end(),
                                 [](const auto& each) { return each.metric == "time"; });
  return time == result.measurements.end() ? 0 : static_cast<std::int64_t>(time->samples.size());
}

}  // namespace

// The only sample of this process: the case is built and called before anything else of the group. Its output is checked, and its
// operations are counted, afterwards.
void CaseRunner::start_cold(const GroupCases& group, const CaseInstance& instance, const std::vector<CaseInstance>& all,
                            record::CaseResult& result) {
  Samples samples;
  Recorder recorder(clock_);
  backend_.prepare(instance.args.seed(), group.is_training());
  const std::int64_t cpu_begin = clock_.cpu_ns();
  const std::int64_t begin = clock_.wall_ns();
  Timed timed = instance.variant->factory(instance.args);
  const std::int64_t built = clock_.wall_ns();
  const std::int64_t cpu_built = clock_.cpu_ns();
  require_output(instance, timed);
  timed.set_up();
  const std::int64_t cpu_called = clock_.cpu_ns();
  const std::int64_t called = clock_.wall_ns();
  Timed::Kept kept;
  if (timed.has_output()) {
    kept = timed.run_and_keep(recorder);
  } else {
    timed.run(recorder);
  }
  backend_.synchronize(instance.definition.device);
  const std::int64_t end = clock_.wall_ns();
  const std::int64_t cpu_end = clock_.cpu_ns();
  if (!instance.reference_case.empty() || instance.variant->sweep_check) {
    Outputs outputs{kept()};
    kept = nullptr;
    while (outputs.size() < checked_calls) outputs.push_back(timed.output());
    const auto own_settings = backend_.keep_settings();  // not those that its reference leaves
    check(instance, reference_of(group, instance, all), outputs, result);
    own_settings();
  }
  kept = nullptr;
  count(instance, timed, result);
  if (result.status == CaseStatus::wrong) return result.measurements.clear();  // as above
  const auto ns = [](std::int64_t duration) { return std::vector<double>{static_cast<double>(duration)}; };
  samples.wall_ns = ns(built - begin + end - called);
  result.measurements.push_back(timed_measurement("time", samples.wall_ns, 0));
  result.measurements.push_back(timed_measurement("cpu_time", ns(cpu_built - cpu_begin + cpu_end - cpu_called), 0));
  result.measurements.push_back(timed_measurement(build_time_metric, ns(built - begin), 0));
  result.measurements.push_back(timed_measurement(first_call_metric, ns(end - called), 0));
  for (const auto& [metric, sum] : recorder.sums()) {
    if (sum.puts > 0) samples.recorded[metric] = {sum.value};
  }
  for (const auto& [metric, values] : recorder.observations()) samples.pooled[metric] = {values, {values.size()}};
  const std::vector<OwnMetric> own_metrics = group.own_metrics(*instance.variant);
  check_declared(samples, own_metrics);
  add_own_metrics(own_metrics, samples, {1, 0}, result);
}

record::CaseResult CaseRunner::run_in_own_process(const GroupCases& group, const CaseInstance& instance,
                                                  const std::vector<CaseInstance>& all, SampleObserver* observer) {
  const std::int64_t launches = group.cold_launches().value_or(1);
  const OwnProcess settings = group.own_process(*instance.variant);
  std::optional<std::string> flag;
  if (const auto file = reference_file_of(group, instance, all)) flag = "reference=" + *file;
  std::vector<record::CaseResult> results;
  for (std::int64_t i = 0; i < launches; ++i) {
    auto answer = own_process_->run(group.name(), instance.definition.name, settings, flag);
    if (!answer) throw std::runtime_error("the process of its own: " + answer.error().message);
    traces_.push_back(std::move(answer->traces));
    results.push_back(std::move(answer->result));
    if (results.back().status != CaseStatus::ok) break;
    if (group.cold_launches())
      results.back().measurements.push_back(
          timed_measurement(load_time_metric, {static_cast<double>(answer->load_ns)}, 0));
  }
  record::CaseResult result = join_launches(instance.definition, std::move(results));
  if (observer == nullptr || result.status != CaseStatus::ok) return result;
  const std::int64_t samples = sample_count_of(result);
  observer->on_start(samples, result.calls_per_sample);
  for (std::int64_t i = 0; i < samples; ++i) {
    observer->on_sample_begin();
    observer->on_sample_end();
  }
  return result;
}

}  // namespace torchgate::bench
