// SPDX-License-Identifier: Apache-2.0
// From what the author of a group claims to claims about its cases.
#include <algorithm>
#include <stdexcept>

#include "harness/bench/run/group_cases.hpp"
#include "harness/bench/run/requirements.hpp"

namespace torchgate::bench {
namespace {

// REQUIRES: each term has one value.
Args replaced(const Args& args, const Where& where) {
  auto values = args.values();
  for (auto& [axis, value] : values) {
    for (const auto& [name, others] : where.terms) {
      if (name == axis) value = others.front();
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
void GroupCases::check_promise(const VariantDescription& variant, const ClaimDescription& claimed) const {
  const auto& [promise, where, needs] = claimed;
  const std::string claim = of_.name + "/" + variant.name + ": claim \"" + promise.text + "\"";
  const Scaled& bound = promise.bound;
  check_selection(claim, bound.where);
  for (const auto& [axis, values] : bound.where.terms) {
    if (values.size() != 1) throw std::logic_error(claim + ": case_with() takes one value of an axis: " + axis);
  }
  check_selection(claim, where);
  const auto metric = metric_named(metrics_of(variant, true), promise.quantity.metric);
  if (!metric) throw std::logic_error(claim + " names an unknown metric");
  if (promise.quantity.quantile != record::Quantile::median && metric->kind == record::MetricKind::exact)
    throw std::logic_error(claim + ": an exact metric has no percentiles");
  if (promise.quantity.rate && !of_.items)
    throw std::logic_error(claim + " needs items(), the number of items that a call processes");
  if (promise.limit) {
    if (metric->kind == record::MetricKind::timed || metric->unit != "bytes")
      throw std::logic_error(claim + ": absolute() bounds only an exact metric in bytes");
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
  const VariantDescription* other = bound.variant ? find(*bound.variant) : &of_.variants.front();
  if (other == nullptr) throw std::logic_error(claim + " names an unknown variant: " + *bound.variant);
  if (bound.variant && other == &variant) throw std::logic_error(claim + " compares a value with itself");
  if (bound.where.terms.empty() && !metric_named(metrics_of(*other, true), promise.quantity.metric)) {
    throw std::logic_error(claim + ": " + (bound.variant ? other->name : "the reference") +
                           " does not measure this metric");
  }
}

const VariantDescription* GroupCases::find(const std::string& variant) const {
  const auto found = std::find_if(of_.variants.begin(), of_.variants.end(),
                                  [&](const VariantDescription& each) { return each.name == variant; });
  return found == of_.variants.end() ? nullptr : &*found;
}

// Empty for a bound that is not a case.
std::string GroupCases::reference_of(const Promise& promise, const CaseInstance& instance) const {
  const Scaled& bound = promise.bound;
  if (promise.limit) return "";
  if (bound.own) return instance.definition.name;
  if (bound.variant) return case_name(of_.name, *bound.variant, instance.args);
  if (bound.where.terms.empty()) return instance.reference_case;
  return case_name(of_.name, instance.variant->name, replaced(instance.args, bound.where));
}

void GroupCases::add_claims(const VariantDescription& variant, const ClaimDescription& claimed,
                            const std::vector<CaseInstance>& instances, const Backend* backend,
                            std::vector<record::Claim>& claims) const {
  const auto& [promise, where, needs] = claimed;
  const std::size_t before = claims.size();
  for (const CaseInstance& instance : instances) {
    if (instance.variant->name != variant.name || !selected(where, instance.args)) continue;
    const std::string reference = reference_of(promise, instance);
    const bool is_own = promise.bound.own.has_value();
    if (reference == instance.definition.name && !is_own) continue;  // the starting point of a sweep has no claim
    const std::string claim = of_.name + "/" + variant.name + ": claim \"" + promise.text + "\"";
    const auto require = [&](const record::Case& definition, const std::string& metric) {
      if (metric_named(definition.metrics, metric)) return;
      throw std::logic_error(claim + ": " + definition.name +
                             " does not have this metric; select the device with `cuda`");
    };
    require(instance.definition, promise.quantity.metric);
    if (!promise.limit) {
      const auto other = std::find_if(instances.begin(), instances.end(),
                                      [&](const auto& i) { return i.definition.name == reference; });
      if (other == instances.end()) throw std::logic_error(claim + " compares with an unknown case: " + reference);
      require(other->definition, is_own ? promise.bound.own->metric : promise.quantity.metric);
    }
    claims.push_back(concrete(promise, instance.definition.name, reference));
    if (backend != nullptr) claims.back().not_claimed = first_unmet(needs, instance.args, *backend);
  }
  if (claims.size() == before) {
    throw std::logic_error(of_.name + "/" + variant.name + ": claim \"" + promise.text + "\" selects no cases");
  }
}

record::Group GroupCases::definition(const std::vector<CaseInstance>& instances, const Backend* backend) const {
  record::Group group;
  group.name = of_.name;
  group.suite = of_.suite;
  if (of_.has_reference()) group.reference = of_.variants.front().name;
  group.ranks = of_.ranks;
  for (const VariantDescription& variant : of_.variants) {
    for (const ClaimDescription& claimed : variant.promises) {
      check_promise(variant, claimed);
      add_claims(variant, claimed, instances, backend, group.claims);
    }
  }
  return group;
}

}  // namespace torchgate::bench
