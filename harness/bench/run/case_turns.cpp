// SPDX-License-Identifier: Apache-2.0
// Cases timed in turns: with the same case in the other process of a pair, or with those of this process that claims compare them with. A
// neighbour that works during one of them alone would make a difference, or break or keep a claim.
#include <algorithm>
#include <list>
#include <random>
#include <utility>

#include "harness/bench/run/case_runner.hpp"

namespace torchgate::bench {
namespace {

/// As a turn of a pair (harness/launch/turns/turn_plan.hpp), but shorter: the same process goes on, and its caches are its own.
constexpr std::int64_t family_turn_ns = 4'000'000;

struct Member {
  const Group::Instance* instance;
  record::CaseResult* result;
  Timed timed;
  std::function<void()> set_library;  ///< as this case left it when it was built
  std::optional<PartedSampling> sampling = {};
  bool done = false;
};

}  // namespace

record::CaseResult CaseRunner::run_in_turns(const Group& group, const Group::Instance& instance,
                                            const std::vector<Group::Instance>& all, TurnGiver& turns) {
  turns_ = &turns;
  record::CaseResult result = run(group, instance, all);
  turns_ = nullptr;
  return result;
}

// A turn holds some dozens of samples whatever the settings say of one.
Samples CaseRunner::sample_turns(Timed& timed, const std::string& device_name, const SamplerSettings& settings) {
  SamplerSettings longer = settings;
  longer.sample_least_ns = std::max(settings.sample_least_ns, turn_sample_least_ns);
  return sample_in_turns(
      timed, [&] { backend_.synchronize(device_name); }, longer, clock_, *turns_);
}

bool CaseRunner::may_alternate(const Group& group, const Group::Instance& instance) const {
  return instance.definition.device == "cpu" && world_.size() == 1 && !group.cold_launches() &&
         !group.has_own_process(*instance.variant);
}

std::vector<record::CaseResult> CaseRunner::run_family(const Group& group,
                                                       const std::vector<const Group::Instance*>& family,
                                                       const std::vector<Group::Instance>& all, std::uint64_t seed) {
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
    for (std::size_t i = round.size(); i > 1; --i) std::swap(round[i - 1], round[generator() % i]);
    for (Member* member : round) do_part(*member, [&] { member->done = !member->sampling->take_part(family_turn_ns); });
  }
  for (Member& member : members) {
    if (member.result->status != record::CaseStatus::ok) continue;
    stage(*member.instance, *member.result,
          [&] { add_host_times(group, *member.instance, member.sampling->finish(), false, *member.result); });
  }
  return results;
}

}  // namespace torchgate::bench
