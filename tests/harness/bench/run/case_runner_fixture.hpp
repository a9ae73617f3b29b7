// SPDX-License-Identifier: Apache-2.0
// Runs cases on a clock and a backend that do what a test says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "harness/bench/run/case_runner.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench::testing {

using record::CaseResult;
using record::CaseStatus;

class CaseRunnerTest : public ::testing::Test {
 protected:
  // A call of `ns` that returns `value`.
  Factory returns(double value, std::int64_t ns = 100 * us) {
    return [this, value, ns](const Args&) -> Timed {
      return [this, value, ns] {
        clock.work(ns);
        return value;
      };
    };
  }
  // A call that throws what `thrower` throws from its n-th call on.
  Factory throws_at(int n, std::function<void()> thrower) {
    return [this, n, thrower](const Args&) -> Timed {
      return [this, n, thrower, calls = 0]() mutable {
        clock.work(100 * us);
        if (++calls >= n) thrower();
        return 1.0;
      };
    };
  }

  CaseResult run(const GroupCases& group, const std::string& name) {
    const auto instances = group.instances();
    CaseRunner runner(backend, SamplerSettings{}, clock);
    for (const auto& instance : instances) {
      if (instance.definition.name == name) return runner.run(group, instance, instances);
    }
    ADD_FAILURE() << "no case " << name;
    return {};
  }
  CaseResult run_sweep(const Factory& factory) {
    return run(described([&](Group& g) { g.sweep("v", factory); }), "s/g/v");
  }
  CaseResult run_variant(const Factory& reference, const Factory& variant, Tolerance tolerance = within(1e-5)) {
    return run(described([&](Group& g) {
                 g.reference("ref", reference);
                 g.variant("v", variant).within(tolerance.relative_l2);
               }),
               "s/g/v");
  }

  static void expect_no_number(const CaseResult& result, CaseStatus status, const std::string& said) {
    EXPECT_EQ(result.status, status);
    EXPECT_TRUE(result.measurements.empty());
    EXPECT_NE(result.message.text().find(said), std::string::npos) << result.message;
  }
  static const record::Measurement& measurement(const CaseResult& result, const std::string& metric) {
    for (const auto& m : result.measurements) {
      if (m.metric == metric) return m;
    }
    throw std::logic_error("no " + metric + "; message: " + result.message.text());
  }

  FakeClock clock;
  FakeBackend backend;
};

inline Observation counts(std::int64_t operators, std::int64_t bytes) {
  Observation observation;
  observation.operator_calls = {{"aten::mm", operators}};
  observation.total_operator_calls = operators;
  observation.allocated_bytes = bytes;
  return observation;
}

}  // namespace torchgate::bench::testing
