// SPDX-License-Identifier: Apache-2.0
// A case whose instructions are counted: it is built and called as for the timing, but nothing is timed or checked.
#include <string>

#include "harness/bench/count/instruction_counter.hpp"
#include "harness/bench/run/case_measurements.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/run/requirements.hpp"
#include "harness/bench/skip.hpp"
#include "harness/record/instruction_count.hpp"

namespace torchgate::bench {
namespace {

// The first call loads, compiles and allocates; the second one may still take memory that the first one has freed.
constexpr int warm_up_calls = 2;

}  // namespace

void CaseRunner::count_calls(const GroupCases& group, const CaseInstance& instance, InstructionCounter& counter,
                             const CountOptions& options, record::CaseResult& result) {
  const std::string& name = instance.definition.name;
  const auto put = [&](const std::string& part, double calls) {
    if (const auto count = counter.take(part + " " + name); count && calls > 0)
      result.measurements.push_back(exact_value_of(record::instructions_metric, *count / calls));
  };
  const bool is_cold = group.cold_launches().has_value();
  backend_.prepare(instance.args.seed(), group.is_training());
  // Where the functions of the set-up are wanted, all is counted from the start of the process to the first counted call.
  if (options.set_up && is_cold) put("set-up", 0);
  if (options.set_up || is_cold) counter.start();
  Timed timed = instance.variant->factory(instance.args);
  Recorder recorder(clock_);
  const auto call = [&] {
    timed.run(recorder);
    backend_.synchronize(instance.definition.device);
  };
  for (int i = 0; i < (is_cold ? 0 : warm_up_calls); ++i) {
    timed.set_up();
    call();
    recorder.clear();
  }
  if (!is_cold) counter.stop();
  if (!is_cold) put("set-up", 0);
  // A cold start is building and the first call.
  result.calls_per_sample = is_cold ? 1 : options.calls;
  if (is_cold) {
    if (timed.has_set_up()) {
      counter.stop();
      timed.set_up();
      counter.start();
    }
    call();
    counter.stop();
  } else if (timed.has_set_up()) {
    for (std::int64_t i = 0; i < result.calls_per_sample; ++i) {
      timed.set_up();
      counter.start();
      call();
      counter.stop();
    }
  } else {
    counter.start();
    for (std::int64_t i = 0; i < result.calls_per_sample; ++i) call();
    counter.stop();
  }
  put("calls", static_cast<double>(result.calls_per_sample));
}

record::CaseResult CaseRunner::count_instructions(const GroupCases& group, const CaseInstance& instance,
                                                  InstructionCounter& counter, const CountOptions& options) {
  record::CaseResult result;
  result.name = instance.definition.name;
  stage(instance, result, [&] {
    if (group.rank_count() > 1)
      throw Skip(
          "its ranks wait for each other, and how often they look is a matter of time: its instructions do not repeat");
    if (instance.definition.device != "cpu") throw Skip("what a GPU executes is not counted");
    if (const auto why = cannot_run(group, instance, backend_)) throw Skip(*why);
    if (group.has_own_process(*instance.variant) && own_process_ != nullptr) {
      auto answer =
          own_process_->run(group.name(), instance.definition.name, group.own_process(*instance.variant), std::nullopt);
      if (!answer) throw std::runtime_error("the process of its own: " + answer.error().message);
      result = std::move(answer->result);
    } else {
      count_calls(group, instance, counter, options, result);
    }
  });
  return result;
}

}  // namespace torchgate::bench
