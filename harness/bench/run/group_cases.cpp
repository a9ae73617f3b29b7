// SPDX-License-Identifier: Apache-2.0
// From what the author of a group says to its cases. Its claims are made in group_claims.cpp.
#include "harness/bench/run/group_cases.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "harness/base/fnv1a.hpp"
#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/run/cold_start.hpp"
#include "harness/bench/sampling/sampler.hpp"
#include "harness/record/protocol.hpp"

namespace torchgate::bench {
namespace {

// Inputs are seeded by the group, so that every variant and every run gets the same ones.
std::uint64_t seed_of(const std::string& name) {
  return base::fnv1a(name) &
         0x7fffffffULL;  // torch::manual_seed and the JSON readers of other languages read 31 bits correctly
}

std::vector<record::Metric> standard_metrics(bool time_is_primary) {
  using record::Direction;
  using record::MetricKind;
  return {{"time", "ns", Direction::lower_is_better, MetricKind::timed, time_is_primary},
          {"cpu_time", "ns", Direction::lower_is_better, MetricKind::timed, false},
          {"operator_calls", "1", Direction::lower_is_better, MetricKind::exact, false},
          {"allocations", "1", Direction::lower_is_better, MetricKind::exact, false},
          {"allocated_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false},
          {"peak_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false},
          {"retained_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false}};
}

record::Metric* find_metric(std::vector<record::Metric>& metrics, const std::string& name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

// Absent if the author gave no function. `what` names it in messages.
std::optional<double> per_call(const std::string& what, const std::function<double(const Args&)>& function,
                               const Args& args) {
  if (!function) return std::nullopt;
  double value = 0;
  try {
    value = function(args);
  } catch (const std::exception& error) {
    throw std::logic_error(what + ": " + error.what());
  }
  if (!(value > 0) || !std::isfinite(value)) throw std::logic_error(what + " must be above 0");
  return value;
}

// How much a profile measures; what is not known (series) measures what the default one does.
int level_of(const std::string& profile) {
  return profile == "quick" ? 0 : profile == "full" ? 2 : 1;
}

// Each of them narrows what is left.
bool all_select(const std::vector<Where>& selections, const Args& args) {
  return std::all_of(selections.begin(), selections.end(), [&](const Where& each) { return selected(each, args); });
}

bool selects_all(const Where& where) {
  return where.terms.empty();
}
bool selects_none(const Where& where) {
  return std::any_of(where.terms.begin(), where.terms.end(), [](const auto& term) { return term.any_of.empty(); });
}

bool is_name(const std::string& text) {
  constexpr std::string_view others = "_.+-";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string case_name(const std::string& group, const std::string& variant, const Args& args) {
  std::string name = group + "/" + variant;
  for (const auto& [axis, value] : args.values()) name += "/" + axis + ":" + to_string(value);
  return name;
}

bool selected(const Where& where, const Args& args) {
  return std::all_of(where.terms.begin(), where.terms.end(), [&](const Where::Term& term) {
    return std::any_of(args.values().begin(), args.values().end(), [&](const auto& axis_and_value) {
      const auto& [axis, value] = axis_and_value;
      return axis == term.axis && std::find(term.any_of.begin(), term.any_of.end(), value) != term.any_of.end();
    });
  });
}

GroupCases::GroupCases(const std::string& suite, const std::string& name, const std::function<void(Group&)>& describe) {
  of_.suite = suite;
  of_.name = suite + "/" + name;
  Group group(of_);
  describe(group);
}

std::vector<OwnMetric> GroupCases::own_metrics(const VariantDescription& variant) const {
  std::vector<OwnMetric> all = of_.metrics;
  if (of_.ranks > 1) all.push_back(ns(rank_spread));
  all.insert(all.end(), variant.metrics.begin(), variant.metrics.end());
  return all;
}

OwnProcess GroupCases::own_process(const VariantDescription& variant) const {
  OwnProcess both = of_.own_process;
  for (const record::Parameter& variable : variant.own_process.environment) {
    std::erase_if(both.environment, [&](const auto& other) { return other.name == variable.name; });
    both.environment.push_back(variable);
  }
  if (variant.own_process.threads) both.threads = variant.own_process.threads;
  if (variant.own_process.cpus) both.cpus = variant.own_process.cpus;
  return both;
}

std::vector<std::string> GroupCases::artefacts(const VariantDescription& variant) const {
  std::vector<std::string> both = of_.artefacts;
  both.insert(both.end(), variant.artefacts.begin(), variant.artefacts.end());
  return both;
}

std::vector<record::Metric> GroupCases::metrics_of(const VariantDescription& variant, bool on_cuda) const {
  const std::vector<OwnMetric> declared = own_metrics(variant);
  const std::vector<record::Metric> own(declared.begin(), declared.end());
  // A case's own metric may be primary in place of the time: a load test is gated on its percentile, not on its loop.
  const bool own_primary = std::any_of(own.begin(), own.end(), [](const auto& metric) { return metric.primary; });
  std::vector<record::Metric> metrics = standard_metrics(!own_primary);
  if (of_.cold_launches) {
    for (const char* name : {build_time_metric, first_call_metric, load_time_metric}) metrics.push_back(ns(name));
  }
  if (of_.ranks > 1) {
    for (const char* name : {"collective_calls", "collective_bytes"}) {
      const bool bytes = std::string_view(name) == "collective_bytes";
      metrics.push_back(
          {name, bytes ? "bytes" : "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
    }
  }
  if (compared_with_reference(variant)) {
    metrics.push_back({output_error, "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
  }
  for (const std::string& name : of_.without) {
    // The reference's output is compared with nothing.
    if (name == output_error && !compared_with_reference(variant)) continue;
    const auto is_it = [&](const auto& m) { return m.name == name && m.kind == record::MetricKind::exact; };
    if (std::erase_if(metrics, is_it) == 0) {
      throw std::logic_error(of_.name + ": without(\"" + name + "\"): unknown exact metric");
    }
  }
  if (on_cuda && !of_.cold_launches) {
    const std::vector<record::Metric> device = device_metrics(has_graphs(variant));
    metrics.insert(metrics.end(), device.begin(), device.end());
  }
  metrics.insert(metrics.end(), own.begin(), own.end());
  for (const std::vector<std::string>* gated : {&of_.gated, &variant.gated}) {
    for (const std::string& name : *gated) {
      record::Metric* metric = find_metric(metrics, name);
      if (metric == nullptr && name == output_error) continue;
      if (metric == nullptr || metric->kind == record::MetricKind::timed) {
        throw std::logic_error(of_.name + "/" + variant.name + ": gates(\"" + name +
                               "\"): unknown exact metric; the primary timed metric is gated anyway");
      }
      metric->gated = true;
    }
  }
  return metrics;
}

// A custom check, or none, gives no distance.
bool GroupCases::compared_with_reference(const VariantDescription& variant) const {
  return of_.has_reference() && !variant.is_reference && !variant.check;
}

bool GroupCases::is_in(const std::string& profile, const CaseInstance& instance) const {
  const int level = level_of(profile);
  for (const CaseSettings* settings : std::initializer_list<const CaseSettings*>{&of_, instance.variant}) {
    if (level == level_of("quick") && !all_select(settings->quick, instance.args)) return false;
    if (level < level_of("full") && std::any_of(settings->only_full.begin(), settings->only_full.end(),
                                                [&](const Where& where) { return selected(where, instance.args); }))
      return false;
  }
  return true;
}

void GroupCases::check_names() const {
  const auto check_name = [&](const std::string& what, const std::string& text) {
    if (is_name(text)) return;
    throw std::logic_error(of_.name + ": " + what + " \"" + text +
                           "\" is part of case names: use only letters, digits and _ . + -");
  };
  check_name("group", of_.name.substr(of_.suite.size() + 1));
  check_name("suite", of_.suite);
  for (std::size_t i = 0; i < of_.axes.size(); ++i) {
    const auto& [axis, values] = of_.axes[i];
    check_name("axis", axis);
    if (values.empty()) throw std::logic_error(of_.name + ": axis \"" + axis + "\" has no values");
    for (std::size_t j = 0; j < i; ++j) {
      if (of_.axes[j].first == axis) throw std::logic_error(of_.name + ": duplicate axis \"" + axis + "\"");
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
      check_name("value of axis " + axis, to_string(*value));
      if (std::find(values.begin(), value, *value) != value)
        throw std::logic_error(of_.name + ": axis \"" + axis + "\": duplicate value " + to_string(*value));
    }
  }
  check_settings(of_.name + ": ", of_, false);
  for (const VariantDescription& variant : of_.variants) {
    check_name("variant", variant.name);
    check_metrics(variant);
    check_settings(of_.name + "/" + variant.name + ": ", variant, variant.is_reference);
    check_variant(variant);
    check_own_process(variant);
  }
}

void GroupCases::check_settings(const std::string& of, const CaseSettings& settings, bool is_reference) const {
  for (const Need& need : settings.needs) check_selection(of + "needs()", need.where);
  for (const Where& where : settings.quick) {
    check_selection(of + "quick()", where);
    if (is_reference && selects_none(where))
      throw std::logic_error(of + "quick(none): not possible for the reference, which the variants need");
  }
  for (const Where& where : settings.only_full) {
    check_selection(of + "only_full()", where);
    if (is_reference && selects_all(where))
      throw std::logic_error(of + "only_full(): not possible for the whole reference, which the variants need");
  }
}

void GroupCases::check_variant(const VariantDescription& variant) const {
  const std::string of = of_.name + "/" + variant.name + ": ";
  for (const Where& where : variant.only) check_selection(of + "only()", where);
  for (const auto& [expectation, where] : variant.expectations) {
    check_selection(of + "proves()", where);
    if (expectation.metric.empty()) continue;
    auto metrics = metrics_of(variant, true);
    const record::Metric* metric = find_metric(metrics, expectation.metric);
    if (metric == nullptr || metric->kind == record::MetricKind::timed)
      throw std::logic_error(of + "proves(): \"" + expectation.metric + "\" is not an exact metric of it");
  }
}

void GroupCases::check_own_process(const VariantDescription& variant) const {
  const std::string of = of_.name + "/" + variant.name + ": ";
  if (of_.ranks > 1 && has_own_process(variant))
    throw std::logic_error(of + "cold(), environment(), threads() and cpus() are not possible with ranks()");
  if (of_.cold_launches && (of_.samples || variant.samples))
    throw std::logic_error(of + "samples() is not possible with cold(), whose samples are launches: cold(5)");
}

void GroupCases::check_metrics(const VariantDescription& variant) const {
  const std::string where = of_.name + "/" + variant.name + ": ";
  for (const OwnMetric& own : own_metrics(variant)) {
    const std::string metric = where + "metric \"" + own.name() + "\": ";
    if (own.is_pooled() && own.metric().kind == record::MetricKind::exact)
      throw std::logic_error(metric + "pooled() and exact() exclude each other");
    if (own.is_of_all_ranks() && of_.ranks == 1) throw std::logic_error(metric + "of_all_ranks() needs ranks()");
    if (own.is_of_all_ranks() && own.is_pooled())
      throw std::logic_error(metric + "of_all_ranks() is not possible for observations, which belong to a rank");
  }
  const auto metrics = metrics_of(variant, true);  // those names are reserved on the CPU too
  std::size_t primary = 0;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string metric = "metric \"" + metrics[i].name + "\"";
    if (!is_name(metrics[i].name))
      throw std::logic_error(where + metric + " is not a valid name; use letters, digits and _ . + - only");
    for (std::size_t j = 0; j < i; ++j) {
      if (metrics[j].name == metrics[i].name) throw std::logic_error(where + "duplicate " + metric + "; rename one");
    }
    if (metrics[i].primary && metrics[i].kind == record::MetricKind::exact) {
      throw std::logic_error(where + metric + " is exact: only a timed one can be primary");
    }
    if (metrics[i].primary && ++primary > 1) throw std::logic_error(where + "more than one metric is primary");
  }
}

std::vector<Args> GroupCases::combinations() const {
  std::vector<std::vector<std::pair<std::string, AxisValue>>> product{{}};
  for (const auto& [axis, values] : of_.axes) {
    std::vector<std::vector<std::pair<std::string, AxisValue>>> next;
    for (const auto& prefix : product) {
      for (const AxisValue& value : values) {
        next.push_back(prefix);
        next.back().emplace_back(axis, value);
      }
    }
    product = std::move(next);
  }
  std::vector<Args> all;
  all.reserve(product.size());
  for (auto& values : product) all.emplace_back(std::move(values), seed_of(of_.name));
  return all;
}

record::Case GroupCases::case_of(const VariantDescription& variant, const Args& args) const {
  record::Case definition;
  definition.name = case_name(of_.name, variant.name, args);
  definition.suite = of_.suite;
  definition.group = of_.name;
  definition.variant = variant.name;
  for (const auto& [axis, value] : args.values()) definition.parameters.push_back({axis, to_string(value)});
  definition.device = args.device();
  definition.protocol = definition.device == "cuda" ? device_protocol : record::wall_protocol;
  if (of_.cold_launches) definition.protocol = cold_protocol;
  definition.input_seed = args.seed();
  definition.metrics = metrics_of(variant, definition.device == "cuda");
  definition.items_per_call = per_call(definition.name + ": items()", of_.items, args);
  definition.bytes_per_call = per_call(definition.name + ": bytes_per_call()", of_.bytes, args);
  definition.settings = words_of(own_process(variant), of_.training);
  return definition;
}

std::vector<CaseInstance> GroupCases::instances() const {
  if (of_.variants.empty()) throw std::logic_error(of_.name + ": no variants");
  check_names();
  const bool has_devices =
      std::any_of(of_.axes.begin(), of_.axes.end(), [](const auto& axis) { return axis.first == "device"; });
  if (of_.ranks > 1 && has_devices) {
    // A device's own samples are planned by each process for itself; ranks would make different numbers of calls.
    throw std::logic_error(of_.name +
                           ": devices() is not possible with ranks(); several ranks are measured on the CPU only");
  }
  std::vector<CaseInstance> all;
  for (const Args& args : combinations()) {
    for (const VariantDescription& variant : of_.variants) {
      if (!all_select(variant.only, args)) continue;
      CaseInstance instance;
      instance.variant = &variant;
      instance.args = args;
      instance.definition = case_of(variant, args);
      if (of_.has_reference() && !variant.is_reference)
        instance.reference_case = case_name(of_.name, of_.variants.front().name, args);
      all.push_back(std::move(instance));
    }
  }
  check_used(all);
  return all;
}

// Refuses what is said of no case, whatever the profile.
void GroupCases::check_used(const std::vector<CaseInstance>& all) const {
  const auto require_some = [&](const VariantDescription* of, const Where& where, const std::string& what) {
    const auto meant = [&](const auto& each) { return (!of || each.variant == of) && selected(where, each.args); };
    if (std::any_of(all.begin(), all.end(), meant)) return;
    throw std::logic_error(of_.name + (of ? "/" + of->name : "") + ": " + what +
                           " selects no cases; remove it, or select some");
  };
  const auto require_of_settings = [&](const VariantDescription* of, const CaseSettings& settings) {
    for (const Need& need : settings.needs) require_some(of, need.where, "needs(): \"" + need.name + '"');
    for (const Where& where : settings.quick)
      if (!selects_none(where)) require_some(of, where, "quick()");
    for (const Where& where : settings.only_full) require_some(of, where, "only_full()");
  };
  require_of_settings(nullptr, of_);
  for (const VariantDescription& variant : of_.variants) {
    require_some(&variant, {}, "only()");
    require_of_settings(&variant, variant);
    for (const auto& [expectation, where] : variant.expectations)
      require_some(&variant, where, "proves(): \"" + expectation.text + '"');
  }
}

// `what` names the owner of the selection in messages.
void GroupCases::check_selection(const std::string& what, const Where& where) const {
  for (const auto& [name, values] : where.terms) {
    if (values.empty()) continue;  // none
    const auto axis =
        std::find_if(of_.axes.begin(), of_.axes.end(), [&name = name](const auto& a) { return a.first == name; });
    if (axis == of_.axes.end()) throw std::logic_error(what + " names an unknown axis: " + name);
    for (const AxisValue& value : values) {
      if (std::find(axis->second.begin(), axis->second.end(), value) == axis->second.end())
        throw std::logic_error(what + " names an unknown case: " + name + ":" + to_string(value));
    }
  }
}

std::vector<GroupCases> groups_of(const std::string& suite, const std::vector<RegisteredGroup>& registered) {
  if (registered.empty()) {
    throw std::logic_error(
        "no TORCHGATE_GROUP in this program; if it is in a static library, link its object file (the linker "
        "drops it otherwise)");
  }
  std::vector<GroupCases> groups;
  for (const RegisteredGroup& each : registered) {
    GroupCases group(suite, each.name, each.describe);
    if (std::any_of(groups.begin(), groups.end(), [&](const auto& other) { return other.name() == group.name(); }))
      throw std::logic_error("duplicate group \"" + group.name() + "\"; rename one");
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace torchgate::bench
