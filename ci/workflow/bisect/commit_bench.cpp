// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/commit_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "ci/gate/pairs/pair_count.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/follow_up.hpp"
#include "ci/workflow/workspace/unfinished.hpp"
#include "ci/workflow/workspace/workspace.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

const char* folder_of(Place place) {
  switch (place) {
    case Place::good:
      return "old";
    case Place::bad:
      return "new";
    case Place::step:
      return "mid";
    case Place::parent:
      return "par";
    case Place::commit:
      return "com";
  }
  return "mid";
}

Error no_measurement(const record::Run& run) {
  return {ErrorCode::interrupted, fmt::format("interrupted after {} pairs", pairs_in(run))};
}

}  // namespace

base::Result<void> CommitBench::build(Place place, const NamedCommit& commit) {
  built_.erase(place);
  auto built = build_commit(repository_, commit, recipe_, folder_.path() / folder_of(place), narrator_);
  if (!built) return built.error();
  built_.emplace(place, std::move(built).value());
  return {};
}

base::Result<std::map<std::string, std::string>> CommitBench::cases_at(Place place) const {
  launch::Request request = workflow::request(effort_, policy_);
  request.sides = {side("run", at(place).suites, at(place).source)};
  const auto forecast = launch::forecast(request);
  if (!forecast) return forecast.error();
  std::map<std::string, std::string> cases;
  for (const record::Case& each : forecast->cases) cases.emplace(each.name, each.skipped.value_or(""));
  return cases;
}

launch::Request CommitBench::request(Place before, Place after, const std::vector<std::string>& cases) const {
  launch::Request request = workflow::request(effort_, policy_);
  request.sides = {side("before", at(before).suites, at(before).source),
                   side("after", at(after).suites, at(after).source)};
  request.only_cases = cases;
  return request;
}

base::Result<record::Run> CommitBench::full_pairs(Place before, Place after, const std::vector<std::string>& cases,
                                                  AfterPairs after_pairs) {
  launch::Request request = this->request(before, after, cases);
  request.plan.processes = policy_.pairs;
  request.fewest_processes = [this](const record::Run& planned) { return gate::fewest_pairs(planned, policy_).pairs; };
  choose_by(gate::PairRounds(policy_), request);
  auto run = measure(request, narrator_);
  if (!run) return run.error();
  if (after_pairs == AfterPairs::follow_up && !run->interrupted) follow_up(request, policy_, *run, narrator_);
  if (run->interrupted) return no_measurement(*run);
  const auto saved = save_finished(Workspace(), *run, std::nullopt);
  if (!saved) return saved.error();
  return run;
}

base::Result<record::Run> CommitBench::pairs(Place before, Place after, const std::vector<std::string>& cases,
                                             std::int64_t most, std::shared_ptr<launch::Rounds> rounds) {
  launch::Request request = this->request(before, after, cases);
  request.plan.processes = most;
  request.rounds = std::move(rounds);
  auto run = measure(request, narrator_);
  if (run && run->interrupted) return no_measurement(*run);
  return run;
}

std::int64_t pairs_in(const record::Run& run) {
  return std::count_if(run.processes.begin(), run.processes.end(), [](const record::Process& each) {
    return each.side == 1 && each.rank.value_or(0) == 0 && each.status != record::ProcessStatus::not_started;
  });
}

}  // namespace torchgate::workflow
