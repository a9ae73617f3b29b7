// SPDX-License-Identifier: Apache-2.0
// Reports as the gate would fill them, by the situation they stand for. Shared by the tests of every format.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports::models {

Report all_pass();
Report confirmed_regression();
Report suspected_unconfirmed();
Report suspected_fails();
Report below_gate();
Report over_budget();
Report layout();
/// Times left three cases open; instructions decide one of them.
Report counted_regression();
/// Less than half was decided: no pass.
Report too_few_decided();
Report failed_wrong_missing();
Report exact_change();
Report no_baseline();
Report host_differs();
Report claims_broken();
Report interleaved();
Report in_turns();
Report since_pin();
Report textbook_rule();
Report hostile_names();
Report unknown_everywhere();
/// 500 regressed cases: more than fits into a comment.
/// Eleven of twelve cases of one benchmark became slower, none of the other: 24 pairs each.
Report one_of_two_benchmarks();
Report five_hundred_rows();

struct Named {
  std::string name;
  Report report;
};
/// How GoogleTest names it.
inline void PrintTo(const Named& named, std::ostream* out) {
  *out << named.name;
}
std::vector<Named> all();

}  // namespace torchgate::reports::models
