// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/case_runner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>

#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/ranks/rank_agreement.hpp"
#include "harness/bench/run/case_measurements.hpp"
#include "harness/bench/sampling/heap_growth.hpp"
#include "harness/bench/skip.hpp"

namespace torchgate::bench {
namespace {

using record::CaseStatus;

void mark_wrong(record::CaseResult& result, const std::string& message) {
  result.status = CaseStatus::wrong;
  add_note(result, message);
}

// LibTorch appends a C++ stack trace to its messages, and to those of CUDA advice for its developers; the lines before describe the error.
std::string first_lines(const std::string& text) {
  constexpr std::size_t most_bytes = 500;
  std::size_t end = std::min(text.size(), most_bytes);
  for (const char* const appended :
       {"\nException raised from", "\nSearch for `cuda", "\nCUDA kernel errors might be asynchronously reported"})
    end = std::min(end, text.find(appended));
  return text.substr(0, end);
}

void add_exact(record::CaseResult& result, const std::string& metric, const std::optional<std::int64_t>& first,
               const std::optional<std::int64_t>& second) {
  if (!first || !second) return;
  if (*first != *second) {
    // A metric that is not repeatable is not exact: it would cause a finding in every run.
    add_note(result, metric + " is not repeatable (" + std::to_string(*first) + ", then " + std::to_string(*second) +
                         ") and is not recorded");
    return;
  }
  result.measurements.push_back(exact_value_of(metric, static_cast<double>(*first)));
}

std::string observed_in(std::int64_t first, std::int64_t second) {
  const std::string text = std::to_string(first);
  return first == second ? text : text + " in one call and " + std::to_string(second) + " in the next";
}

/// A median of five calls is that of calls without a pause if at most two had one.
constexpr std::int64_t fewest_profiled_calls = 5;
/// Some time slices of a scheduler: a call that took longer is a long one, and is not made again to know how long.
constexpr std::int64_t longest_pause_ns = 100'000'000;

bool has_metric(const record::Case& definition, const std::string& name) {
  return std::any_of(definition.metrics.begin(), definition.metrics.end(),
                     [&](const auto& metric) { return metric.name == name; });
}

// Three digits: fewer would hide a loss of accuracy, more would report the last bits of another compiler.
double three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2e", value);
  return std::strtod(text.data(), nullptr);
}

std::string distance_beyond(const record::OutputCheck& check) {
  if (!std::isfinite(check.relative_l2)) return "the relative L2 distance is not finite";
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "relative L2 distance %.2g, allowed %.2g", check.relative_l2,
                check.tolerance);
  return text.data();
}

// What is wrong with an output. It is compared with the reference's, or checked by the author's function: none passes unchecked.
std::optional<std::string> mistake_in(const VariantDescription& variant, const std::string& reference_case,
                                      const Output& reference, const Output& output,
                                      base::Boxed<record::OutputCheck>& kept) {
  if (variant.check) return variant.check(reference, output);
  const record::OutputCheck check = compare(reference, output, variant.tolerance, reference_case);
  if (!kept || !check.within) kept = check;
  if (check.within) return std::nullopt;
  std::string message = "output differs from " + reference_case;
  if (reference.values.size() != output.values.size()) {
    message +=
        ": " + std::to_string(output.values.size()) + " elements, expected " + std::to_string(reference.values.size());
  } else if (reference.values.empty()) {
    message = "empty output, as in " + reference_case + ": nothing was compared";
  } else {
    message += ": " + distance_beyond(check);
  }
  return message;
}

}  // namespace

void CaseRunner::timed_if_first(const std::string& case_name, const std::function<void()>& call) {
  if (first_call_) return call();
  const std::int64_t start_ns = clock_.wall_ns();
  struct AtEnd {
    CaseRunner& runner;
    const std::string& name;
    std::int64_t start_ns;
    ~AtEnd() { runner.first_call_ = FirstCall{name, runner.clock_.wall_ns() - start_ns}; }
  } const at_end{*this, case_name, start_ns};
  call();
}

Timed CaseRunner::build(const GroupCases& group, const CaseInstance& instance) {
  backend_.prepare(instance.args.seed(), group.is_training());
  return instance.variant->factory(instance.args);
}

Outputs CaseRunner::first_outputs(const std::string& case_name, Timed& timed) {
  Outputs outputs(checked_calls);
  timed_if_first(case_name, [&] { outputs.front() = timed.output(); });
  for (std::size_t call = 1; call < checked_calls; ++call) outputs[call] = timed.output();
  return outputs;
}

