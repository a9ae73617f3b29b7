// SPDX-License-Identifier: Apache-2.0
// Cases timed in turns: with the same case in the other process of a pair, or with those of this process that claims compare them with. A
// neighbour that works during one of them alone would make a difference, or break or keep a claim.
#include <algorithm>
#include <list>
#include <random>
#include <utility>

#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/run/shuffle.hpp"

namespace torchgate::bench {
namespace {

/// As a turn of a pair (harness/launch/turns/turn_plan.hpp), but shorter: the same process goes on, and its caches are its own.
constexpr std::int64_t family_turn_ns = 4'000'000;

struct Member {
  const CaseInstance* instance;
  record::CaseResult* result;
  Timed timed;
  std::function<void()> set_library;  ///< as this case left it when it was built
  std::optional<PartedSampling> sampling = {};
  bool done = false;
};

}  // namespace

record::CaseResult CaseRunner::run_in_turns(const GroupCases& group, const CaseInstance& instance,
                                            const std::vector<CaseInstance>& all, TurnGiver& turns) {
  record::CaseResult result;
  std::optional<Timed> timed = prepare_for_timing(group, instance, all, nullptr, result);
  TurnGiver* const asked = may_take_turns(group, instance) ? &turns : nullptr;
  if (timed) stage(instance, result, [&] { time(group, instance, *timed, nullptr, asked, result); });
  timed.reset();
  if (gone_.count(instance.definition.device) == 0)
    stage(instance, result, [&] { backend_.give_memory_back(instance.definition.device); });
  return result;
}

bool CaseRunner::may_take_turns(const GroupCases& group, const CaseInstance& instance) const {
  return world_.size() == 1 && !group.cold_launches() && !group.has_own_process(*instance.variant);
}

bool CaseRunner::may_alternate(const GroupCases& group, const CaseInstance& instance) const {
  return instance.definition.device == "cpu" && may_take_turns(group, instance);
}

bool CaseRunner::lacked_memory(const CaseInstance& instance, const record::CaseResult& result) const {
  if (instance.definition.device == "cpu" || result.status != record::CaseStatus::failed ||
      gone_.count(instance.definition.device) > 0 || result.message.text() == no_host_memory)
    return false;
  // As LibTorch and the CUDA runtime call it; cuBLAS, cuDNN.
  return result.message.text().find("out of memory") != std::string::npos ||
         result.message.text().find("ALLOC_FAILED") != std::string::npos;
}

std::vector<record::CaseResult> CaseRunner::run_family(const GroupCases& group,
                                                       const std::vector<const CaseInstance*>& family,
                                                       const std::vector<CaseInstance>& all, std::uint64_t seed) {
  std::vector<record::CaseResult> results(family.size());
  std::list<Member> members;  // each stays where it is: samplings refer to what is timed
  for (std::size_t i = 0; i < family.size(); ++i) {
    std::optional<Timed> timed = prepare_for_timing(group, *family[i], all, nullptr, results[i]);
    if (timed) members.push_back({family[i], &results[i], *std::move(timed), backend_.keep_settings()});
  }
  const auto do_part = [&](Member& member, const std::function<void()>& work) {
    const bool goes_on = stage(*member.instance, *member.result, [&] {
      member.set_library();
      work();
    });
    member.done = member.done || !goes_on;
  };
  for (Member& member : members) {
    do_part(member, [&] {
      member.sampling.emplace(
          member.timed, [&] { backend_.synchronize(member.instance->definition.device); },
          settings_of(group, *member.instance), clock_);
      member.sampling->begin();
    });
  }
  std::mt19937_64 generator(seed);
  std::vector<Member*> round;
  for (;;) {
    round.clear();
    for (Member& member : members)
      if (!member.done) round.push_back(&member);
    if (round.empty()) break;
    shuffle(round, generator);
    for (Member* member : round) do_part(*member, [&] { member->done = !member->sampling->take_part(family_turn_ns); });
  }
  for (Member& member : members) {
    if (member.result->status != record::CaseStatus::ok) continue;
    stage(*member.instance, *member.result,
          [&] { add_host_times(group, *member.instance, member.sampling->finish(), *member.result); });
  }
  return results;
}

}  // namespace torchgate::bench
