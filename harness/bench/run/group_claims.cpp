// SPDX-License-Identifier: Apache-2.0
// From what the author of a group claims to claims about its cases.
#include <algorithm>
#include <stdexcept>

#include "harness/bench/group.hpp"

namespace torchgate::bench {
namespace {

Args replaced(const Args& args, const Selection& selection) {
  auto values = args.values();
  for (auto& [axis, value] : values) {
    for (const auto& [name, other] : selection) {
      if (name == axis) value = other;
    }
  }
  return {std::move(values), args.seed()};
}

std::optional<record::Metric> metric_named(const std::vector<record::Metric>& metrics, const std::string& name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
  if (found == metrics.end()) return std::nullopt;
  return *found;
}

}  // namespace

// Refuses a claim that would never be judged.
void Group::check_promise(const Variant& variant, const Promise& promise, const Selection& where) const {
  const std::string claim = name_ + "/" + variant.name + ": claim \"" + promise.text + "\"";
  const Scaled& bound = promise.bound;
  check_selection(claim, bound.where);
  check_selection(claim, where);
  const auto metric = metric_named(metrics_of(variant, true), promise.quantity.metric);
  if (!metric) throw std::logic_error(claim + " names an unknown metric");
  if (promise.quantity.quantile != record::Quantile::median && metric->kind == record::MetricKind::exact)
    throw std::logic_error(claim + ": an exact metric has no percentiles");
  if (promise.quantity.rate && !items_)
    throw std::logic_error(claim + " needs items(), the number of items that a call processes");
  if (promise.limit) {
    if (metric->kind == record::MetricKind::timed || metric->unit != "bytes")
      throw std::logic_error(claim + ": bytes() bounds only an exact metric in bytes");
    return;
  }
  if (bound.own) {
    const auto other = metric_named(metrics_of(variant, true), bound.own->metric);
    if (!other || other->unit != metric->unit || other->kind != metric->kind || bound.own->rate ||
        promise.quantity.rate)
      throw std::logic_error(claim + " compares two metrics that are not of one unit and kind");
    if (bound.own->metric == promise.quantity.metric && bound.own->quantile == promise.quantity.quantile)
      throw std::logic_error(claim + " compares a value with itself");
    return;
  }
  const Variant* other = bound.variant ? find(*bound.variant) : &variants_.front();
  if (other == nullptr) throw std::logic_error(claim + " names an unknown variant: " + *bound.variant);
  if (bound.variant && other == &variant) throw std::logic_error(claim + " compares a value with itself");
  if (bound.where.empty() && !metric_named(metrics_of(*other, true), promise.quantity.metric)) {
    throw std::logic_error(claim + ": " + (bound.variant ? other->name : "the reference") +
                           " does not measure this metric");
  }
}

const Variant* Group::find(const std::string& variant) const {
  const auto found =
      std::find_if(variants_.begin(), variants_.end(), [&](const Variant& each) { return each.name == variant; });
  return found == variants_.end() ? nullptr : &*found;
}

// Empty for a bound that is not a case.
std::string Group::reference_of(const Promise& promise, const Instance& instance) const {
  const Scaled& bound = promise.bound;
  if (promise.limit) return "";
  if (bound.own) return instance.definition.name;
  if (bound.variant) return case_name(name_, *bound.variant, instance.args);
  if (bound.where.empty()) return instance.reference_case;
  return case_name(name_, instance.variant->name, replaced(instance.args, bound.where));
}

void Group::add_claims(const Variant& variant, const Promise& promise, const Selection& where,
                       const std::vector<Instance>& instances, std::vector<record::Claim>& claims) const {
  const std::size_t before = claims.size();
  for (const Instance& instance : instances) {
    if (instance.variant->name != variant.name || !selected(where, instance.args)) continue;
    const std::string reference = reference_of(promise, instance);
    const bool is_own = promise.bound.own.has_value();
    if (reference == instance.definition.name && !is_own) continue;  // the starting point of a sweep has no claim
    const std::string claim = name_ + "/" + variant.name + ": claim \"" + promise.text + "\"";
    const auto require = [&](const record::Case& definition, const std::string& metric) {
      if (metric_named(definition.metrics, metric)) return;
      throw std::logic_error(claim + ": " + definition.name +
                             " does not have this metric; select the device with {{\"device\", \"cuda\"}}");
    };
    require(instance.definition, promise.quantity.metric);
    if (!promise.limit) {
      const auto other = std::find_if(instances.begin(), instances.end(),
                                      [&](const auto& i) { return i.definition.name == reference; });
      if (other == instances.end()) throw std::logic_error(claim + " compares with an unknown case: " + reference);
      require(other->definition, is_own ? promise.bound.own->metric : promise.quantity.metric);
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
