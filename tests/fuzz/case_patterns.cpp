// SPDX-License-Identifier: Apache-2.0
// Regular expressions of plans and policies: "PATTERN RS NAME". Each place that takes one gives the same answer.
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "ci/policy/toml_document.hpp"
#include "harness/base/toml_text.hpp"
#include "harness/bench/program/case_filter.hpp"
#include "harness/launch/selection.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

// A suite that has one case, of that name.
launch::Listing listing_of(const std::string& name) {
  launch::ListedSuite suite;
  suite.executable = "/build/g";
  suite.listing.suite = "g";
  suite.listing.groups = {{"g/one", "g", std::nullopt, {}}};
  record::Case each;
  each.name = name;
  each.suite = "g";
  each.group = "g/one";
  suite.listing.cases = {each};
  launch::Listing listing;
  listing.suites = {suite};
  return listing;
}

}  // namespace

TORCHGATE_FUZZ_TARGET(case_patterns) {
  const auto parts = fuzz::parts_of(input, 2);
  const std::string pattern(parts.front());
  const std::string name(parts.back());
  const auto filter = bench::case_filter(pattern);
  record::Plan plan;
  plan.filter = pattern;
  const auto selection = launch::select_cases({listing_of(name)}, {"run"}, plan, {});
  const bool wanted = filter && (*filter)(name);
  if (wanted) fuzz::accepted();
  fuzz::require(wanted == (selection.ok() && selection->cases.size() == 1), "a suite and torchgate select alike");
  policy::Policy policy;
  const std::string table = "[[case]]\nmatch = " + base::toml_text(pattern) + "\nlatency = 0.5\n";
  if (policy::apply_policy_text(policy, table, "torchgate.toml")) {
    policy::CasePolicies policies(policy);
    fuzz::require((policies.of(name).latency == 0.5) == wanted, "a [[case]] table and a filter match alike");
  }
  const auto exact = bench::case_filter(launch::exact_filter({name}));
  fuzz::require(exact.ok() && (*exact)(name), "the exact filter of a name finds it");
}
