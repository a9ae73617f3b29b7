// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/pattern.hpp"
#include "harness/import/same_names.hpp"
#include "harness/record/warnings.hpp"

namespace torchgate::launch {
namespace {

using record::Case;
using record::Group;

/// Every suite of every side, the last side (after) first: its order and its definitions are the ones that are kept.
template <class Visit>
void each_suite(const std::vector<Listing>& listings, Visit&& visit) {
  for (std::size_t side = listings.size(); side-- > 0;)
    for (const ListedSuite& suite : listings[side].suites) visit(side, suite);
}

/// The names of the cases to run: the plan's filter, or the exact list.
class Wanted {
 public:
  static base::Result<Wanted> make(const record::Plan& plan, const std::vector<std::string>& only_cases) {
    Wanted wanted;
    wanted.exact_ = !only_cases.empty();
    wanted.names_.insert(only_cases.begin(), only_cases.end());
    if (wanted.exact_) return wanted;
    auto filter = base::Pattern::compile_short(plan.filter);
    if (!filter)
      return base::Error{base::ErrorCode::bad_input,
                         "invalid filter: " + filter.error().message + "; special characters need a backslash"};
    wanted.filter_ = std::move(filter).value();
    return wanted;
  }
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] bool has(const std::string& name) const {
    return filter_ ? filter_->found_in(name) : names_.contains(name);
  }

