// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/weaker_run.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "harness/record/device_metric.hpp"
#include "harness/record/imported.hpp"
#include "harness/record/sampling.hpp"
#include "reports/facts/about_settings.hpp"

namespace torchgate::gate {
namespace {

using Runs = std::vector<const record::Run*>;

constexpr std::string_view quick_profile = "quick";

// The smallest of what the policy asks for and what the stored runs have.
template <class Number, class Read>
Number required(Number asked, const Runs& stored, Read&& read) {
  for (const record::Run* const run : stored)
    if (const std::optional<Number> known = read(*run); known && *known > 0) asked = std::min(asked, *known);
  return asked;
}

template <class Number, class Read>
void compare(const char* what, Number asked, const record::Run& run, const Runs& stored, Read&& read,
             facts::Facts& weaker) {
  const std::optional<Number> has = read(run);
  const Number least = required(asked, stored, read);
  if (has && *has < least)
    weaker.push_back(facts::less_than_asked(what, static_cast<double>(*has), static_cast<double>(least)));
}

std::optional<std::string> fact(const record::Run& run, std::string_view name) {
  for (const record::MachineFact& each : run.machine.facts)
    if (each.name == name) return each.value;
  return std::nullopt;
}

// A word that is neither what the policy asks for nor what a stored run has.
template <class Read, class Same>
void compare_named(const char* what, const std::string& asked, const record::Run& run, const Runs& stored, Read&& read,
                   Same&& same, facts::Facts& weaker) {
  const std::optional<std::string> has = read(run);
  if (!has || same(*has, asked)) return;
  const auto as_there = [&](const record::Run* other) {
    const std::optional<std::string> there = read(*other);
    return there && same(*has, *there);
  };
  if (std::none_of(stored.begin(), stored.end(), as_there))
    weaker.push_back(facts::other_than_asked(what, *has, asked));
}

template <class Same>
void compare_fact(const char* what, const char* name, const std::string& asked, const record::Run& run,
                  const Runs& stored, Same&& same, facts::Facts& weaker) {
  compare_named(
      what, asked, run, stored, [name](const record::Run& of) { return fact(of, name); }, same, weaker);
}

// A quick run has less power; a full one has more cases. Files of other tools were measured by other rules.
int power_of(std::string_view profile) {
  return profile == record::imported_profile ? 0 : profile == quick_profile ? 1 : 2;
}

void compare_profiles(const record::Run& run, const Runs& stored, facts::Facts& weaker) {
  const auto weaker_profile = [](const record::Run* a, const record::Run* b) {
    return power_of(a->plan.profile) < power_of(b->plan.profile);
  };
  const auto least = std::min_element(stored.begin(), stored.end(), weaker_profile);
  if (least != stored.end() && power_of(run.plan.profile) < power_of((*least)->plan.profile))
    weaker.push_back(facts::other_profile(run.plan.profile, (*least)->plan.profile));
}

std::string words_of(const std::optional<std::int64_t>& asked) {
  return asked ? std::to_string(*asked) : "not set";
}

struct Setting {
  const char* name;
  std::string (*of)(const record::Plan& plan);
};

constexpr std::array settings{
    Setting{"profile", [](const record::Plan& plan) { return record::sampling_of(plan).profile; }},
    Setting{"--warmup", [](const record::Plan& plan) { return words_of(plan.warmup_calls); }},
    Setting{"--samples", [](const record::Plan& plan) { return words_of(plan.samples); }}};

}  // namespace

facts::Facts other_settings(const record::Run& run, const Runs& stored) {
  facts::Facts differ;
  if (record::is_imported(run)) return differ;
  for (const Setting& setting : settings) {
    const std::string has = setting.of(run.plan);
    const auto other = std::find_if(stored.begin(), stored.end(), [&](const record::Run* each) {
      return !record::is_imported(*each) && setting.of(each->plan) != has;
    });
    if (other != stored.end()) differ.push_back(facts::other_setting(setting.name, setting.of((*other)->plan), has));
  }
  return differ;
}

facts::Facts weaker_than(const record::Run& run, const Runs& stored, const policy::Run& policy) {
  facts::Facts weaker;
  compare_profiles(run, stored, weaker);
  if (record::is_imported(run)) return weaker;
  compare(
      "run.processes", policy.processes, run, stored,
      [](const record::Run& of) { return std::optional(of.plan.processes); }, weaker);
  constexpr std::int64_t usual_samples = 40;  // at least (SamplerSettings)
  compare(
      "--samples", usual_samples, run, stored, [](const record::Run& of) { return of.plan.samples; }, weaker);
  compare(
      "run.group_limit_s", policy.group_limit_s, run, stored,
      [](const record::Run& of) { return of.plan.group_limit_s; }, weaker);
  compare(
      "run.total_limit_s", policy.total_limit_s, run, stored,
      [](const record::Run& of) { return of.plan.total_limit_s; }, weaker);
  const auto equal = [](const std::string& a, const std::string& b) { return a == b; };
  compare_fact("run.threads", "threads", "OMP_NUM_THREADS=" + std::to_string(policy.threads), run, stored, equal,
               weaker);
  const auto both_system = [](const std::string& a, const std::string& b) {
    return (a == "system") == (b == "system");
  };
  compare_named(
      "run.device_metric", policy::name_of(policy.device_metric), run, stored,
      [](const record::Run& of) { return record::device_metric_of(of.cases); }, equal, weaker);
  compare_fact("run.allocator", "allocator", policy.allocator == policy::Allocator::system ? "system" : "steady", run,
               stored, both_system, weaker);
  return weaker;
}

void judge_how_measured(const record::Run& run, const Runs& stored, const policy::Policy& policy,
                        reports::Report& report) {
  if (!policy.of_base) return;
  auto weaker = weaker_than(run, stored, policy);
  if (weaker.empty()) return;
  const facts::Fact why = facts::measured_with_less(std::move(weaker));
  if (policy.weaker_run == policy::Action::pass) return report.notes.push_back(why);
  reports::Doubt doubt(why, reports::DoubtKind::policy);
  doubt.fix =
      "measure it with the policy of the base branch, as a change of [run] applies after the merge; where pull "
      "requests "
      "are to be measured with less, set gate.weaker_run = \"warn\" on the base branch";
  report.doubts.insert(report.doubts.begin(), std::move(doubt));
  if (policy.weaker_run != policy::Action::fail || stored.empty() || report.outcome == reports::Outcome::fail) return;
  report.outcome = reports::Outcome::fail;
  report.headline = report.headline.empty() ? why : facts::what_it_shows(why, report.headline);
}

}  // namespace torchgate::gate
