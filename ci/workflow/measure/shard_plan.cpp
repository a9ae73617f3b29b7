// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/shard_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/named_output.hpp"
#include "harness/base/pattern.hpp"
#include "harness/json/fields.hpp"
#include "harness/record/sampling.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::int64_t most_shard_plan_bytes = std::int64_t{16} << 20;

// As the file has it: each group with its time.
struct GroupTime {
  std::string group;
  double seconds = 0;
  std::string from;
};
struct ShardPlanFile {
  record::Plan plan;
  std::vector<std::vector<GroupTime>> shards;
};

constexpr json::Table group_fields{
    json::of<GroupTime>,
    json::required("group", &GroupTime::group, json::name),
    json::always("seconds", &GroupTime::seconds, json::in_seconds),
    json::always("from", &GroupTime::from, json::name),
};

void check_shards(json::JsonReader& reader, const ShardPlanFile& file) {
  if (file.shards.empty()) reader.fail("expected at least one shard");
}

template <class Member>
constexpr auto in_plan(Member member) {
  return json::inside(&ShardPlanFile::plan, member);
}

constexpr json::Table shard_plan_fields{
    json::checked<ShardPlanFile>(check_shards),
    json::schema("torchgate.shards/1"),
    json::required("profile", in_plan(&record::Plan::profile), json::name),
    json::required("filter", in_plan(&record::Plan::filter),
                   [](json::JsonReader& reader) { return reader.string(base::max_pattern_bytes); }),
    json::required("processes", in_plan(&record::Plan::processes), json::integer(1, base::max_processes_per_group)),
    json::required("seed", in_plan(&record::Plan::seed), json::unsigned_integer),
    json::required("shards", &ShardPlanFile::shards,
                   json::list_of(base::max_shards, json::list_of(base::max_groups, json::object_of<group_fields>))),
    json::optional("warmup_calls", in_plan(&record::Plan::warmup_calls), json::counted_from_1),
    json::optional("samples", in_plan(&record::Plan::samples), json::counted_from_1),
};

// Enough to include every recently measured group, and few enough to read in about two seconds.
constexpr std::size_t past_runs = 12;

void keep_newest(std::vector<record::Run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.created > b.created; });
  if (runs.size() > past_runs) runs.resize(past_runs);
}

// The newest runs of one side here and in the store, newest first. Unreadable runs are ignored.
std::vector<record::Run> past(const policy::Baseline& policy) {
  std::vector<record::Run> runs = Workspace().recent(past_runs);
  if (const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing)) {
    if (const auto entries = (*store)->list({})) {
      for (std::size_t i = entries->size(); i > 0 && entries->size() - i < past_runs; --i)
        if (auto run = (*store)->load((*entries)[i - 1].id)) runs.push_back(*std::move(run));
    }
  }
  std::erase_if(runs, [](const record::Run& run) { return run.sides.size() != 1; });
  keep_newest(runs);
  return runs;
}

}  // namespace

std::string to_json(const ShardPlan& plan) {
  ShardPlanFile file{plan.plan, {}};
  for (const auto& groups : plan.plan.division) {
    auto& shard = file.shards.emplace_back();
    for (const std::string& group : groups) shard.push_back({group, plan.seconds.at(group), plan.source.at(group)});
  }
  return json::write_document<shard_plan_fields>(file);
}

Result<ShardPlan> shard_plan_from_json(std::string_view text, const std::string& where) {
  auto file = json::read_document<shard_plan_fields>(text, where);
  if (!file) return file.error();
  ShardPlan plan{std::move(file->plan), {}, {}};
  for (const auto& shard : file->shards) {
    auto& groups = plan.plan.division.emplace_back();
    for (const GroupTime& each : shard) {
      if (!plan.seconds.emplace(each.group, each.seconds).second)
        return Error{ErrorCode::bad_input, where + ": duplicate group " + base::in_quotes(each.group)};
      plan.source.emplace(each.group, each.from);
      groups.push_back(each.group);
    }
  }
  plan.plan.shards = static_cast<std::int64_t>(plan.plan.division.size());
  return plan;
}

Result<ShardPlan> load_shard_plan(const std::filesystem::path& file) {
  const auto text = base::read_file(file, most_shard_plan_bytes);
  if (!text) return text.error();
  return shard_plan_from_json(*text, file.string());
}

