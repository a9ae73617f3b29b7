// SPDX-License-Identifier: Apache-2.0
// From the declarations of a group to its cases. Its claims are made in group_claims.cpp.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "harness/base/fnv1a.hpp"
#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/group.hpp"
#include "harness/bench/run/cold_start.hpp"
#include "harness/bench/sampling/sampler.hpp"

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

bool any_selected(const std::vector<Selection>& selections, const Args& args) {
  return std::any_of(selections.begin(), selections.end(), [&](const Selection& each) { return selected(each, args); });
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

bool selected(const Selection& selection, const Args& args) {
  return std::all_of(selection.begin(), selection.end(), [&](const auto& wanted) {
    return std::find(args.values().begin(), args.values().end(), wanted) != args.values().end();
  });
}

std::vector<OwnMetric> Group::own_metrics(const Variant& variant) const {
  std::vector<OwnMetric> all = metrics_;
  if (ranks_ > 1) all.push_back(ns(rank_spread));
  all.insert(all.end(), variant.metrics.begin(), variant.metrics.end());
  return all;
}

OwnProcess Group::own_process(const Variant& variant) const {
  OwnProcess both = own_process_;
  for (const record::Parameter& variable : variant.own_process.environment) {
    std::erase_if(both.environment, [&](const auto& other) { return other.name == variable.name; });
    both.environment.push_back(variable);
  }
  if (variant.own_process.threads) both.threads = variant.own_process.threads;
  if (variant.own_process.cpus) both.cpus = variant.own_process.cpus;
  return both;
}

std::vector<std::string> Group::artefacts(const Variant& variant) const {
  std::vector<std::string> both = artefacts_;
  both.insert(both.end(), variant.artefacts.begin(), variant.artefacts.end());
  return both;
}

std::vector<record::Metric> Group::metrics_of(const Variant& variant, bool on_cuda) const {
  const std::vector<OwnMetric> declared = own_metrics(variant);
  const std::vector<record::Metric> own(declared.begin(), declared.end());
  // A case's own metric may be primary in place of the time: a load test is gated on its percentile, not on its loop.
  const bool own_primary = std::any_of(own.begin(), own.end(), [](const auto& metric) { return metric.primary; });
  std::vector<record::Metric> metrics = standard_metrics(!own_primary);
  if (cold_launches_) {
    for (const char* name : {build_time_metric, first_call_metric, load_time_metric}) metrics.push_back(ns(name));
  }
  if (ranks_ > 1) {
    for (const char* name : {"collective_calls", "collective_bytes"}) {
      const bool bytes = std::string_view(name) == "collective_bytes";
      metrics.push_back(
          {name, bytes ? "bytes" : "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
    }
  }
  if (compared_with_reference(variant)) {
    metrics.push_back({output_error, "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
  }
  for (const std::string& name : left_out_) {
    // The reference's output is compared with nothing.
    if (name == output_error && !compared_with_reference(variant)) continue;
    const auto is_it = [&](const auto& m) { return m.name == name && m.kind == record::MetricKind::exact; };
    if (std::erase_if(metrics, is_it) == 0) {
      throw std::logic_error(name_ + ": without(\"" + name + "\"): unknown exact metric");
    }
  }
  if (on_cuda && !cold_launches_) {
    const std::vector<record::Metric> device = device_metrics(has_graphs(variant));
    metrics.insert(metrics.end(), device.begin(), device.end());
  }
  metrics.insert(metrics.end(), own.begin(), own.end());
  for (const std::vector<std::string>* gated : {&gated_, &variant.gated}) {
    for (const std::string& name : *gated) {
      record::Metric* metric = find_metric(metrics, name);
      if (metric == nullptr && name == output_error) continue;
      if (metric == nullptr || metric->kind == record::MetricKind::timed) {
        throw std::logic_error(name_ + "/" + variant.name + ": gates(\"" + name +
                               "\"): unknown exact metric; the primary timed metric is gated anyway");
      }
      metric->gated = true;
    }
  }
  return metrics;
}

// A custom check, or none, gives no distance.
bool Group::compared_with_reference(const Variant& variant) const {
  return variants_.front().is_reference && !variant.is_reference && !variant.check;
}

bool Group::is_in(const std::string& profile, const Instance& instance) const {
  for (const std::vector<LeftOut>* list : {&left_out_by_profile_, &instance.variant->left_out}) {
    for (const LeftOut& left_out : *list) {
      if (level_of(profile) <= level_of(left_out.by) && selected(left_out.where, instance.args)) return false;
    }
  }
  const std::vector<Selection>& quick = instance.variant->quick.empty() ? quick_ : instance.variant->quick;
  return profile != "quick" || quick.empty() || any_selected(quick, instance.args);
}

std::optional<std::int64_t> Group::sample_count(const Variant& variant) const {
  return variant.samples ? variant.samples : samples_;
}

void Group::check_names() const {
  const auto check_name = [&](const std::string& what, const std::string& text) {
    if (is_name(text)) return;
    throw std::logic_error(name_ + ": " + what + " \"" + text +
                           "\" is part of case names: use only letters, digits and _ . + -");
  };
  check_name("group", name_.substr(name_.find('/') + 1));
  check_name("suite", suite_);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const auto& [axis, values] = axes_[i];
    check_name("axis", axis);
    if (values.empty()) throw std::logic_error(name_ + ": axis \"" + axis + "\" has no values");
    for (std::size_t j = 0; j < i; ++j) {
      if (axes_[j].first == axis) throw std::logic_error(name_ + ": duplicate axis \"" + axis + "\"");
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
      check_name("value of axis " + axis, to_string(*value));
      if (std::find(values.begin(), value, *value) != value) {
        throw std::logic_error(name_ + ": axis \"" + axis + "\": duplicate value " + to_string(*value));
      }
    }
  }
  for (const Need& need : needs_) check_selection(name_ + ": needs()", need.where);
  for (const Selection& where : quick_) check_selection(name_ + ": quick()", where);
  for (const LeftOut& each : left_out_by_profile_) check_selection(name_ + ": only_in() or not_in()", each.where);
  for (const Variant& variant : variants_) {
    check_name("variant", variant.name);
    check_metrics(variant);
    check_modifiers(variant);
    check_own_process(variant);
  }
}

void Group::check_modifiers(const Variant& variant) const {
  const std::string of = name_ + "/" + variant.name + ": ";
  for (const Selection& where : variant.only) check_selection(of + "only()", where);
  for (const Need& need : variant.needs) check_selection(of + "needs()", need.where);
  for (const Selection& where : variant.quick) check_selection(of + "quick()", where);
  for (const LeftOut& each : variant.left_out) check_selection(of + "only_in() or not_in()", each.where);
  for (const auto& [expectation, where] : variant.expectations) {
    check_selection(of + "proves()", where);
    if (expectation.metric.empty()) continue;
    auto metrics = metrics_of(variant, true);
    const record::Metric* metric = find_metric(metrics, expectation.metric);
    if (metric == nullptr || metric->kind == record::MetricKind::timed)
      throw std::logic_error(of + "proves(): \"" + expectation.metric + "\" is not an exact metric of it");
  }
}

void Group::check_own_process(const Variant& variant) const {
  const std::string of = name_ + "/" + variant.name + ": ";
  if (ranks_ > 1 && has_own_process(variant))
    throw std::logic_error(of + "cold(), environment(), threads() and cpus() are not possible with ranks()");
  if (cold_launches_ && (samples_ || variant.samples))
    throw std::logic_error(of + "samples() is not possible with cold(), whose samples are launches: cold(5)");
}

void Group::check_metrics(const Variant& variant) const {
  const std::string where = name_ + "/" + variant.name + ": ";
  for (const OwnMetric& own : own_metrics(variant)) {
    const std::string metric = where + "metric \"" + own.name() + "\": ";
    if (own.is_pooled() && own.metric().kind == record::MetricKind::exact)
      throw std::logic_error(metric + "pooled() and exact() exclude each other");
    if (own.is_of_all_ranks() && ranks_ == 1) throw std::logic_error(metric + "of_all_ranks() needs ranks()");
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

std::vector<Args> Group::combinations() const {
  std::vector<std::vector<std::pair<std::string, AxisValue>>> product{{}};
  for (const auto& [axis, values] : axes_) {
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
  for (auto& values : product) all.emplace_back(std::move(values), seed_of(name_));
  return all;
}

record::Case Group::case_of(const Variant& variant, const Args& args) const {
  record::Case definition;
  definition.name = case_name(name_, variant.name, args);
  definition.suite = suite_;
  definition.group = name_;
  definition.variant = variant.name;
  for (const auto& [axis, value] : args.values()) definition.parameters.push_back({axis, to_string(value)});
  definition.device = args.device();
  definition.protocol = definition.device == "cuda" ? device_protocol : "cpu-wall/1";
  if (cold_launches_) definition.protocol = cold_protocol;
  definition.input_seed = args.seed();
  definition.metrics = metrics_of(variant, definition.device == "cuda");
  definition.items_per_call = per_call(definition.name + ": items()", items_, args);
  definition.bytes_per_call = per_call(definition.name + ": bytes()", bytes_, args);
  return definition;
}

std::vector<Group::Instance> Group::instances() const {
  if (!mistake_.empty()) throw std::logic_error(mistake_);
  if (variants_.empty()) throw std::logic_error(name_ + ": no variants");
  check_names();
  const bool has_devices =
      std::any_of(axes_.begin(), axes_.end(), [](const auto& axis) { return axis.first == "device"; });
  if (ranks_ > 1 && has_devices) {
    // A device's own samples are planned by each process for itself; ranks would make different numbers of calls.
    throw std::logic_error(name_ +
                           ": devices() is not possible with ranks(); several ranks are measured on the CPU only");
  }
  std::vector<Instance> all;
  for (const Args& args : combinations()) {
    for (const Variant& variant : variants_) {
      if (!variant.only.empty() && !any_selected(variant.only, args)) continue;
      Instance instance;
      instance.variant = &variant;
      instance.args = args;
      instance.definition = case_of(variant, args);
      if (variants_.front().is_reference && !variant.is_reference) {
        instance.reference_case = case_name(name_, variants_.front().name, args);
      }
      all.push_back(std::move(instance));
    }
  }
  return all;
}

// `what` names the owner of the selection in messages.
void Group::check_selection(const std::string& what, const Selection& selection) const {
  for (const auto& [name, value] : selection) {
    const auto axis =
        std::find_if(axes_.begin(), axes_.end(), [&name = name](const auto& a) { return a.first == name; });
    if (axis == axes_.end()) throw std::logic_error(what + " names an unknown axis: " + name);
    if (std::find(axis->second.begin(), axis->second.end(), value) == axis->second.end()) {
      throw std::logic_error(what + " names an unknown case: " + name + ":" + to_string(value));
    }
  }
}

}  // namespace torchgate::bench
