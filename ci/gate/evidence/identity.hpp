// SPDX-License-Identifier: Apache-2.0
// Whether two definitions of one name are the same case. Numbers of other inputs, arguments or units are those of another case.
#pragma once

#include <optional>
#include <string>

#include "harness/record/case.hpp"

namespace torchgate::gate {

/// What differs between them, with both values: "its input seed was 1 and is 2"; absent: they are comparable.
std::optional<std::string> identity_differs(const record::Case& before, const record::Case& after);

/// The same of a metric of one name.
std::optional<std::string> meaning_differs(const record::Metric& before, const record::Metric& after);

/// The metric of that name; nullptr: the case has none.
const record::Metric* metric_named(const record::Case& definition, const std::string& name);

}  // namespace torchgate::gate
