// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/shard_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/pattern.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

constexpr const char* shard_plan_schema = "torchgate.shards/1";
constexpr std::int64_t most_shard_plan_bytes = std::int64_t{16} << 20;

// Enough to include every recently measured group, and few enough to read in about two seconds.
constexpr std::size_t past_runs = 12;

void keep_newest(std::vector<record::Run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.created > b.created; });
  if (runs.size() > past_runs) runs.resize(past_runs);
}

// The newest runs of one side here and in the store, newest first. Unreadable runs are ignored.
std::vector<record::Run> past(const policy::Policy& policy) {
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
  nlohmann::ordered_json json{{"schema", shard_plan_schema}, {"profile", plan.plan.profile},
                              {"filter", plan.plan.filter},  {"processes", plan.plan.processes},
                              {"seed", plan.plan.seed},      {"shards", nlohmann::ordered_json::array()}};
  for (const auto& groups : plan.plan.division) {
    auto shard = nlohmann::ordered_json::array();
    for (const std::string& group : groups)
      shard.push_back({{"group", group}, {"seconds", plan.seconds.at(group)}, {"from", plan.source.at(group)}});
    json["shards"].push_back(std::move(shard));
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Result<ShardPlan> shard_plan_from_json(std::string_view text, const std::string& where) {
  json::JsonReader reader(text, where);
  ShardPlan plan;
  const auto read_group = [&] {
    std::string name;
    double seconds = 0;
    std::string from;
    reader.object({"group"}, [&](std::string_view key) {
      if (key == "group")
        name = reader.name();
      else if (key == "seconds")
        seconds = reader.number(0, base::max_seconds);
      else if (key == "from")
        from = reader.name();
      else
        reader.skip();
    });
    if (!plan.seconds.emplace(name, seconds).second) reader.fail("duplicate group " + base::in_quotes(name));
    plan.source.emplace(name, from);
    plan.plan.division.back().push_back(name);
  };
  reader.object({"schema", "profile", "filter", "processes", "seed", "shards"}, [&](std::string_view key) {
    if (key == "schema") {
      if (const std::string is = reader.string(); !reader.failed() && is != shard_plan_schema)
        reader.fail("expected " + std::string(shard_plan_schema) + ", found " + base::in_quotes(is));
    } else if (key == "profile") {
      plan.plan.profile = reader.name();
    } else if (key == "filter") {
      plan.plan.filter = reader.string(base::max_pattern_bytes);
    } else if (key == "processes") {
      plan.plan.processes = reader.integer(1, base::max_processes_per_group);
    } else if (key == "seed") {
      plan.plan.seed = reader.unsigned_integer();
    } else if (key == "shards") {
      reader.array(base::max_shards, [&](std::int64_t) {
        plan.plan.division.emplace_back();
        reader.array(base::max_groups, [&](std::int64_t) { read_group(); });
      });
    } else {
      reader.skip();
    }
  });
  reader.end();
  if (!reader.failed() && plan.plan.division.empty()) reader.fail("expected at least one shard");
  if (reader.failed()) return reader.error();
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
  result.plan.seed = request.plan.seed;
  result.plan.shards = shards;
  std::vector<launch::GroupWeight> weights = forecast.weights;
  for (const launch::GroupWeight& group : weights) {
    result.seconds[group.name] = group.seconds;
    result.source[group.name] = "estimate";
  }
  for (auto run = past.rbegin(); run != past.rend(); ++run) {  // newest last, so that its times are kept
    if (run->plan.profile != request.plan.profile) continue;
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
    plan.profile = file->plan.profile;
    plan.filter = file->plan.filter;
    plan.processes = file->plan.processes;
    plan.seed = file->plan.seed;
    plan.division = file->plan.division;
  }
  plan.shard = shard->first;
  plan.shards = shard->second;
  if (!choice.plan_file && !choice.effort.seed) plan.seed = launch::common_seed(plan, request.sides.front().source);
  return {};
}

Result<ShardPlan> write_shard_plan(const std::filesystem::path& file, std::int64_t shards,
                                   const launch::Request& request, const policy::Policy& policy) {
  const auto forecast = launch::forecast(request);
  if (!forecast) return forecast.error();
  ShardPlan plan = make_shard_plan(request, *forecast, shards, past(policy));
  if (auto written = base::write_file_atomically(file, to_json(plan), true); !written) return written.error();
  return plan;
}

}  // namespace torchgate::workflow
