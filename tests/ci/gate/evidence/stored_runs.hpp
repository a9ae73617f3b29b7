// SPDX-License-Identifier: Apache-2.0
// Two stored runs and a run that is judged against them, to be edited; and how a run loses a case.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {

/// The run lists the case, and no process reports it.
inline void silence_case(record::Run& run, const std::string& name) {
  for (record::Process& process : run.processes)
    std::erase_if(process.cases, [&](const record::CaseResult& each) { return each.name == name; });
}

/// The run does not list the case either.
inline void forget_case(record::Run& run, const std::string& name) {
  std::erase_if(run.cases, [&](const record::Case& each) { return each.name == name; });
  silence_case(run, name);
}

struct StoredRuns {
  record::Run older;
  record::Run newest;
  record::Run current;
  policy::Policy policy = {};
  bool with_older = true;

  [[nodiscard]] Comparison comparison() const {
    Comparison comparison;
    comparison.baseline = {&newest};
    if (with_older) comparison.baseline.push_back(&older);
    comparison.current = &current;
    return comparison;
  }
  [[nodiscard]] reports::Report judge() const {
    auto report = judge_stored(comparison(), policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
};

}  // namespace torchgate::gate::testing