ShardPlan make_shard_plan(const launch::Request& request, const launch::Forecast& forecast, std::int64_t shards,
                          const std::vector<record::Run>& past) {
  ShardPlan result;
  result.plan.profile = request.plan.profile;
  result.plan.filter = request.plan.filter;
  result.plan.processes = request.plan.processes;
  result.plan.warmup_calls = request.plan.warmup_calls;
  result.plan.samples = request.plan.samples;
  result.plan.seed = request.plan.seed;
  result.plan.shards = shards;
  std::vector<launch::GroupWeight> weights = forecast.weights;
  for (const launch::GroupWeight& group : weights) {
    result.seconds[group.name] = group.seconds;
    result.source[group.name] = "estimate";
  }
  for (auto run = past.rbegin(); run != past.rend(); ++run) {  // newest last, so that its times are kept
    if (!record::take_as_long(run->plan, request.plan)) continue;
    for (const auto& [group, seconds] : launch::group_seconds(*run)) {
      if (!result.seconds.contains(group)) continue;
      result.seconds[group] = seconds;
      result.source[group] = run->id;
    }
  }
  for (launch::GroupWeight& group : weights) group.seconds = result.seconds.at(group.name);
  result.plan.division = launch::divide(std::move(weights), shards);
  return result;
}

Result<std::pair<std::int64_t, std::int64_t>> parse_shard(const std::string& text) {
  std::int64_t shard = 0;
  std::int64_t shards = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard);
  const bool divided = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = divided ? std::from_chars(first.ptr + 1, end, shards) : first;
  if (!divided || second.ec != std::errc() || second.ptr != end || shard < 1 || shards < 2 || shard > shards ||
      shards > base::max_shards)
    return Error{ErrorCode::bad_input,
                 fmt::format("--shard \"{}\": expected i/n, such as 2/4, with i from 1 to n and n from 2 to {}", text,
                             base::max_shards)};
  return std::pair(shard, shards);
}

Result<void> use_shard(const ShardChoice& choice, launch::Request& request) {
  const auto shard = parse_shard(choice.shard);
  if (!shard) return shard.error();
  record::Plan& plan = request.plan;
  if (choice.plan_file) {
    const auto file = load_shard_plan(*choice.plan_file);
    if (!file) return file.error();
    const auto differs = [&](const char* what) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} contradicts {}; remove the flag or write a new plan", what, *choice.plan_file)};
    };
    if (file->plan.shards != shard->second) return differs(("--shard " + choice.shard).c_str());
    if (choice.effort.filter != Effort{}.filter && choice.effort.filter != file->plan.filter)
      return differs("--filter");
    if (choice.effort.profile != Effort{}.profile && choice.effort.profile != file->plan.profile)
      return differs(("--" + choice.effort.profile).c_str());
    if (choice.effort.seed && *choice.effort.seed != file->plan.seed) return differs("--seed");
    if (choice.effort.warmup_calls && choice.effort.warmup_calls != file->plan.warmup_calls) return differs("--warmup");
    if (choice.effort.samples && choice.effort.samples != file->plan.samples) return differs("--samples");
    plan.profile = file->plan.profile;
    plan.filter = file->plan.filter;
    plan.processes = file->plan.processes;
    plan.warmup_calls = file->plan.warmup_calls;
    plan.samples = file->plan.samples;
    plan.seed = file->plan.seed;
    plan.division = file->plan.division;
  }
  plan.shard = shard->first;
  plan.shards = shard->second;
  if (!choice.plan_file && !choice.effort.seed) plan.seed = launch::common_seed(plan, request.sides.front().source);
  return {};
}

Result<ShardPlan> write_shard_plan(const std::filesystem::path& file, std::int64_t shards,
                                   const launch::Request& request, const policy::Baseline& policy) {
  const auto forecast = launch::forecast(request);
  if (!forecast) return forecast.error();
  ShardPlan plan = make_shard_plan(request, *forecast, shards, past(policy));
  if (auto written = base::write_output_file(file, to_json(plan)); !written) return written.error();
  return plan;
}

}  // namespace torchgate::workflow
