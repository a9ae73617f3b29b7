// SPDX-License-Identifier: Apache-2.0
// Facts as JSON: the kind of each and its values under their names.
#pragma once

#include "harness/json/json_writer.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::reports {

/// {"kind": "within_of_pairs", "margin": 0.05, "pairs": 20}: shares as ratios, a quantity with its unit, facts in facts as such objects.
void put_fact(json::JsonWriter& json, const facts::Fact& fact);
void put_facts(json::JsonWriter& json, const facts::Facts& all);

}  // namespace torchgate::reports