void CaseRunner::check(const CaseInstance& instance, const Outputs* reference, const Outputs& outputs,
                       record::CaseResult& result) {
  for (std::size_t call = 0; call < outputs.size(); ++call) {
    const std::string of_call = call == 0 ? "" : "call " + std::to_string(call + 1) + ": ";
    const bool was_wrong = call > 0 && result.status == CaseStatus::wrong;
    // The ranks compare every output, whatever was wrong on one of them.
    const auto differs = differs_between_ranks(world_, outputs[call]);
    if (was_wrong) continue;  // what follows from a wrong output says nothing new
    if (differs) mark_wrong(result, of_call + *differs);
    const auto mistake = reference != nullptr ? mistake_in(*instance.variant, instance.reference_case,
                                                           reference->at(call), outputs[call], result.check)
                                              : instance.variant->sweep_check(outputs[call]);
    if (mistake) mark_wrong(result, of_call + *mistake);
    const bool is_first_distance = call == 0 && result.check && result.check->within;
    if (is_first_distance && has_metric(instance.definition, output_error))
      result.measurements.push_back(exact_value_of(output_error, three_digits(result.check->relative_l2)));
  }
}

void CaseRunner::count(const CaseInstance& instance, Timed& timed, record::CaseResult& result) {
  Recorder recorder(clock_);
  std::map<std::string, double>
      recorded;  // of the calls that ended well: one that cannot be recorded into a graph throws
  std::int64_t calls = 0;
  const auto once = [&] {
    recorder.clear();
    timed.run(recorder);
    ++calls;
    for (const auto& [metric, sum] : recorder.sums()) recorded[metric] += sum.value;
  };
  const auto observe = [&] {
    recorded.clear();
    calls = 0;
    const CountedCall call{[&] { timed.set_up(); }, once};
    Observation observation = backend_.observe(instance.definition.device, call);  // may call more than once
    for (const auto& [metric, sum] : recorded)
      observation.recorded[metric] = sum / static_cast<double>(std::max<std::int64_t>(1, calls));
    return largest_of(world_, observation);
  };
  timed.set_up();
  timed_if_first(instance.definition.name, once);  // first calls allocate what later ones reuse
  const Observation first = observe();
  const Observation second = observe();
  for (const auto& [expectation, where] : instance.variant->expectations) {
    if (!selected(where, instance.args)) continue;
    const std::array proofs{prove(expectation, first), prove(expectation, second)};
    result.proofs.push_back(proofs[0].holds ? proofs[1] : proofs[0]);
    if (!result.proofs.back().holds) {
      mark_wrong(result, "the expected code path did not run: expected that it " + result.proofs.back().expectation +
                             ", observed " + observed_in(proofs[0].observed, proofs[1].observed));
    }
  }
  for (const auto& [name, count] : counted_metrics()) {
    if (has_metric(instance.definition, name)) add_exact(result, name, first.*count, second.*count);
  }
  if (second.launches_unknown) {
    add_note(result, "kernel launches unknown: " + first_lines(*second.launches_unknown));
  }
}

SamplerSettings CaseRunner::settings_of(const GroupCases& group, const CaseInstance& instance) const {
  const auto count = group.sample_count(*instance.variant);
  return count ? with_samples(settings_, *count) : settings_;
}

// The data that explain the times later; they are not timed either. All ranks make the same number of calls.
void CaseRunner::look_closer(const GroupCases& group, const CaseInstance& instance, Timed& timed,
                             record::CaseResult& result) {
  const SamplerSettings settings = settings_of(group, instance);
  Recorder ignored(clock_);
  const auto once = [&] {
    timed.run(ignored);
    backend_.synchronize(instance.definition.device);  // queued work is not a leak
  };
  const auto with_set_up = [&] {
    timed.set_up();
    once();
    ignored.clear();
  };
  const auto one_call_ns = [&] {
    const std::int64_t start_ns = clock_.wall_ns();
    with_set_up();
    return static_cast<std::int64_t>(world_.largest(static_cast<double>(clock_.wall_ns() - start_ns)));
  };
  std::int64_t call_ns = one_call_ns();
  // A pause of the process is not taken for a long call: then one call would be profiled, which may have a pause too.
  if (settings.profile_ns > 0 && settings.profile_ns < fewest_profiled_calls * call_ns && call_ns < longest_pause_ns)
    call_ns = std::min(call_ns, one_call_ns());
  const auto affordable = [&](std::int64_t budget_ns) { return budget_ns / std::max<std::int64_t>(1, call_ns); };
  timed.set_up();
  // The operators of a set-up are not the call's: there only one call is profiled.
  result.profile = backend_.profile(
      once, timed.has_set_up() ? 1 : std::clamp<std::int64_t>(affordable(settings.profile_ns), 1, most_profiled_calls));
  if (const auto growth = heap_growth_per_call(with_set_up, affordable(settings.heap_ns), &heap_bytes_in_use)) {
    add_note(result, "every call keeps about " + std::to_string(std::llround(*growth)) +
                         " bytes of heap memory: a leak, or an unbounded cache");
  }
}

