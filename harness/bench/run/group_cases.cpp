// SPDX-License-Identifier: Apache-2.0
// From the declarations of a group to its cases and claims.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/group.hpp"
#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {
namespace {

// Inputs are seeded by the group, so that every variant and every run gets the same ones. FNV-1a: the same in every
// version and on every platform, unlike std::hash.
std::uint64_t seed_of(const std::string& name) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash & 0x7fffffffULL;  // torch::manual_seed and the JSON readers of other languages read 31 bits correctly
}

std::string case_name(const std::string& group, const std::string& variant, const Args& args) {
  std::string name = group + "/" + variant;
  for (const auto& [axis, value] : args.values()) name += "/" + axis + ":" + to_string(value);
  return name;
}

Args replaced(const Args& args, const Selection& selection) {
  auto values = args.values();
  for (auto& [axis, value] : values) {
    for (const auto& [name, other] : selection) {
      if (name == axis) value = other;
    }
  }
  return {std::move(values), args.seed()};
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

bool has(const std::vector<record::Metric>& metrics, const std::string& name) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
}

bool is_name(const std::string& text) {
  constexpr std::string_view others = "_.+-";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

}  // namespace

bool selected(const Selection& selection, const Args& args) {
  return std::all_of(selection.begin(), selection.end(), [&](const auto& wanted) {
    return std::find(args.values().begin(), args.values().end(), wanted) != args.values().end();
  });
}

std::vector<record::Metric> Group::own_metrics(const Variant& variant) const {
  std::vector<record::Metric> all = metrics_;
  if (ranks_ > 1)
    all.push_back({rank_spread, "ns", record::Direction::lower_is_better, record::MetricKind::timed, false});
  all.insert(all.end(), variant.metrics.begin(), variant.metrics.end());
  return all;
}

std::vector<record::Metric> Group::metrics_of(const Variant& variant, bool on_cuda) const {
  const std::vector<record::Metric> own = own_metrics(variant);
  // A case's own metric may be primary in place of the time: a load test is gated on its percentile, not on its loop.
  const bool own_primary = std::any_of(own.begin(), own.end(), [](const auto& metric) { return metric.primary; });
  std::vector<record::Metric> metrics = standard_metrics(!own_primary);
  if (ranks_ > 1) {
    for (const char* name : {"collective_calls", "collective_bytes"}) {
      const bool bytes = std::string_view(name) == "collective_bytes";
      metrics.push_back(
          {name, bytes ? "bytes" : "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
    }
  }
  for (const std::string& name : left_out_) {
    const auto is_it = [&](const auto& m) { return m.name == name && m.kind == record::MetricKind::exact; };
    if (std::erase_if(metrics, is_it) == 0) {
      throw std::logic_error(name_ + ": without(\"" + name + "\"): unknown exact metric");
    }
  }
  if (on_cuda) {
    const std::vector<record::Metric> device = device_metrics(has_graphs(variant));
    metrics.insert(metrics.end(), device.begin(), device.end());
  }
  metrics.insert(metrics.end(), own.begin(), own.end());
  return metrics;
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
  for (const Variant& variant : variants_) {
    check_name("variant", variant.name);
    check_metrics(variant);
    check_selection(name_ + "/" + variant.name + ": only()", variant.only);
    for (const Need& need : variant.needs) check_selection(name_ + "/" + variant.name + ": needs()", need.where);
  }
}

void Group::check_metrics(const Variant& variant) const {
  const std::string where = name_ + "/" + variant.name + ": ";
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
  definition.input_seed = args.seed();
  definition.metrics = metrics_of(variant, definition.device == "cuda");
  if (!items_) return definition;
  try {
    definition.items_per_call = items_(args);
  } catch (const std::exception& error) {
    throw std::logic_error(definition.name + ": items(): " + error.what());
  }
  if (!(*definition.items_per_call > 0) || !std::isfinite(*definition.items_per_call)) {
    throw std::logic_error(definition.name + ": items() must be above 0");
  }
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
      if (!selected(variant.only, args)) continue;
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

// Refuses a claim that would never be judged.
void Group::check_promise(const Variant& variant, const Promise& promise, const Selection& where) const {
  const std::string claim = name_ + "/" + variant.name + ": claim \"" + promise.text + "\"";
  check_selection(claim, promise.bound.where);
  check_selection(claim, where);
  const auto has_metric = [&](const Variant& of) { return has(metrics_of(of, true), promise.quantity.metric); };
  if (!has_metric(variant)) throw std::logic_error(claim + " names an unknown metric");
  if (promise.bound.where.empty() && !has_metric(variants_.front())) {
    throw std::logic_error(claim + ": the reference does not measure this metric");
  }
  if (promise.quantity.rate && !items_)
    throw std::logic_error(claim + " needs items(), the number of items that a call processes");
}

void Group::add_claims(const Variant& variant, const Promise& promise, const Selection& where,
                       const std::vector<Instance>& instances, std::vector<record::Claim>& claims) const {
  const std::size_t before = claims.size();
  for (const Instance& instance : instances) {
    if (instance.variant->name != variant.name || !selected(where, instance.args)) continue;
    const std::string reference = promise.bound.where.empty()
                                      ? instance.reference_case
                                      : case_name(name_, variant.name, replaced(instance.args, promise.bound.where));
    if (reference == instance.definition.name) continue;  // the starting point of a sweep has no claim
    const auto other =
        std::find_if(instances.begin(), instances.end(), [&](const auto& i) { return i.definition.name == reference; });
    const std::string claim = name_ + "/" + variant.name + ": claim \"" + promise.text + "\"";
    if (other == instances.end()) throw std::logic_error(claim + " compares with an unknown case: " + reference);
    for (const Instance* one : {&instance, &*other}) {
      if (has(one->definition.metrics, promise.quantity.metric)) continue;
      throw std::logic_error(claim + ": " + one->definition.name +
                             " does not have this metric; select the device with {{\"device\", \"cuda\"}}");
    }
    claims.push_back(concrete(promise, instance.definition.name, reference));
  }
  if (claims.size() == before) {
    throw std::logic_error(name_ + "/" + variant.name + ": claim \"" + promise.text + "\" selects no cases");
  }
}

record::Group Group::definition(const std::vector<Instance>& instances) const {
  record::Group group;
  group.name = name_;
  group.suite = suite_;
  if (variants_.front().is_reference) group.reference = variants_.front().name;
  group.ranks = ranks_;
  for (const Variant& variant : variants_) {
    for (const auto& [promise, where] : variant.promises) {
      check_promise(variant, promise, where);
      add_claims(variant, promise, where, instances, group.claims);
    }
  }
  return group;
}

}  // namespace torchgate::bench
