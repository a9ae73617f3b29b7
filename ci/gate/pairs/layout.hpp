// SPDX-License-Identifier: Apache-2.0
// Pairs whose times differ although every function that the case executes is the same: code or data have other addresses, and no code changed.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// For CASES that PAIRS call regressed or improved, and whose code was compared (Run::code):
///  - every function is the same: `layout`, with the evidence as its reason. The difference of the times stands, and so does its p;
///  - functions changed: they become the first cause;
///  - not known: the reason why not is a note.
/// Nothing where POLICY does not want it: what a record says of code is as trustworthy as its times.
void guard_layout(std::vector<Judged>& cases, const record::Run& pairs, const policy::Gate& policy);

/// "`fold` changed (6 of 40 instructions differ), and 2 more of 212 functions". Absent: none did, or it is not known.
std::optional<facts::Fact> changed_code(const record::CodeComparison& code);
/// "all 212 functions that it executes are identical ...". REQUIRES: code.identical().
facts::Fact same_code(const record::CodeComparison& code);

}  // namespace torchgate::gate
