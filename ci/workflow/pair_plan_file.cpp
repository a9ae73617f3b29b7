// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pair_plan_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::workflow {
namespace {

constexpr const char* pair_plan_schema = "torchgate.plan/1";
constexpr std::int64_t most_pair_plan_bytes = std::int64_t{16} << 20;

std::uint64_t common_seed(const record::Run& baseline, const record::Run& current) {
  constexpr std::size_t digits = 13;  // of four bits: below 2^53, exact in every JSON reader
  constexpr int hexadecimal = 16;
  return std::stoull(base::sha256(baseline.id + current.id).substr(0, digits), nullptr, hexadecimal);
}

}  // namespace

PairPlanFile make_pair_plan(std::vector<std::string> suspects, const record::Run& baseline, const record::Run& current,
                            std::optional<std::uint64_t> seed, const policy::Policy& policy) {
  PairPlanFile plan;
  plan.confirms.run = current.id;
  plan.confirms.baseline = baseline.id;
  plan.confirms.family = static_cast<std::int64_t>(gate::family_of(current, suspects, policy));
  plan.cases = std::move(suspects);
  plan.pairs = std::max(policy.pairs, gate::fewest_pairs(static_cast<std::size_t>(plan.confirms.family), policy).pairs);
  plan.profile = current.plan.profile;
  plan.seed = seed.value_or(common_seed(baseline, current));
  return plan;
}

std::string to_json(const PairPlanFile& plan) {
  const nlohmann::ordered_json json{{"schema", pair_plan_schema},
                                    {"run", plan.confirms.run},
                                    {"baseline", plan.confirms.baseline},
                                    {"family", plan.confirms.family},
                                    {"pairs", plan.pairs},
                                    {"profile", plan.profile},
                                    {"seed", plan.seed},
                                    {"cases", plan.cases}};
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
                    plan.confirms.family = reader.integer(1);
                  } else if (key == "pairs") {
                    plan.pairs = reader.integer(1);
                  } else if (key == "profile") {
                    plan.profile = reader.name();
                  } else if (key == "seed") {
                    plan.seed = reader.unsigned_integer();
                  } else if (key == "cases") {
                    reader.array(base::max_cases, [&](std::int64_t) { plan.cases.push_back(reader.name()); });
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
