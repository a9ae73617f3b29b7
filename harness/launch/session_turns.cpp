// SPDX-License-Identifier: Apache-2.0
// Pairs whose processes take turns: suites by their own conversation, Google Benchmark programs without knowing.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "harness/launch/foreign/benchmark_pair.hpp"
#include "harness/launch/session.hpp"
#include "harness/launch/splitmix64.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/launch/turns/turn_pair.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {

bool Session::has_failed(std::size_t group) const {
  return std::any_of(failures_.begin(), failures_.end(), [&](const auto& each) { return each.first.first == group; });
}

// A Google Benchmark program may not bear a second process of itself (a port, a lock, memory): after a failure its processes run one after the other.
bool Session::takes_turns(const Slot& slot) const {
  const std::vector<GroupOnSide>& sides = groups_[slot.group].sides;
  return request_.turns && slot.pair && sides.size() == 2 &&
         std::all_of(sides.begin(), sides.end(), [](const GroupOnSide& side) { return side.takes_turns; }) &&
         (sides[0].program == nullptr) == (sides[1].program == nullptr) &&
         !(sides[0].program && has_failed(slot.group));
}

// What is known of a family before its first pair is so for all of its pairs. Absent: its processes run one after the other.
const std::optional<BenchmarkProbe>& Session::probed(std::size_t first,
                                                     const std::array<record::Process, 2>& processes) {
  const auto known = probes_.find(slots_[first].group);
  if (known != probes_.end()) return known->second;
  std::optional<BenchmarkProbe> both = BenchmarkProbe{0, 0, 1, true};
  for (std::size_t i = 0; i < processes.size() && both; ++i) {
    const auto folder = process::TemporaryFolder::create(scratch_);
    const auto one = folder ? probe_benchmarks(command_of(slots_[first + i], processes[i]), job_of(slots_[first + i]),
                                               folder->path())
                            : std::nullopt;
    both = one ? std::optional(joined(*both, *one)) : std::nullopt;
  }
  if (both && longest_repetition_s(*both, benchmark_times_in_turns(run_.plan.profile, both->longest_call_s)) >
                  longest_repetition_in_turns_s)
    both.reset();
  return probes_.emplace(slots_[first].group, both).first->second;
}

// Of the pair of slots that begins at FIRST: the cases of both in a random order. TurnCase::on_side is by slot.
std::vector<TurnCase> Session::cases_in_turns(std::size_t first) const {
  std::map<std::string, TurnCase> cases;
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::string& name : on_side(slots_[first + i]).cases)
      cases.emplace(name, TurnCase{name, {false, false}}).first->second.on_side.at(i) = true;
  std::vector<TurnCase> in_order;
  in_order.reserve(cases.size());
  for (const auto& [name, each] : cases) in_order.push_back(each);
  SplitMix64(slots_[first].seed).shuffle(in_order);
  return in_order;
}

std::array<SuiteAnswer, 2> Session::ask_benchmark_pair(std::size_t first,
                                                       const std::array<record::Process, 2>& processes,
                                                       const std::array<std::filesystem::path, 2>& folders) {
  const std::optional<BenchmarkProbe>& probe = probed(first, processes);
  std::array<BenchmarkSide, 2> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Slot& slot = slots_[first + i];
    sides[i] = {command_of(slot, processes[i]), job_of(slot), folders[i],
                run_.sides[static_cast<std::size_t>(slot.side)].label};
    sides[i].job.in_turns = probe.has_value();
    sides[i].job.times =
        probe ? benchmark_times_in_turns(run_.plan.profile, probe->longest_call_s) : benchmark_times(run_.plan.profile);
  }
  if (probe) return run_benchmark_pair(std::move(sides), *probe, slots_[first].seed);
  return {run_benchmarks(sides[0].command, sides[0].job, sides[0].scratch),
          run_benchmarks(sides[1].command, sides[1].job, sides[1].scratch)};
}

std::array<SuiteAnswer, 2> Session::ask_suite_pair(std::size_t first, const std::array<record::Process, 2>& processes,
                                                   const std::array<std::filesystem::path, 2>& folders) const {
  std::array<TurnSide, 2> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Slot& slot = slots_[first + i];
    const std::filesystem::path report = folders[i] / report_name;
    sides[i] = {suite_command(slot, processes[i], report), report,
                run_.sides[static_cast<std::size_t>(slot.side)].label};
  }
  return ask_pair(sides, cases_in_turns(first), slots_[first].seed);
}

// The two slots of a pair are next to each other in the schedule.
void Session::start_in_turns(std::size_t first) {
  in_turns_.insert(first + 1);
  std::array<record::Process, 2> processes{planned(first), planned(first + 1)};
  observer_.on_process_started(processes[0], progress());
  const auto take = [&](std::array<SuiteAnswer, 2> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      take_answer(first + i, std::move(processes[i]), std::move(answers[i]));
  };
  const auto folders =
      std::array{process::TemporaryFolder::create(scratch_), process::TemporaryFolder::create(scratch_)};
  for (const auto& folder : folders) {
    if (folder) continue;
    const SuiteAnswer neither = not_started(folder.error().message);
    return take({neither, neither});
  }
  const std::array paths{folders[0]->path(), folders[1]->path()};
  auto answers = on_side(slots_[first]).program ? ask_benchmark_pair(first, processes, paths)
                                                : ask_suite_pair(first, processes, paths);
  if (!answers[0].interrupted && !answers[1].interrupted) take(std::move(answers));
}

}  // namespace torchgate::launch
