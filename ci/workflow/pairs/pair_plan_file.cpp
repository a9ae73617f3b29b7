// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pair_plan_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/measure/measured_time.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/json/json_reader.hpp"
#include "stats/rules.hpp"

namespace torchgate::workflow {
namespace {

constexpr const char* pair_plan_schema = "torchgate.plan/1";
constexpr std::int64_t most_pair_plan_bytes = std::int64_t{16} << 20;

std::uint64_t common_seed(const record::Run& baseline, const record::Run& current) {
  constexpr std::size_t digits = 13;  // of four bits: below 2^53, exact in every JSON reader
  constexpr int hexadecimal = 16;
  return std::stoull(base::sha256(baseline.id + current.id).substr(0, digits), nullptr, hexadecimal);
}

std::optional<double> seconds_or_null(json::JsonReader& reader) {
  if (reader.null()) return std::nullopt;
  return reader.number(0, base::max_seconds);
}

// A run of milliseconds says nothing of how long pairs take: starting processes, and what else the machine does, take longer.
constexpr double least_open_budget_s = 30;

// The time for open cases, of a budget that is as long as the run, and not shorter than that. Where pairs alone decide, the screen has decided nothing before, and the
// run's number of processes is too few pairs for most answers.
double open_budget_s(const record::Run& run, const policy::Policy& policy) {
  const double seconds = std::max(least_open_budget_s, seconds_of_processes(run));
  if (!stats::find_rule(policy.rule)->needs_pairs()) return seconds;
  return seconds *
         std::max(1.0, 2 * pairs_for_most_answers / static_cast<double>(std::max<std::int64_t>(run.plan.processes, 1)));
}

// Of the two classes: the pairs below which one of them could not show any regression.
std::int64_t most_needed(const record::Confirms& confirms, const policy::Policy& policy) {
  const gate::AlphaShares shares = gate::alpha_shares(confirms.family, confirms.open_family);
  std::int64_t pairs = 0;
  for (const auto& [family, share] :
       {std::pair{confirms.family, shares.suspects}, {confirms.open_family, shares.open}}) {
    if (family > 0) pairs = std::max(pairs, gate::fewest_pairs(static_cast<std::size_t>(family), policy, share).pairs);
  }
  return pairs;
}

}  // namespace

std::vector<std::string> PairPlanFile::all_cases() const {
  std::vector<std::string> all = cases;
  all.insert(all.end(), confirms.open.begin(), confirms.open.end());
  return all;
}

std::vector<std::string> PairPlanFile::baseline_runs() const {
  std::vector<std::string> runs{confirms.baseline};
  runs.insert(runs.end(), confirms.pooled.begin(), confirms.pooled.end());
  return runs;
}

PairPlanFile make_pair_plan(gate::PairCases cases, const record::Run& baseline, const record::Run& current,
                            std::optional<std::uint64_t> seed, const policy::Policy& policy) {
  PairPlanFile plan;
  plan.confirms.run = current.id;
  plan.confirms.baseline = baseline.id;
  plan.baseline_commit = baseline.sides.front().source.commit;
  const policy::GateBudget budget = policy::parse_gate_budget(policy.budget).value();  // the key takes nothing else
  if (!budget.open_cases) cases.open.clear();
  plan.budget_s = policy::seconds_for_pairs(budget.total.seconds, policy.count_undecided);
  plan.budget_pairs = budget.total.pairs;
  if (budget.as_long_as_the_run && !cases.open.empty())
    plan.confirms.open_budget_s = policy::seconds_for_pairs(open_budget_s(current, policy), policy.count_undecided);
  plan.confirms.family = static_cast<std::int64_t>(gate::family_of(current, cases.suspects, policy));
  plan.confirms.open_family = static_cast<std::int64_t>(gate::family_of(current, cases.open, policy));
  plan.cases = std::move(cases.suspects);
  plan.confirms.open = std::move(cases.open);
  plan.pairs = std::max(policy.pairs, most_needed(plan.confirms, policy));
  plan.profile = current.plan.profile;
  plan.seed = seed.value_or(common_seed(baseline, current));
  return plan;
}

std::string to_json(const PairPlanFile& plan) {
  nlohmann::ordered_json json{{"schema", pair_plan_schema},
                              {"run", plan.confirms.run},
                              {"baseline", plan.confirms.baseline},
                              {"family", plan.confirms.family},
                              {"pairs", plan.pairs},
                              {"profile", plan.profile},
                              {"seed", plan.seed},
                              {"cases", plan.cases}};
  const auto or_null = [](const auto& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  json["open"] = plan.confirms.open;
  json["open_family"] = plan.confirms.open_family;
  json["open_budget_s"] = or_null(plan.confirms.open_budget_s);
  json["budget_s"] = or_null(plan.budget_s);
  json["budget_pairs"] = or_null(plan.budget_pairs);
  if (!plan.confirms.pooled.empty()) json["pooled"] = plan.confirms.pooled;
  if (plan.baseline_commit) json["baseline_commit"] = *plan.baseline_commit;
  if (plan.since) json["since"] = *plan.since;
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

base::Result<PairPlanFile> pair_plan_from_json(std::string_view text, const std::string& where) {
  json::JsonReader reader(text, where);
  PairPlanFile plan;
  reader.object({"schema", "run", "baseline", "family", "pairs", "profile", "seed", "cases"},
                [&](std::string_view key) {
                  if (key == "schema") {
                    if (const std::string is = reader.string(); !reader.failed() && is != pair_plan_schema)
                      reader.fail("expected " + std::string(pair_plan_schema) + ", found " + base::in_quotes(is));
                  } else if (key == "run") {
                    plan.confirms.run = reader.name();
                  } else if (key == "baseline") {
                    plan.confirms.baseline = reader.name();
                  } else if (key == "family") {
                    plan.confirms.family = reader.integer(0, base::max_count);
                  } else if (key == "pairs") {
                    plan.pairs = reader.integer(1, base::max_pairs);
                  } else if (key == "profile") {
                    plan.profile = reader.name();
                  } else if (key == "seed") {
                    plan.seed = reader.unsigned_integer();
                  } else if (key == "cases") {
                    reader.array(base::max_cases, [&](std::int64_t) { plan.cases.push_back(reader.name()); });
                  } else if (key == "open") {
                    reader.array(base::max_cases, [&](std::int64_t) { plan.confirms.open.push_back(reader.name()); });
                  } else if (key == "open_family") {
                    plan.confirms.open_family = reader.integer(0, base::max_count);
                  } else if (key == "open_budget_s") {
                    plan.confirms.open_budget_s = seconds_or_null(reader);
                  } else if (key == "budget_s") {
                    plan.budget_s = seconds_or_null(reader);
                  } else if (key == "budget_pairs") {
                    if (!reader.null()) plan.budget_pairs = reader.integer(0, base::max_count);
                  } else if (key == "pooled") {
                    reader.array(base::max_cases, [&](std::int64_t) { plan.confirms.pooled.push_back(reader.name()); });
                  } else if (key == "baseline_commit") {
                    plan.baseline_commit = reader.name();
                  } else if (key == "since") {
                    plan.since = reader.name();
                  } else {
                    reader.skip();
                  }
                });
  reader.end();
  if (reader.failed()) return reader.error();
  return plan;
}

base::Result<PairPlanFile> load_pair_plan(const std::filesystem::path& file) {
  const auto text = base::read_file(file, most_pair_plan_bytes);
  if (!text) return text.error();
  return pair_plan_from_json(*text, file.string());
}

}  // namespace torchgate::workflow
