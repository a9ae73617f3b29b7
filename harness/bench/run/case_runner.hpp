// SPDX-License-Identifier: Apache-2.0
// From a case to its result: build, check its output and its code path, count, then time on the host and, for
// device cases, on the device.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/count/instruction_counter.hpp"
#include "harness/bench/device/device.hpp"
#include "harness/bench/device/device_settings.hpp"
#include "harness/bench/ranks/world.hpp"
#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/case_process.hpp"
#include "harness/bench/run/group_cases.hpp"
#include "harness/bench/run/output_file.hpp"
#include "harness/bench/run/own_file.hpp"
#include "harness/bench/run/requirements.hpp"
#include "harness/bench/sampling/clock.hpp"
#include "harness/bench/sampling/sampler.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// How instructions are counted.
struct CountOptions {
  std::int64_t calls = 1;  ///< counted together, after two that are not
  bool set_up = false;     ///< building the case is counted too, as a part of its own
};

/// Whose outputs are checked: what a first call leaves behind (a recorded graph, a specialised trace, a cache) is used by the second.
inline constexpr std::size_t checked_calls = 2;

/// The message of a case that failed with std::bad_alloc.
inline constexpr const char* no_host_memory = "ran out of memory";

class CaseRunner {
 public:
  /// `own_process` measures the cases that need a process of their own; null: this is one, or a test.
  CaseRunner(Backend& backend, SamplerSettings settings, Clock& clock, DeviceSettings device_settings = {},
             World& world = this_world(), CaseProcess* own_process = nullptr)
      : backend_(backend),
        settings_(settings),
        device_settings_(device_settings),
        clock_(clock),
        world_(world),
        own_process_(own_process) {}

  /// Never throws, unless another rank is lost (RankLost): what the case throws is in its result, which is the same on
  /// all ranks but for the measurements of what the calls record themselves. `all` are the instances of the same group, among which the
  /// reference is found. `observer` is called for the samples.
  record::CaseResult run(const GroupCases& group, const CaseInstance& instance, const std::vector<CaseInstance>& all,
                         SampleObserver* observer = nullptr);

  /// The same for a case that takes turns with one of another process where it can: those in this process, of one rank. Others are measured
  /// as by run(), and `turns` is not asked. What a device measures itself comes after the turns. Gives the memory of the device back.
  record::CaseResult run_in_turns(const GroupCases& group, const CaseInstance& instance,
                                  const std::vector<CaseInstance>& all, TurnGiver& turns);

  /// Several cases of the CPU that claims compare: all are built and checked first, then their samples are taken in turns of some milliseconds,
  /// in an order drawn from `seed`, so that what disturbs the machine for a while disturbs all of them. Results in the order of `family`.
  std::vector<record::CaseResult> run_family(const GroupCases& group, const std::vector<const CaseInstance*>& family,
                                             const std::vector<CaseInstance>& all, std::uint64_t seed);

  /// Whether it failed because its device has not enough memory, which may be different when the other process of a pair has none of it.
  [[nodiscard]] bool lacked_memory(const CaseInstance& instance, const record::CaseResult& result) const;

  /// Whether its samples may be taken in turns with those of other cases of this process: not where it has processes or a device of its own.
  [[nodiscard]] bool may_alternate(const GroupCases& group, const CaseInstance& instance) const;

  /// The instructions of a case: a measurement of record::instructions_metric, unless the counter gives them to its own tool, by name:
  /// "set-up CASE" and "calls CASE". Does not time or check anything. Skipped: several ranks, or another device than the CPU.
  record::CaseResult count_instructions(const GroupCases& group, const CaseInstance& instance,
                                        InstructionCounter& counter, const CountOptions& options);

  /// Makes the outputs that other processes compare theirs with: writes them to the file at `path`, does not time or check anything.
  record::CaseResult keep_outputs(const GroupCases& group, const CaseInstance& instance, const std::string& path);

  /// References are not called here: the outputs in the file at `path` are those of the reference, whichever case is compared with it.
  void compare_with_outputs_in(std::string path) { given_outputs_ = std::move(path); }

  /// What the processes of cases that have their own loaded and read.
  [[nodiscard]] const std::vector<ProcessTraces>& traces() const { return traces_; }

