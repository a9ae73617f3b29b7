// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/promise.hpp"

#include <cmath>
#include <sstream>

namespace torchgate::bench {
namespace {

std::string short_number(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

const char* sign_of(record::Relation relation) {
  return relation == record::Relation::at_most ? "<=" : ">=";
}

Promise promise(Quantity quantity, record::Relation relation, Scaled bound) {
  Promise promise;
  promise.text = quantity.text + " " + sign_of(relation) + " " + short_number(bound.factor) + " x " + bound.text;
  const double speedup = quantity.rate ? bound.factor : 1 / bound.factor;
  const bool bounds_time =
      quantity.metric == "time" && relation == (quantity.rate ? record::Relation::at_least : record::Relation::at_most);
  constexpr double rounding = 1e-9;  // 1 / 1.05 is a time claim too
  if (!(bound.factor > 0) || !std::isfinite(bound.factor)) {
    promise.mistake = "invalid claim, its factor must be positive: " + promise.text;
  } else if (bounds_time && speedup >= 1 && speedup < least_time_claim - rounding) {
    promise.mistake = "invalid claim \"" + promise.text + "\": a time claim must be at least " +
                      short_number(least_time_claim) +
                      "x; claim another metric that this variant improves, or bound its cost by a factor above 1";
  }
  promise.quantity = std::move(quantity);
  promise.relation = relation;
  promise.bound = std::move(bound);
  return promise;
}

Promise limited(Quantity quantity, record::Relation relation, ByteBound limit) {
  Promise promise;
  promise.text = quantity.text + " " + sign_of(relation) + " " + std::to_string(limit.bytes) + " bytes";
  if (limit.bytes <= 0)
    promise.mistake = "invalid claim, its bound must be above 0; use proves() for 0: " + promise.text;
  promise.quantity = std::move(quantity);
  promise.relation = relation;
  promise.limit = limit;
  return promise;
}

}  // namespace

Scaled case_with(const Where& value) {
  std::string text = "at";
  for (const auto& [axis, values] : value.terms) {
    for (const AxisValue& each : values) text += " " + axis + ":" + to_string(each);
  }
  return {1, value, {}, {}, std::move(text)};
}

Scaled operator*(double factor, Scaled scaled) {
  scaled.factor *= factor;
  return scaled;
}

Promise operator<=(Quantity quantity, Scaled bound) {
  return promise(std::move(quantity), record::Relation::at_most, std::move(bound));
}
Promise operator>=(Quantity quantity, Scaled bound) {
  return promise(std::move(quantity), record::Relation::at_least, std::move(bound));
}
Promise operator<=(Quantity quantity, ByteBound limit) {
  return limited(std::move(quantity), record::Relation::at_most, limit);
}
Promise operator>=(Quantity quantity, ByteBound limit) {
  return limited(std::move(quantity), record::Relation::at_least, limit);
}

record::Claim concrete(const Promise& promise, const std::string& case_name, const std::string& reference_case) {
  record::Claim claim;
  claim.case_name = case_name;
  claim.metric = promise.quantity.metric;
  claim.quantile = promise.quantity.quantile;
  claim.text = promise.text;
  claim.relation = promise.relation;
  if (promise.limit) {
    claim.limit = static_cast<double>(promise.limit->bytes);
    return claim;
  }
  claim.reference_case = reference_case;
  claim.reference_quantile = claim.quantile;
  if (const auto& own = promise.bound.own) {
    claim.reference_quantile = own->quantile;
    if (own->metric != claim.metric) claim.reference_metric = own->metric;
  }
  claim.ratio = promise.bound.factor;
  if (promise.quantity.rate) {
    // rate >= f * rate_ref  <=>  time per item <= time per item of the reference / f
    claim.per_item = true;
    claim.ratio = 1 / promise.bound.factor;
    claim.relation =
        promise.relation == record::Relation::at_least ? record::Relation::at_most : record::Relation::at_least;
  }
  return claim;
}

}  // namespace torchgate::bench
