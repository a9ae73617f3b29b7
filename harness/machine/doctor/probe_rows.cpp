// SPDX-License-Identifier: Apache-2.0
// timer, self_test: measured, not read.
#include "harness/machine/doctor/build_kind.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// With a clock coarser than 1 % of the shortest sample, its resolution dominates.
constexpr double largest_step_share = 0.01;

}  // namespace

MachineCheck timer_row(const std::optional<double>& timer_ns, double shortest_sample_ns) {
  if (!timer_ns) return unknown("timer", "the clock did not advance in 100,000 reads");
  const std::string seen = "clock resolution " + short_number(*timer_ns) + " ns, shortest sample " +
                           short_number(shortest_sample_ns / 1000) + " us";
  return *timer_ns > largest_step_share * shortest_sample_ns ? bad("timer", seen) : ok("timer", seen);
}

MachineCheck self_test_row(const std::optional<SelfTest>& test) {
  const auto worst = test ? variation_percent(*test) : std::nullopt;
  if (!worst) return unknown("self_test", test ? "too few samples" : "not run");
  std::string seen = "repetitions of the same loop vary by";
  for (const SelfTest::Loop& loop : test->loops)
    seen +=
        (&loop == test->loops.data() ? " " : ", ") + short_number(*variation_percent(loop)) + " % (" + loop.name + ")";
  if (*worst > hopeless_variation_percent)
    return bad("self_test", seen + ": small changes cannot be detected on this machine");
  if (*worst > doubtful_variation_percent) return bad("self_test", seen);
  return ok("self_test", seen);
}

Probes probe() {
  return {timer_resolution_ns(), run_self_test(), build_kind()};
}

}  // namespace torchgate::machine::doctor