// Everything that is not timed.
Timed CaseRunner::examine(const GroupCases& group, const CaseInstance& instance, const std::vector<CaseInstance>& all,
                          record::CaseResult& result) {
  // The reference comes first: building and calling it moves the generator, and what the variant draws must not depend
  // on whether that has been done for another variant before.
  const Outputs* reference = reference_of(group, instance, all);
  Timed timed = build(group, instance);
  require_output(instance, timed);
  if (reference != nullptr || instance.variant->sweep_check)
    check(instance, reference, first_outputs(instance.definition.name, timed), result);
  count(instance, timed, result);
  if (result.status == CaseStatus::wrong) result.measurements.clear();  // the time of a wrong result is meaningless
  return timed;
}

/// What comes before the samples. Absent: there will be none, because the case failed, is skipped, or is complete already.
std::optional<Timed> CaseRunner::prepare_for_timing(const GroupCases& group, const CaseInstance& instance,
                                                    const std::vector<CaseInstance>& all, SampleObserver* observer,
                                                    record::CaseResult& result) {
  result.name = instance.definition.name;
  std::optional<Timed> timed;
  const auto skip = [&](const std::string& why) {
    result.status = CaseStatus::skipped;
    result.message = why;
  };
  const std::int64_t start_ns = clock_.wall_ns();
  bool is_complete = false;
  bool can_be_timed = stage(instance, result, [&] {
    if (const auto why = wrong_world(group, world_)) return skip(*why);
    if (const auto why = cannot_run(group, instance, backend_)) return skip(*why);
    const auto gone = gone_.find(instance.definition.device);
    if (gone != gone_.end())
      throw std::runtime_error("its device failed in an earlier case of this process: " + gone->second);
    if (group.has_own_process(*instance.variant) && own_process_ != nullptr) {
      result = run_in_own_process(group, instance, all, observer);
      is_complete = true;
    } else if (group.cold_launches()) {
      start_cold(group, instance, all, result);
      is_complete = true;
    } else {
      timed.emplace(examine(group, instance, all, result));
    }
  });
  can_be_timed =
      can_be_timed && !is_complete && stage(instance, result, [&] { look_closer(group, instance, *timed, result); });
  untimed_ns_ += clock_.wall_ns() - start_ns;
  return can_be_timed ? std::move(timed) : std::nullopt;
}

record::CaseResult CaseRunner::run(const GroupCases& group, const CaseInstance& instance,
                                   const std::vector<CaseInstance>& all, SampleObserver* observer) {
  record::CaseResult result;
  std::optional<Timed> timed = prepare_for_timing(group, instance, all, observer, result);
  if (timed) stage(instance, result, [&] { time(group, instance, *timed, observer, nullptr, result); });
  return result;
}

// Runs a part of a case. An exception becomes its result; then the ranks agree on one result. Returns whether to
// continue.
bool CaseRunner::stage(const CaseInstance& instance, record::CaseResult& result, const std::function<void()>& work) {
  const std::string& device = instance.definition.device;
  const auto fail = [&](const std::string& message) {
    result = {};
    result.name = instance.definition.name;
    result.status = CaseStatus::failed;
    result.message = message.empty() ? "threw an exception without a message" : first_lines(message);
  };
  bool device_known_lost = false;
  try {
    work();
  } catch (const RankLost&) {
    throw;
  } catch (const RankAhead&) {
    fail(followed_another);
  } catch (const Skip& skip) {
    result = {};
    result.name = instance.definition.name;
    result.status = CaseStatus::skipped;
    result.message = skip.what();
  } catch (const DeviceTimeout& timeout) {
    gone_[device] = timeout.what();
    device_known_lost = true;
    fail(timeout.what());
  } catch (const std::bad_alloc&) {
    fail(no_host_memory);
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("threw an object that is not a std::exception");
  }
  if (result.status == CaseStatus::failed && !device_known_lost && gone_.count(device) == 0) remember_if_lost(device);
  return agree(world_, result);
}

// After an illegal access every call to that CUDA device fails: later cases fail with this reason.
void CaseRunner::remember_if_lost(const std::string& device_name) {
  if (const auto why = backend_.lost(device_name)) gone_[device_name] = first_lines(*why);
}

}  // namespace torchgate::bench
