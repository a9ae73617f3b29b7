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

bool Session::takes_turns(const Slot& slot) const {
  const std::vector<GroupOnSide>& sides = groups_[slot.group].sides;
  return request_.turns && slot.pair && sides.size() == 2 &&
         std::all_of(sides.begin(), sides.end(), [](const GroupOnSide& side) { return side.takes_turns; }) &&
         (sides[0].program == nullptr) == (sides[1].program == nullptr);
}

// What is known of a family before its first pair is so for all of its pairs: repetitions of as many calls.
const BenchmarkProbe& Session::probed(const Slot& slot, const record::Process& process) {
  const auto known = probes_.find(slot.group);
  if (known != probes_.end()) return known->second;
  const auto folder = process::TemporaryFolder::create(scratch_);
  const BenchmarkProbe probe =
      folder ? probe_benchmarks(command_of(slot, process), job_of(slot), folder->path()) : BenchmarkProbe{};
  return probes_.emplace(slot.group, probe).first->second;
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
  const BenchmarkProbe& probe = probed(slots_[first], processes[0]);
  std::array<BenchmarkSide, 2> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Slot& slot = slots_[first + i];
    sides[i] = {command_of(slot, processes[i]), job_of(slot), folders[i],
                run_.sides[static_cast<std::size_t>(slot.side)].label};
    sides[i].job.times = benchmark_times_in_turns(run_.plan.profile, probe.longest_call_s);
    sides[i].job.in_turns = true;
  }
  return run_benchmark_pair(std::move(sides), probe.one_thread, slots_[first].seed);
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