 private:
  bool exact_ = false;
  std::set<std::string> names_;
  std::optional<base::Pattern> filter_;
};

/// The cost of every group by its suite's estimate, with skipped cases: they may run on another machine of the matrix.
std::vector<GroupWeight> weights_of(const std::vector<Listing>& listings, const Wanted& wanted) {
  constexpr double unknown_case_s = 1;
  std::map<std::string, double> seconds;
  each_suite(listings, [&](std::size_t, const ListedSuite& suite) {
    const auto& cases = suite.listing.cases;
    const auto can_run = std::count_if(cases.begin(), cases.end(), [](const Case& each) { return !each.skipped; });
    const bool known = suite.listing.seconds_estimate && can_run > 0;
    const double of_case = known ? *suite.listing.seconds_estimate / static_cast<double>(can_run) : unknown_case_s;
    for (const Case& each : cases)
      if (wanted.has(each.name)) seconds[each.group] += of_case;
  });
  std::vector<GroupWeight> weights;
  weights.reserve(seconds.size());
  for (const auto& [name, each] : seconds) weights.push_back({name, each});
  return weights;
}

/// Names of the groups of this shard.
base::Result<std::set<std::string>> groups_of_shard(const record::Plan& plan, Selection& selection) {
  std::set<std::string> ours;
  if (plan.shards == 1) {
    for (const GroupWeight& group : selection.weights) ours.insert(group.name);
    return ours;
  }
  selection.division = plan.division.empty() ? divide(selection.weights, plan.shards) : plan.division;
  if (static_cast<std::int64_t>(selection.division.size()) != plan.shards)
    return base::Error{base::ErrorCode::bad_input, "invalid shard " + std::to_string(plan.shard) + " of " +
                                                       std::to_string(plan.shards) + ": the plan has " +
                                                       base::counted(selection.division.size(), "shard", "shards")};
  std::set<std::string> planned;
  for (const auto& shard : selection.division) planned.insert(shard.begin(), shard.end());
  for (const GroupWeight& group : selection.weights)
    if (!planned.contains(group.name))
      return base::Error{base::ErrorCode::bad_input, "the group " + group.name +
                                                         " is missing in the plan: the plan is older than the group; "
                                                         "write a new plan with `torchgate run --shards " +
                                                         std::to_string(plan.shards) + " --shard-plan FILE`"};
  std::set<std::string_view> in_suites;
  for (const GroupWeight& group : selection.weights) in_suites.insert(group.name);
  for (const std::string& name : selection.division[static_cast<std::size_t>(plan.shard - 1)]) {
    if (in_suites.contains(name)) {
      ours.insert(name);
    } else {
      selection.warnings.push_back("The group " + name + " is in the plan of this shard, but in none of the suites");
    }
  }
  return ours;
}

/// One side may have metrics that the other does not have: it is still the same work.
bool metrics_agree(const Case& a, const Case& b) {
  return std::all_of(a.metrics.begin(), a.metrics.end(), [&](const record::Metric& metric) {
    const auto other =
        std::find_if(b.metrics.begin(), b.metrics.end(), [&](const auto& each) { return each.name == metric.name; });
    return other == b.metrics.end() || same_meaning(*other, metric);
  });
}

std::string values_in(const std::vector<record::Parameter>& parameters) {
  std::string text;
  for (const record::Parameter& each : parameters) text += (text.empty() ? "" : " ") + each.name + ":" + each.value;
  return text.empty() ? "none" : text;
}

std::string metric_words(const Case& each) {
  const record::Metric* const metric = primary_metric(each);
  return metric == nullptr ? "none" : metric->name + " in " + metric->unit;
}

bool primary_metrics_agree(const Case& a, const Case& b) {
  const record::Metric* const one = primary_metric(a);
  const record::Metric* const other = primary_metric(b);
  if (one == nullptr || other == nullptr) return one == other;
  return one->name == other->name && same_meaning(*one, *other);
}

/// A list of what differs, with commas.
class Differences {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "" : ", ") + what; }
  void note(const char* what, const std::string& was, const std::string& is) {
    if (was != is) add(std::string("its ") + what + " was " + was + " and is " + is);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A metric that the older side gates or judges, and that is of another kind now: the values of one side are dropped.
void add_other_kinds(const Case& before, const Case& after, Differences& found) {
  const auto kind = [](const record::Metric& metric) {
    return metric.kind == record::MetricKind::timed ? "timed" : "exact";
  };
  for (const record::Metric& was : before.metrics) {
    if (was.primary || !(was.gated || was.judged)) continue;
    for (const record::Metric& is : after.metrics)
      if (is.name == was.name) found.note(("metric " + was.name).c_str(), kind(was), kind(is));
  }
}

/// As in a stored comparison (ci/gate/evidence/identity.cpp).
bool is_other_work(const std::optional<double>& was, const std::optional<double>& is) {
  constexpr double same_work = 0.01;
  return was && is && *was > 0 && *is > 0 && std::abs(std::log(*is / *was)) > same_work;
}

void note_work(Differences& found, const char* what, const std::optional<double>& was,
               const std::optional<double>& is) {
  if (is_other_work(was, is)) found.note(what, fmt::to_string(*was), fmt::to_string(*is));
}

/// What makes them two cases of one name, with both values.
std::string differences_of_identity(const Case& before, const Case& after) {
  Differences found;
  found.note("parameters", values_in(before.parameters), values_in(after.parameters));
  found.note("device", before.device, after.device);
  found.note("measuring protocol", before.protocol, after.protocol);
  found.note("input seed", std::to_string(before.input_seed), std::to_string(after.input_seed));
  if (before.settings && after.settings) found.note("process setting", *before.settings, *after.settings);
  if (!primary_metrics_agree(before, after)) {
    const std::string was = metric_words(before);
    const std::string is = metric_words(after);
    found.add("its primary metric was " + was + " and is " + is + (was == is ? " with another direction or kind" : ""));
  }
  add_other_kinds(before, after, found);
  note_work(found, "number of items per call", before.items_per_call, after.items_per_call);
  note_work(found, "number of bytes per call", before.bytes_per_call, after.bytes_per_call);
  return found.text();
}

/// IDENTITY (differences_of_identity), and what a person is told beside it.
std::string all_differences(const Case& before, const Case& after, const std::string& identity) {
  Differences found;
  if (!identity.empty()) found.add(identity);
  if (primary_metrics_agree(before, after) && !metrics_agree(before, after))
    found.add("unit, direction or kind of a metric");
  if (before.items_per_call != after.items_per_call && !is_other_work(before.items_per_call, after.items_per_call))
    found.add("items per call");
  if (before.group != after.group || before.variant != after.variant || before.suite != after.suite)
    found.add("group or variant");
  return found.text();
}

/// Where things are in a Selection, by name: a suite may list as many as a record may have.
struct Places {
  std::map<std::string, std::size_t> cases;
  std::map<std::string, std::size_t> groups;
  std::map<std::string, std::size_t> to_run;
};

/// How many benchmarks of the suite have the name of EACH.
std::string number_of_same_names(const Case& each) {
  for (const record::Parameter& parameter : each.parameters)
    if (parameter.name == import::same_name_parameter) return parameter.value;
  return "1";
}

/// A change cannot take its own metric away, or the gate or the verdict off it: what the older side FOUND counts, too.
void keep_metrics_of(const Case& found, Case& known) {
  for (const record::Metric& metric : found.metrics) {
    const auto same = std::find_if(known.metrics.begin(), known.metrics.end(),
                                   [&](const record::Metric& each) { return each.name == metric.name; });
    if (same == known.metrics.end()) {
      if (metric.kind == record::MetricKind::exact) known.metrics.push_back(metric);
    } else if (same->kind == metric.kind) {
      same->gated = same->gated || metric.gated;
      same->judged = same->judged || metric.judged;
    }
  }
}

void merge_case(const Case& found, const std::string& both, Places& places, Selection& selection) {
  const auto [place, is_new] = places.cases.emplace(found.name, selection.cases.size());
  if (is_new) {
    selection.cases.push_back(found);
    return;
  }
  Case* const known = &selection.cases[place->second];
  if (!found.skipped) known->skipped.reset();
  const std::string is = number_of_same_names(*known);  // the newer side comes first
  const std::string was = number_of_same_names(found);
  if (was != is)
    known->ambiguous = "the name has " + was + (was == "1" ? " benchmark" : " benchmarks") + " before and " + is +
                       " after; they cannot be matched";
  const std::string identity = differences_of_identity(found, *known);
  if (!identity.empty() && !known->sides_differ) known->sides_differ = identity;
  const std::string different = all_differences(found, *known, identity);
  if (!different.empty()) selection.warnings.push_back(record::defined_differently(found.name, both, different));
  keep_metrics_of(found, *known);
}

void merge_group(const Group& found, const std::string& both, Places& places, Selection& selection) {
  const auto [place, is_new] = places.groups.emplace(found.name, selection.groups.size());
  if (is_new) {
    selection.groups.push_back(found);
  } else if (selection.groups[place->second] != found) {
    selection.warnings.push_back("The group " + found.name + " has different claims, references or ranks in " + both +
                                 "; the newer ones are used");
  }
}

/// The wanted cases of a suite, by group.
struct CasesOfSuite {
  std::map<std::string_view, std::vector<const Case*>> of_group;
  std::size_t can_run = 0;  ///< of all its cases
};

CasesOfSuite cases_of(const ListedSuite& suite, const Wanted& wanted) {
  CasesOfSuite cases;
  for (const Case& each : suite.listing.cases) {
    if (!each.skipped) ++cases.can_run;
    if (wanted.has(each.name)) cases.of_group[each.group].push_back(&each);
  }
  return cases;
}

GroupOnSide on_side(std::size_t side, const ListedSuite& suite, const std::string& group, const CasesOfSuite& cases) {
  GroupOnSide result;
  result.side = static_cast<std::int64_t>(side);
  result.executable = suite.executable;
  result.program = suite.program;
  result.takes_turns = suite.program != nullptr || suite.listing.takes_turns;
  const auto of_group = cases.of_group.find(group);
  if (of_group == cases.of_group.end()) return result;
  for (const Case* const each : of_group->second) {
    if (each->skipped) {
      result.skipped.emplace(each->name, *each->skipped);
    } else {
      result.cases.push_back(each->name);
    }
  }
  if (suite.listing.seconds_estimate && cases.can_run > 0)
    result.seconds =
        *suite.listing.seconds_estimate * static_cast<double>(result.cases.size()) / static_cast<double>(cases.can_run);
  return result;
}

/// Adds GROUP as it is on a side to the groups to run, if anything of it can run there.
void add_to_run(GroupOnSide found, const Group& group, const record::Plan& plan, Places& places, Selection& selection) {
  if (found.cases.empty()) return;
  found.ranks = group.ranks;
  found.takes_turns = found.takes_turns && group.ranks <= 1;
  const auto [place, is_new] = places.to_run.emplace(group.name, selection.to_run.size());
  if (is_new) selection.to_run.push_back({group.name, group.suite, plan.filter, {}});
  std::vector<GroupOnSide>& sides = selection.to_run[place->second].sides;
  sides.insert(sides.begin(), std::move(found));
}

/// A record with more of them could not be read.
base::Result<void> check_size(const Selection& selection) {
  const auto too_many = [](std::size_t count, const char* what, std::int64_t most) {
    return base::Error{base::ErrorCode::bad_input, "too many " + std::string(what) + ": " + std::to_string(count) +
                                                       " are selected, and a run has at most " + std::to_string(most) +
                                                       "; select fewer of them with --filter"};
  };
  if (selection.groups.size() > static_cast<std::size_t>(base::max_groups))
    return too_many(selection.groups.size(), "groups", base::max_groups);
  if (selection.cases.size() > static_cast<std::size_t>(base::max_cases))
    return too_many(selection.cases.size(), "cases", base::max_cases);
  return {};
}

void use_exact_filters(Selection& selection) {
  for (SelectedGroup& group : selection.to_run) {
    std::set<std::string> names;
    for (const GroupOnSide& side : group.sides) names.insert(side.cases.begin(), side.cases.end());
    group.filter = exact_filter({names.begin(), names.end()});
  }
}

base::Result<void> check_found(const std::vector<std::string>& only_cases, const record::Plan& plan,
                               Selection& selection) {
  std::set<std::string_view> found;
  for (const Case& each : selection.cases) found.insert(each.name);
  for (const std::string& name : only_cases) {
    if (plan.shards == 1 && !found.contains(name))
      selection.warnings.push_back("The case " + name + " was requested, but is in none of the suites");
  }
  if (!selection.cases.empty() || selection.suites.empty() || plan.shards > 1) return {};
  const std::string what =
      only_cases.empty() ? "case matches the filter '" + plan.filter + "'" : "suite has any of the requested cases";
  return base::Error{base::ErrorCode::bad_input, "no " + what + "; list the cases with `torchgate run --list`"};
}

}  // namespace