  /// The first call in this process, which includes loading, compiling and allocating. Absent before it.
  struct FirstCall {
    std::string case_name;
    std::int64_t ns = 0;
  };
  [[nodiscard]] const std::optional<FirstCall>& first_call() const { return first_call_; }
  /// Spent on building, checking, counting and profiling so far.
  [[nodiscard]] std::int64_t untimed_ns() const { return untimed_ns_; }

 private:
  /// Times CALL when it is the first one of this process.
  void timed_if_first(const std::string& case_name, const std::function<void()>& call);
  [[nodiscard]] SamplerSettings settings_of(const GroupCases& group, const CaseInstance& instance) const;
  Timed build(const GroupCases& group, const CaseInstance& instance);
  Outputs first_outputs(const std::string& case_name, Timed& timed);
  Outputs make_outputs(const GroupCases& group, const CaseInstance& instance);
  /// The reference of the case, if another process has to make its outputs: one with the reference's settings.
  [[nodiscard]] const CaseInstance* reference_elsewhere(const GroupCases& group, const CaseInstance& instance,
                                                        const std::vector<CaseInstance>& all) const;
  const std::string& reference_file(const GroupCases& group, const CaseInstance& reference);
  std::optional<std::string> reference_file_of(const GroupCases& group, const CaseInstance& instance,
                                               const std::vector<CaseInstance>& all);
  /// The outputs of the case's reference; null for a case without one.
  const Outputs* reference_of(const GroupCases& group, const CaseInstance& instance,
                              const std::vector<CaseInstance>& all);
  /// `reference`: null for a sweep, whose outputs the author's function checks.
  void check(const CaseInstance& instance, const Outputs* reference, const Outputs& outputs,
             record::CaseResult& result);
  void count(const CaseInstance& instance, Timed& timed, record::CaseResult& result);
  void look_closer(const GroupCases& group, const CaseInstance& instance, Timed& timed, record::CaseResult& result);
  std::optional<Timed> prepare_for_timing(const GroupCases& group, const CaseInstance& instance,
                                          const std::vector<CaseInstance>& all, SampleObserver* observer,
                                          record::CaseResult& result);
  double add_host_times(const GroupCases& group, const CaseInstance& instance, Samples samples,
                        record::CaseResult& result);
  [[nodiscard]] bool may_take_turns(const GroupCases& group, const CaseInstance& instance) const;
  void time(const GroupCases& group, const CaseInstance& instance, Timed& timed, SampleObserver* observer,
            TurnGiver* turns, record::CaseResult& result);
  void count_calls(const GroupCases& group, const CaseInstance& instance, InstructionCounter& counter,
                   const CountOptions& options, record::CaseResult& result);
  record::CaseResult run_in_own_process(const GroupCases& group, const CaseInstance& instance,
                                        const std::vector<CaseInstance>& all, SampleObserver* observer);
  void start_cold(const GroupCases& group, const CaseInstance& instance, const std::vector<CaseInstance>& all,
                  record::CaseResult& result);
  Samples sample_on_host(Timed& timed, const std::string& device_name, Device* device, const SamplerSettings& settings,
                         SampleObserver* observer, TurnGiver* turns, const std::vector<std::string>& joined,
                         record::CaseResult& result);
  void remember_if_lost(const std::string& device_name);
  void time_on_device(Device& device, bool graphs, Timed& timed, const SamplerSettings& settings, double call_ns,
                      record::CaseResult& result);
  Timed examine(const GroupCases& group, const CaseInstance& instance, const std::vector<CaseInstance>& all,
                record::CaseResult& result);
  bool stage(const CaseInstance& instance, record::CaseResult& result, const std::function<void()>& work);

  Backend& backend_;
  SamplerSettings settings_;
  DeviceSettings device_settings_;
  Clock& clock_;
  World& world_;
  std::optional<FirstCall> first_call_;
  std::int64_t untimed_ns_ = 0;
  std::map<std::string, std::string> gone_;  ///< unusable devices, with the reason
  std::map<std::string, Outputs> reference_outputs_;
  std::map<std::string, std::unique_ptr<OwnFile>> reference_files_;  ///< made by processes of their own; by reference
  std::optional<std::string> given_outputs_;
  CaseProcess* own_process_;
  std::vector<ProcessTraces> traces_;
};

}  // namespace torchgate::bench
