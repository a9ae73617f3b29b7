// SPDX-License-Identifier: Apache-2.0
// One case under two names: its arguments, their spelling, or how it was run became part of another name. It was measured on both sides
// and cannot be compared; that it is missing, and another one new, would be wrong twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "harness/record/case.hpp"

namespace torchgate::gate {

/// Positions in the lists that were given.
struct RenamedCase {
  std::size_t before = 0;
  std::size_t after = 0;
  /// The names differ in GOMAXPROCS only: one benchmark on another number of CPUs. False where the number may be an argument.
  bool other_cpus = false;
};

/// Which cases that VANISHED are which that APPEARED, under another name. Of one suite, equal but for their arguments: "f/8" and "f/n:8",
/// "f/8" and "f/16", "t.py::f[x]" and "t.py::f[x-fast]", "copy/Device=0 N=1" and "copy/Device=0 N=1 T=F32". Only where one case of each list fits
/// and no other: a sweep of other sizes gives no pairs. Go's benchmarks with another GOMAXPROCS ("Sum-8", "Sum-4") are pairs however many there are,
/// each vanished one with the first that appeared; which suffixes are numbers of CPUs, is known by all names of a side (go_cpus.hpp), so BOTH are the cases that have the
/// same name on both sides. Linear in the sum of the lengths of the names, up to the sorting of the arguments of each.
std::vector<RenamedCase> renamed_cases(const std::vector<const record::Case*>& vanished,
                                       const std::vector<const record::Case*>& appeared,
                                       const std::vector<const record::Case*>& both = {});

/// "was measured on both sides under two names, not comparable: it was f/8 and is f/16 (its parameter n was 8 and is 16)".
facts::Fact renamed(const record::Case& before, const record::Case& after, bool other_cpus);

/// Makes one `not_comparable` of each case that VANISHED (`missing`) and that APPEARED (`new_case`) under another name; both are places in
/// STATES, ascending. It keeps the name of the baseline, by which waivers and settings know it. On another number of CPUs the conditions differ
/// and not the case: then there is no verdict. Returns how many vanished cases it joined.
std::size_t join_renamed(std::vector<Judged>& states, const std::vector<std::size_t>& vanished,
                         const std::vector<std::size_t>& appeared, const std::vector<const record::Case*>& both = {});

/// Cases that one side alone has, where cases of both sides are asked for (--common).
struct LeftOut {
  std::vector<const record::Case*> before;
  std::vector<const record::Case*> after;
};

/// Takes those out that the other side has under another name, and adds them to STATES as `not_comparable`. BOTH: as in renamed_cases().
/// Returns how many it took from each side.
std::int64_t take_renamed(LeftOut& left_out, const std::vector<const record::Case*>& both, std::vector<Judged>& states);

/// Why the other cases forbid a pass: each side has some, and gate.missing of one of the baseline's is "fail". Empty: they do not.
facts::Fact no_part_of_the_other(const LeftOut& left_out, policy::CasePolicies& policies);

}  // namespace torchgate::gate
