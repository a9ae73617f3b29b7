// SPDX-License-Identifier: Apache-2.0
// timer, self_test: measured, not read.
#include "harness/machine/doctor/build_kind.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "harness/machine/doctor/rows.hpp"
#include "harness/record/short_samples.hpp"

namespace torchgate::machine::doctor {

// The sample that cases aim at; a case with shorter ones is judged by itself.
MachineCheck timer_row(const std::optional<double>& timer_ns) {
  if (!timer_ns) return unknown("timer", "the clock did not advance in 100,000 reads");
  const std::string seen = "clock resolution " + short_number(*timer_ns) + " ns, shortest sample " +
                           short_number(nominal_sample_ns / 1000) + " us";
  return *timer_ns > record::largest_step_share * nominal_sample_ns ? bad("timer", seen) : ok("timer", seen);
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
