// SPDX-License-Identifier: Apache-2.0
// Whether two definitions of one name are the same case. Numbers of other inputs, arguments, units or of other work are those of another case.
#pragma once

#include <optional>
#include <string>

#include "harness/record/case.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Work that differs by less is the same: medians of an even number of samples are not exactly reciprocal, and a smaller change is never
/// called one (gate.margin).
inline constexpr double same_work = 0.01;

/// What differs between them, with both values: "its input seed was 1 and is 2"; absent: they are comparable.
std::optional<facts::Fact> identity_differs(const record::Case& before, const record::Case& after);

/// A stored case is the one that was measured now: nothing differs, and it is known of which benchmark its values are.
bool is_same_case(const record::Case& stored, const record::Case& now);

/// What differs between two metrics of one name.
std::optional<facts::Fact> meaning_differs(const record::Metric& before, const record::Metric& after);

/// The metric of that name; nullptr: the case has none.
const record::Metric* metric_named(const record::Case& definition, const std::string& name);

}  // namespace torchgate::gate
