// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/measuring.hpp"

#include <memory>
#include <set>
#include <utility>

#include "ci/git/repository.hpp"
#include "ci/git/tracked_files.hpp"
#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/launched_files.hpp"
#include "ci/workflow/workspace/unfinished.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/launch/allocator.hpp"
#include "harness/machine/facts.hpp"
#include "harness/process/interrupt.hpp"

namespace torchgate::workflow {
namespace {

// harness/launch does not depend on verdicts, and ci/gate does not depend on the launcher.
class RoundsOfPairs final : public launch::Rounds {
 public:
  explicit RoundsOfPairs(gate::PairRounds rounds) : rounds_(std::move(rounds)) {}
  std::set<std::string> next(const record::Run& so_far) override { return rounds_.next(so_far); }
  [[nodiscard]] std::optional<launch::RoundsSoFar> so_far() const override {
    const gate::PairRounds::Progress progress = rounds_.progress();
    return launch::RoundsSoFar{progress.pairs,   progress.most_pairs, progress.cases,
                               progress.decided, progress.spent_s,    progress.expected_s};
  }

 private:
  gate::PairRounds rounds_;
};

launch::RanksWith ranks_with(policy::RanksWith with) {
  switch (with) {
    case policy::RanksWith::automatic:
      return launch::RanksWith::automatic;
    case policy::RanksWith::torchgate:
      return launch::RanksWith::torchgate;
    case policy::RanksWith::srun:
      return launch::RanksWith::srun;
  }
  return launch::RanksWith::torchgate;
}

// What every process of a measurement gets.
void set_environment(const policy::Run& settings, launch::Request& request) {
  request.environment = {{"OMP_NUM_THREADS", std::to_string(settings.threads)}};
  const bool steady = settings.allocator == policy::Allocator::steady;
  for (record::Parameter& variable :
       launch::allocator_environment(steady ? launch::Allocator::steady : launch::Allocator::system))
    request.environment.push_back(std::move(variable));
  request.unset = {"MKL_NUM_THREADS", "PGPASSWORD"};  // the password of the store
}

}  // namespace

record::Source source_here() {
  const auto repository = git::Repository::open(".");
  if (!repository) return {};
  const auto head = repository->head();
  if (!head) return {};
  return {head->commit, head->modified, head->branch, head->modified_files};
}

std::optional<std::string> source_unknown_because() {
  const auto repository = git::enclosing_repository(".");
  if (!repository) return repository.error().message;
  if (!*repository) return std::nullopt;
  const auto head = (*repository)->head();
  return head ? std::nullopt : std::optional(head.error().message);
}

launch::Request request(const Effort& effort, const policy::Policy& policy) {
  launch::Request request;
  request.plan.profile = effort.profile;
  request.plan.filter = effort.filter;
  request.plan.processes = policy.processes;
  request.plan.warmup_calls = effort.warmup_calls;
  request.plan.samples = effort.samples;
  request.plan.seed = effort.seed.value_or(launch::fresh_seed());
  request.plan.group_limit_s = policy.group_limit_s;
  request.plan.total_limit_s = policy.total_limit_s;
  if (effort.instructions) {
    const launch::Counter counter = effort.counter == "callgrind"  ? launch::Counter::callgrind
                                    : effort.counter == "hardware" ? launch::Counter::hardware
                                                                   : launch::Counter::any;
    request.count = launch::count_request(counter, effort.profile);
  }
  request.better = directions_of(policy);
  request.tool_version = version;
  request.allow_noisy = policy.allow_noisy;
  request.ranks_with = ranks_with(policy.ranks_with);
  request.device_metric = name_of(policy.device_metric);
  set_environment(policy, request);
  return request;
}

record::Machine machine_here(const policy::Run& settings) {
  launch::Request request;
  set_environment(settings, request);
  return machine::collect_machine(launch::sources_of(request));
}

launch::SideRequest side(const std::string& label, const std::vector<std::string>& suites, record::Source source) {
  launch::SideRequest side;
  side.label = label;
  side.suites.assign(suites.begin(), suites.end());
  side.source = std::move(source);
  return side;
}

void remember_suites(const launch::Request& request, Narrator& narrator) {
  LaunchedFiles list(Workspace().launched());
  for (const launch::SideRequest& side : request.sides) {
    if (const auto added = list.add_suites(side.suites); !added) narrator.warning(added.error().message);
  }
}

void choose_by(gate::PairRounds rounds, launch::Request& pairs) {
  pairs.rounds = std::make_shared<RoundsOfPairs>(std::move(rounds));
}

base::Result<record::Run> measure(const launch::Request& request, Narrator& narrator, RunLog* log) {
  // Every run is saved here: an error in its name or in writing it must appear before minutes of measuring, not after.
  // Commands check --save earlier; the name in the journal of a resumed run is checked here.
  if (auto valid = check_save_name(save_name(request)); !valid) return valid.error();
  if (auto writable = Workspace().check_writable(); !writable) return writable.error();
  const process::InterruptScope interruptible;
  const std::unique_ptr<launch::Observer> progress = narrator.progress();
  LaunchedFiles list(Workspace().launched());
  bool kept = true;
  launch::Request remembered = request;
  // The files of a confirmation are already listed, or are temporary copies from the store.
  if (!request.plan.confirms)
    remembered.launched = [&](const std::vector<launch::FileHash>& files) {
      const auto added = list.add(files);
      if (!added && std::exchange(kept, false)) narrator.warning(added.error().message);
    };
  if (log == nullptr) return launch::measure(remembered, *progress);
  log->pass_on_to(*progress);
  auto run = launch::measure(remembered, *log);
  log->end(run);
  return run;
}

}  // namespace torchgate::workflow
