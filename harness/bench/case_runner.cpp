// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/case_runner.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "harness/bench/sample_summary.hpp"

namespace torchgate::bench {
namespace {

using record::CaseStatus;

std::optional<std::string> first_unmet(const std::vector<Need>& needs, const Backend& backend) {
  for (const Need& need : needs) {
    const auto why = need.test ? need.test() : backend.unmet(need.name);
    if (why) return why;
  }
  return std::nullopt;
}

void mark_wrong(record::CaseResult& result, const std::string& message) {
  result.status = CaseStatus::wrong;
  if (!result.message.empty()) result.message += "; ";
  result.message += message;
}

// LibTorch appends a C++ stack trace to its messages; the first lines say what happened.
std::string first_lines(const std::string& text) {
  constexpr std::size_t most_bytes = 500;
  const auto trace = text.find("\nException raised from");
  return text.substr(0, std::min(trace == std::string::npos ? text.size() : trace, most_bytes));
}

void add_exact(record::CaseResult& result, const std::string& metric, const std::optional<std::int64_t>& first,
               const std::optional<std::int64_t>& second) {
  if (!first || !second) return;
  if (*first != *second) {
    // What does not repeat is not called exact: it would raise a finding on every run.
    if (!result.message.empty()) result.message += "; ";
    result.message += metric + " did not repeat (" + std::to_string(*first) + ", then " + std::to_string(*second) +
                      ") and is not recorded";
    return;
  }
  record::Measurement measurement;
  measurement.metric = metric;
  measurement.value = static_cast<double>(*first);
  result.measurements.push_back(std::move(measurement));
}

record::Measurement timed_measurement(const std::string& metric, std::vector<double> samples) {
  record::Measurement measurement;
  measurement.metric = metric;
  measurement.summary = summarize_samples(samples);
  measurement.samples = std::move(samples);
  return measurement;
}

}  // namespace

std::optional<std::string> cannot_run(const Group& group, const Group::Instance& instance, const Backend& backend) {
  if (instance.definition.device != "cpu") {
    if (auto why = backend.unmet(instance.definition.device)) return why;
  }
  if (auto why = first_unmet(group.group_needs(), backend)) return why;
  return first_unmet(instance.variant->needs, backend);
}

Timed CaseRunner::build(const Group& group, const Group::Instance& instance) {
  backend_.prepare(instance.args.seed(), group.is_training());
  return instance.variant->factory(instance.args);
}

const Output& CaseRunner::reference_output(const Group& group, const std::string& name,
                                           const std::vector<Group::Instance>& all) {
  const auto known = reference_outputs_.find(name);
  if (known != reference_outputs_.end()) return known->second;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.definition.name == name; });
  if (found == all.end()) throw std::logic_error("the reference case " + name + " is not there");
  Timed timed = build(group, *found);
  if (!timed.has_output()) throw std::logic_error("the reference " + name + " returns nothing to compare with");
  return reference_outputs_.emplace(name, timed.output()).first->second;
}

void CaseRunner::check_output(const Group& group, const Group::Instance& instance,
                              const std::vector<Group::Instance>& all, Timed& timed, record::CaseResult& result) {
  if (instance.reference_case.empty()) return;
  const Output& reference = reference_output(group, instance.reference_case, all);
  // Building the reference has moved the generator: the variant's own build must not see that, so it came first.
  const Output output = timed.output();
  if (instance.variant->check) {
    if (const auto what = instance.variant->check(reference, output)) mark_wrong(result, *what);
    return;
  }
  result.check = compare(reference, output, instance.variant->tolerance, instance.reference_case);
  if (!result.check->within) mark_wrong(result, "output differs from " + instance.reference_case);
}

void CaseRunner::count(const Group::Instance& instance, Timed& timed, record::CaseResult& result) {
  Recorder ignored;
  const auto once = [&] { timed.run(ignored); };
  once();  // first calls allocate what later ones reuse
  const Observation first = backend_.observe(instance.definition.device, once);
  const Observation second = backend_.observe(instance.definition.device, once);
  for (const Expectation& expectation : instance.variant->expectations) {
    result.proofs.push_back(prove(expectation, second));
    if (!result.proofs.back().holds) {
      mark_wrong(result, "its path was not taken: expected that it " + expectation.text + ", seen " +
                             std::to_string(result.proofs.back().observed));
    }
  }
  add_exact(result, "operator_calls", first.total_operator_calls, second.total_operator_calls);
  add_exact(result, "allocations", first.allocations, second.allocations);
  add_exact(result, "allocated_bytes", first.allocated_bytes, second.allocated_bytes);
  add_exact(result, "peak_bytes", first.peak_bytes, second.peak_bytes);
}

void CaseRunner::time(const Group& group, const Group::Instance& instance, Timed& timed, record::CaseResult& result) {
  const auto settle = [&] { backend_.synchronize(instance.definition.device); };
  Samples samples = sample(timed, settle, settings_, clock_);
  result.calls_per_sample = samples.calls_per_sample;
  result.warmup_calls = samples.warmup_calls;
  result.measurements.push_back(timed_measurement("time", std::move(samples.wall_ns)));
  result.measurements.push_back(timed_measurement("cpu_time", std::move(samples.cpu_ns)));
  for (const record::Metric& metric : group.own_metrics()) {
    const auto recorded = samples.recorded.find(metric.name);
    if (recorded == samples.recorded.end()) continue;
    if (metric.kind == record::MetricKind::timed) {
      result.measurements.push_back(timed_measurement(metric.name, std::move(recorded->second)));
    } else {
      const auto& values = recorded->second;
      const bool repeats = std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
      if (!repeats) throw std::runtime_error("exact metric " + metric.name + " differs from call to call");
      record::Measurement measurement;
      measurement.metric = metric.name;
      measurement.value = values.front();
      result.measurements.push_back(std::move(measurement));
    }
  }
}

void CaseRunner::measure(const Group& group, const Group::Instance& instance, const std::vector<Group::Instance>& all,
                         record::CaseResult& result) {
  Timed timed = build(group, instance);
  check_output(group, instance, all, timed, result);
  count(instance, timed, result);
  if (result.status == CaseStatus::wrong) {
    result.measurements.clear();  // a wrong result has no speed
    return;
  }
  time(group, instance, timed, result);
}

record::CaseResult CaseRunner::run(const Group& group, const Group::Instance& instance,
                                   const std::vector<Group::Instance>& all) {
  record::CaseResult result;
  result.name = instance.definition.name;
  if (auto why = cannot_run(group, instance, backend_)) {
    result.status = CaseStatus::skipped;
    result.message = *why;
    return result;
  }
  const auto fail = [&](const std::string& message) {
    result.status = CaseStatus::failed;
    result.message = first_lines(message);
    result.measurements.clear();
  };
  try {
    measure(group, instance, all, result);
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("threw something that is no std::exception");
  }
  return result;
}

}  // namespace torchgate::bench
