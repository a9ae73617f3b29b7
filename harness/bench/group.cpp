// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/group.hpp"

#include <algorithm>
#include <stdexcept>

namespace torchgate::bench {
namespace {

// Inputs are seeded by the group, so that every variant and every run gets the same ones. FNV-1a: stable for ever and
// on every platform, unlike std::hash.
std::uint64_t seed_of(const std::string& name) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash & 0x7fffffffULL;  // torch::manual_seed and JSON readers of other languages take 31 bits without surprises
}

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

Args replaced(const Args& args, const Selection& selection) {
  auto values = args.values();
  for (auto& [axis, value] : values) {
    for (const auto& [name, other] : selection) {
      if (name == axis) value = other;
    }
  }
  return {std::move(values), args.seed()};
}

std::vector<record::Metric> standard_metrics(const Group& group) {
  using record::Direction;
  using record::MetricKind;
  std::vector<record::Metric> metrics{
      {"time", "ns", Direction::lower_is_better, MetricKind::timed, true},
      {"cpu_time", "ns", Direction::lower_is_better, MetricKind::timed, false},
      {"operator_calls", "1", Direction::lower_is_better, MetricKind::exact, false},
      {"allocations", "1", Direction::lower_is_better, MetricKind::exact, false},
      {"allocated_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false},
      {"peak_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false}};
  metrics.insert(metrics.end(), group.own_metrics().begin(), group.own_metrics().end());
  return metrics;
}

}  // namespace

Group::Group(std::string name) : name_(std::move(name)) {
  const auto slash = name_.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == name_.size() ||
      name_.find('/', slash + 1) != std::string::npos) {
    mistake("a group's name has to be \"suite/group\"");
  }
  suite_ = name_.substr(0, slash);
}

Group& Group::axis(std::string name, std::initializer_list<int> numbers) {
  std::vector<AxisValue> values;
  for (const int number : numbers) values.emplace_back(std::int64_t{number});
  axes_.emplace_back(std::move(name), std::move(values));
  return *this;
}

Group& Group::axis(std::string name, std::initializer_list<const char*> words) {
  std::vector<AxisValue> values;
  for (const char* word : words) values.emplace_back(std::string(word));
  axes_.emplace_back(std::move(name), std::move(values));
  return *this;
}

Group& Group::devices() {
  return axis("device", {"cpu", "cuda"});
}

Group& Group::items(const std::string& axis) {
  return items([axis](const Args& args) { return static_cast<double>(args.number(axis)); });
}

Group& Group::items(std::function<double(const Args&)> per_call) {
  items_ = std::move(per_call);
  return *this;
}

Group& Group::training() {
  training_ = true;
  return *this;
}

Group& Group::measures(record::Metric metric) {
  metrics_.push_back(std::move(metric));
  return *this;
}

Group& Group::add(Variant variant) {
  for (const Variant& other : variants_) {
    if (other.name == variant.name) return mistake("variant \"" + variant.name + "\" is there twice");
  }
  variants_.push_back(std::move(variant));
  return *this;
}

Group& Group::reference(std::string name, Factory factory) {
  if (!variants_.empty()) return mistake("the reference has to be the first variant, and the only one");
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  variant.is_reference = true;
  return add(std::move(variant));
}

Group& Group::variant(std::string name, Factory factory, Tolerance tolerance) {
  if (variants_.empty() || !variants_.front().is_reference) {
    return mistake("variant \"" + name + "\" needs a reference before it; without one, use sweep()");
  }
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  variant.tolerance = tolerance;
  return add(std::move(variant));
}

Group& Group::sweep(std::string name, Factory factory) {
  if (!variants_.empty() && variants_.front().is_reference) {
    return mistake("a group with a reference has variants, not sweeps");
  }
  Variant variant;
  variant.name = std::move(name);
  variant.factory = std::move(factory);
  return add(std::move(variant));
}

Variant* Group::current(const char* modifier) {
  if (!variants_.empty()) return &variants_.back();
  mistake(std::string(modifier) + "() stands before the first variant");
  return nullptr;
}

Group& Group::mistake(const std::string& what) {
  if (mistake_.empty()) mistake_ = name_ + ": " + what;
  return *this;
}

Group& Group::needs(std::string requirement) {
  return needs(std::move(requirement), Requirement{});
}

Group& Group::needs(std::string name, Requirement test) {
  (variants_.empty() ? needs_ : variants_.back().needs).push_back({std::move(name), std::move(test)});
  return *this;
}

Group& Group::checks(CheckFunction check) {
  if (Variant* variant = current("checks")) variant->check = std::move(check);
  return *this;
}

Group& Group::proves(Expectation expectation) {
  if (Variant* variant = current("proves")) variant->expectations.push_back(std::move(expectation));
  return *this;
}

Group& Group::claims(Promise promise, const Where& where) {
  Variant* variant = current("claims");
  if (variant == nullptr) return *this;
  if (!promise.mistake.empty()) return mistake(variant->name + ": " + promise.mistake);
  if (promise.bound.where.empty() && (variant->is_reference || !variants_.front().is_reference)) {
    return mistake(variant->name + ": only a variant can be compared with reference(); a sweep uses at()");
  }
  variant->promises.emplace_back(std::move(promise), where.selection);
  return *this;
}

std::vector<Args> Group::combinations() const {
  std::vector<std::vector<std::pair<std::string, AxisValue>>> product{{}};
  for (const auto& [axis, values] : axes_) {
    if (values.empty()) throw std::logic_error(name_ + ": axis \"" + axis + "\" has no values");
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

std::vector<Group::Instance> Group::instances() const {
  if (!mistake_.empty()) throw std::logic_error(mistake_);
  if (variants_.empty()) throw std::logic_error(name_ + ": a group without a variant measures nothing");
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (axes_[i].first == axes_[j].first)
        throw std::logic_error(name_ + ": axis \"" + axes_[i].first + "\" is there twice");
    }
  }
  std::vector<Instance> all;
  for (const Args& args : combinations()) {
    for (const Variant& variant : variants_) {
      Instance instance;
      instance.variant = &variant;
      instance.args = args;
      record::Case& definition = instance.definition;
      definition.name = case_name(name_, variant.name, args);
      definition.suite = suite_;
      definition.group = name_;
      definition.variant = variant.name;
      for (const auto& [axis, value] : args.values()) definition.parameters.push_back({axis, to_string(value)});
      definition.device = args.device();
      definition.protocol = definition.device == "cuda" ? "cuda-wall-sync/1" : "cpu-wall/1";
      definition.input_seed = args.seed();
      if (items_) definition.items_per_call = items_(args);
      definition.metrics = standard_metrics(*this);
      if (variants_.front().is_reference && !variant.is_reference) {
        instance.reference_case = case_name(name_, variants_.front().name, args);
      }
      all.push_back(std::move(instance));
    }
  }
  return all;
}

record::Group Group::definition(const std::vector<Instance>& instances) const {
  record::Group group;
  group.name = name_;
  group.suite = suite_;
  if (variants_.front().is_reference) group.reference = variants_.front().name;
  for (const Variant& variant : variants_) {
    for (const auto& [promise, where] : variant.promises) {
      bool any = false;
      for (const Instance& instance : instances) {
        if (instance.variant->name != variant.name || !selected(where, instance.args)) continue;
        const std::string reference =
            promise.bound.where.empty() ? instance.reference_case
                                        : case_name(name_, variant.name, replaced(instance.args, promise.bound.where));
        if (reference == instance.definition.name) continue;  // a sweep's own starting point promises nothing
        const bool known = std::any_of(instances.begin(), instances.end(),
                                       [&](const Instance& other) { return other.definition.name == reference; });
        if (!known)
          throw std::logic_error(name_ + ": claim \"" + promise.text +
                                 "\" compares with a case that is not there: " + reference);
        group.claims.push_back(concrete(promise, instance.definition.name, reference));
        any = true;
      }
      if (!any) throw std::logic_error(name_ + "/" + variant.name + ": claim \"" + promise.text + "\" selects no case");
    }
  }
  return group;
}

namespace {
std::vector<Group>& groups() {
  static std::vector<Group> all;
  return all;
}
}  // namespace

const std::vector<Group>& registered_groups() {
  return groups();
}

Registration::Registration(const Group& group) {
  groups().push_back(group);
}

}  // namespace torchgate::bench
