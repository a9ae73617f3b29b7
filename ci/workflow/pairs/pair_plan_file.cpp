// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pair_plan_file.hpp"

#include <algorithm>
#include <utility>

#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/measure/measured_time.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/json/fields.hpp"
#include "stats/rules.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::int64_t most_pair_plan_bytes = std::int64_t{16} << 20;

std::uint64_t common_seed(const record::Run& baseline, const record::Run& current) {
  constexpr std::size_t digits = 13;  // of four bits: below 2^53, exact in every JSON reader
  constexpr int hexadecimal = 16;
  return std::stoull(base::sha256(baseline.id + current.id).substr(0, digits), nullptr, hexadecimal);
}

constexpr auto name_list = json::list_of(base::max_cases, json::name);

template <class Member>
constexpr auto in_confirms(Member member) {
  return json::inside(&PairPlanFile::confirms, member);
}

constexpr json::Table pair_plan_fields{
    json::of<PairPlanFile>,
    json::schema("torchgate.plan/1"),
    json::required("run", in_confirms(&record::Confirms::run), json::name),
    json::required("baseline", in_confirms(&record::Confirms::baseline), json::name),
    json::required("family", in_confirms(&record::Confirms::family), json::counted),
    json::required("pairs", &PairPlanFile::pairs, json::integer(1, base::max_pairs)),
    json::required("profile", &PairPlanFile::profile, json::name),
    json::required("seed", &PairPlanFile::seed, json::unsigned_integer),
    json::required("cases", &PairPlanFile::cases, name_list),
    json::always("open", in_confirms(&record::Confirms::open), name_list),
    json::always("open_family", in_confirms(&record::Confirms::open_family), json::counted),
    json::always("open_budget_s", in_confirms(&record::Confirms::open_budget_s), json::in_seconds),
    json::always("budget_s", &PairPlanFile::budget_s, json::in_seconds),
    json::always("budget_pairs", &PairPlanFile::budget_pairs, json::counted),
    json::optional("pooled", in_confirms(&record::Confirms::pooled), name_list),
    json::optional("baseline_commit", &PairPlanFile::baseline_commit, json::name),
    json::optional("since", &PairPlanFile::since, json::name),
    json::optional("warmup_calls", &PairPlanFile::warmup_calls, json::counted_from_1),
    json::optional("samples", &PairPlanFile::samples, json::counted_from_1),
};

// A run of milliseconds says nothing of how long pairs take: starting processes, and what else the machine does, take longer.
constexpr double least_open_budget_s = 30;

// The time for open cases, of a budget that is as long as the run, and not shorter than that. Where pairs alone decide, the screen has decided nothing before, and the
// run's number of processes is too few pairs for most answers.
double open_budget_s(const record::Run& run, const policy::Gate& policy) {
  const double seconds = std::max(least_open_budget_s, seconds_of_processes(run));
  if (!stats::find_rule(policy.rule)->needs_pairs()) return seconds;
  return seconds *
         std::max(1.0, 2 * pairs_for_most_answers / static_cast<double>(std::max<std::int64_t>(run.plan.processes, 1)));
}

// Of the two classes: the pairs below which one of them could not show any regression.
std::int64_t most_needed(const record::Confirms& confirms, const policy::Gate& policy) {
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
                            std::optional<std::uint64_t> seed, const policy::CaseGates& policy) {
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
  plan.warmup_calls = current.plan.warmup_calls;
  plan.samples = current.plan.samples;
  plan.seed = seed.value_or(common_seed(baseline, current));
  return plan;
}

std::string to_json(const PairPlanFile& plan) {
  return json::write_document<pair_plan_fields>(plan);
}

base::Result<PairPlanFile> pair_plan_from_json(std::string_view text, const std::string& where) {
  return json::read_document<pair_plan_fields>(text, where);
}

base::Result<PairPlanFile> load_pair_plan(const std::filesystem::path& file) {
  const auto text = base::read_file(file, most_pair_plan_bytes);
  if (!text) return text.error();
  return pair_plan_from_json(*text, file.string());
}

}  // namespace torchgate::workflow
