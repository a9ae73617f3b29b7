// SPDX-License-Identifier: Apache-2.0
// Counts what the rules of claims.hpp call in simulated runs.
#include <algorithm>
#include <cmath>

#include "stats/moderated_variance.hpp"
#include "stats/quantile.hpp"
#include "tests/simulations/claim_noise.hpp"
#include "tests/simulations/claims.hpp"
#include "tests/simulations/share.hpp"
#include "tests/simulations/table.hpp"

namespace torchgate::simulations {
namespace {

constexpr std::size_t few_claims = 3;
constexpr double a_third = 0.33;
constexpr double close = 0.05;
constexpr std::size_t power_run_in = 8;  // runs: a share of many claims needs fewer of them than a share of runs

// The first `first` claims have one true ratio, the others another; both as shares of the promise.
std::vector<LogRatios> shifted(std::vector<LogRatios> ratios, std::size_t first, double of_first, double of_others) {
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    for (double& ratio : ratios[i]) ratio += std::log(i < first ? of_first : of_others);
  }
  return ratios;
}

std::size_t count(const std::vector<bool>& calls, std::size_t first) {
  return static_cast<std::size_t>(std::count(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(first), true));
}

void add_errors(ClaimRule rule, const std::vector<LogRatios>& ratios, ClaimTally& tally) {
  const std::size_t all = ratios.size();
  const ClaimCalls at_promise = call_claims(rule, ratios);
  tally.all_at_promise += count(at_promise.broken, all) > 0;
  tally.held_at_promise += count(at_promise.holds, all);
  tally.three_at_promise += count(call_claims(rule, shifted(ratios, few_claims, 1.0, 1.0 - a_third)).broken, all) > 0;
  tally.all_close += count(call_claims(rule, shifted(ratios, all, 1.0 - close, 1.0)).broken, all) > 0;
}

void add_power(ClaimRule rule, const std::vector<LogRatios>& ratios, ClaimTally& tally) {
  const std::size_t all = ratios.size();
  for (std::size_t s = 0; s < slacks.size(); ++s) {
    const auto beyond = shifted(ratios, few_claims, 1.0 + slacks[s], 1.0 - a_third);
    tally.found[s] += count(call_claims(rule, beyond).broken, few_claims);
    tally.held[s] += count(call_claims(rule, shifted(ratios, all, 1.0 - slacks[s], 1.0)).holds, all);
  }
}

ClaimStudy study(const ClaimNoise& noise, std::size_t claims, std::size_t runs, std::uint64_t seed) {
  ClaimStudy result;
  result.noise = noise.name;
  result.claims = claims;
  result.normal = noise.normal;
  Random random({seed, claims});
  std::vector<double> prior_df;
  prior_df.reserve(runs);
  for (; result.runs < runs; ++result.runs) {
    const std::vector<LogRatios> ratios = noise.draw(claims, random);
    const bool power = result.runs % power_run_in == 0;
    result.power_runs += power;
    prior_df.push_back(std::min(1e9, stats::moderate(variances_of(ratios)).prior_df));
    for (std::size_t rule = 0; rule < claim_rules.size(); ++rule) {
      add_errors(claim_rules[rule], ratios, result.tallies[rule]);
      if (power) add_power(claim_rules[rule], ratios, result.tallies[rule]);
    }
  }
  result.prior_df = *stats::median(prior_df);
  return result;
}

}  // namespace

std::vector<ClaimStudy> study_claims(std::size_t runs, std::uint64_t seed) {
  std::vector<ClaimStudy> studies;
  for (const ClaimNoise& noise : claim_noises()) {
    for (const std::size_t claims : numbers_of_claims) studies.push_back(study(noise, claims, runs, seed));
  }
  return studies;
}

namespace {

constexpr std::array rule_names{"alpha / claims", "Holm over all", "moderated", "moderated, p at most halved",
                                "the program"};

using Number = std::size_t ClaimTally::*;
using Numbers = std::array<std::size_t, slacks.size()> ClaimTally::*;

Row row_of(const ClaimStudy& study) {
  return {study.noise, std::to_string(study.claims)};
}

Row errors_of(const ClaimStudy& study) {
  Row row = row_of(study);
  row.push_back(digits(study.prior_df));
  for (const ClaimTally& tally : study.tallies) {
    std::string cell;
    for (const Number number : {&ClaimTally::all_at_promise, &ClaimTally::three_at_promise, &ClaimTally::all_close}) {
      cell += (cell.empty() ? "" : " / ") + digits(percent(tally.*number, study.runs));
    }
    row.push_back(cell);
  }
  return row;
}

Row held_at_promise_of(const ClaimStudy& study) {
  Row row = row_of(study);
  for (const ClaimTally& tally : study.tallies) {
    row.push_back(digits(percent(tally.held_at_promise, study.runs * study.claims)));
  }
  return row;
}

Row shares_of(const ClaimStudy& study, Numbers numbers, std::size_t claims) {
  Row row = row_of(study);
  for (const ClaimTally& tally : study.tallies) {
    std::string cell;
    for (const std::size_t number : tally.*numbers) {
      cell += (cell.empty() ? "" : " / ") + digits(percent(number, claims * study.power_runs));
    }
    row.push_back(cell);
  }
  return row;
}

void print(std::ostream& out, const std::string& caption, Row head, const std::vector<Row>& rows) {
  head.insert(head.end(), rule_names.begin(), rule_names.end());
  out << caption << "\n\n";
  print_table(out, head, rows);
}

}  // namespace

void print_claims(std::ostream& out, const std::vector<ClaimStudy>& studies) {
  std::vector<Row> errors;
  std::vector<Row> held_at_promise;
  std::vector<Row> found;
  std::vector<Row> held;
  for (const ClaimStudy& study : studies) {
    errors.push_back(errors_of(study));
    held_at_promise.push_back(held_at_promise_of(study));
    found.push_back(shares_of(study, &ClaimTally::found, few_claims));
    held.push_back(shares_of(study, &ClaimTally::held, study.claims));
  }
  print(out,
        "Runs with a false `broken`, %: all claims exactly as promised / three, the others a third better / all 5 % "
        "better.",
        {"log ratios", "claims", "prior df"}, errors);
  print(out, "Claims exactly as promised that are called `holds`, %.", {"log ratios", "claims"}, held_at_promise);
  print(out,
        "Claims called `broken`, %, of three that are 10 / 20 / 33 % beyond their promise, the others a third better.",
        {"log ratios", "claims"}, found);
  print(out, "Claims called `holds`, %, where all are 10 / 20 / 33 % better than promised.", {"log ratios", "claims"},
        held);
}

std::vector<BarResult> bars_of(const std::vector<ClaimStudy>& studies) {
  // As far as so many runs can tell: by 99.9 % lower bounds, the largest of many.
  constexpr double sure = 0.999;
  const auto worst = [&](Number number, bool only_normal) {
    double largest = 0.0;
    for (const ClaimStudy& study : studies) {
      if (only_normal && !study.normal) continue;
      largest = std::max(largest, 100.0 * *share_lower_bound(study.tallies.back().*number, study.runs, sure));
    }
    return largest;
  };
  return {{"the program, normal ratios: a false `broken`, all at the promise, largest lower bound",
           worst(&ClaimTally::all_at_promise, true), 0, 1},
          {"three at the promise", worst(&ClaimTally::three_at_promise, true), 0, 1},
          {"all ratios: all 5 % better than promised", worst(&ClaimTally::all_close, false), 0, 1}};
}

}  // namespace torchgate::simulations