base::Result<Selection> select_cases(const std::vector<Listing>& listings, const std::vector<std::string>& labels,
                                     const record::Plan& plan, const std::vector<std::string>& only_cases) {
  const auto wanted = Wanted::make(plan, only_cases);
  if (!wanted) return wanted.error();
  const std::string both = labels.size() == 2 ? labels[0] + " and " + labels[1] : "both sides";
  Selection selection;
  selection.weights = weights_of(listings, *wanted);
  const auto of_shard = groups_of_shard(plan, selection);
  if (!of_shard) return of_shard.error();
  const std::set<std::string>& ours = *of_shard;
  std::set<std::string> suites;
  Places places;
  each_suite(listings, [&](std::size_t side, const ListedSuite& suite) {
    suites.insert(suite.listing.suite);
    const CasesOfSuite cases = cases_of(suite, *wanted);
    for (const Group& group : suite.listing.groups) {
      if (!ours.contains(group.name)) continue;
      merge_group(group, both, places, selection);
      add_to_run(on_side(side, suite, group.name, cases), group, plan, places, selection);
    }
    for (const Case& each : suite.listing.cases)
      if (ours.contains(each.group) && wanted->has(each.name)) merge_case(each, both, places, selection);
  });
  if (const auto small = check_size(selection); !small) return small.error();
  selection.suites.assign(suites.begin(), suites.end());
  if (wanted->exact()) use_exact_filters(selection);
  if (const auto found = check_found(only_cases, plan, selection); !found) return found.error();
  return selection;
}

bool same_meaning(const record::Metric& a, const record::Metric& b) {
  return a.unit == b.unit && a.direction == b.direction && a.kind == b.kind;
}

std::string recorded_filter(const std::vector<std::string>& names) {
  std::string filter = exact_filter(names);
  return filter.size() <= base::max_pattern_bytes ? filter : ".*";
}

std::string exact_filter(const std::vector<std::string>& names) {
  std::string filter;
  for (const std::string& name : names) {
    filter += filter.empty() ? "^(?:" : "|";
    for (const char c : name) {
      if (std::string_view("^$\\.*+?()[]{}|").find(c) != std::string_view::npos) filter += '\\';
      filter += c;
    }
  }
  return filter.empty() ? "^(?:)$" : filter + ")$";
}

}  // namespace torchgate::launch
