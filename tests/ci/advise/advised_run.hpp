// SPDX-License-Identifier: Apache-2.0
// A run of one process that is made for a practice, and what `advise` says about it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ci/advise/advise.hpp"

namespace torchgate::advise::testing {

using record::OperatorUse;
using reports::AdviceAnswer;
using reports::AdviceRow;

constexpr auto yes = AdviceAnswer::followed;
constexpr auto no = AdviceAnswer::not_followed;
constexpr auto na = AdviceAnswer::not_applicable;

class AdvisedRun {
 public:
  AdvisedRun() {
    run.id = "0123456789abcdef";
    run.sides.resize(1);
    run.processes.resize(1);
  }
  AdvisedRun& add(const std::string& name, const std::string& device = "cpu") {
    record::Case definition;
    definition.name = name;
    definition.group = "g/one";
    definition.variant = name.substr(name.rfind('/') + 1);
    definition.device = device;
    run.cases.push_back(definition);
    record::CaseResult result;
    result.name = name;
    run.processes.front().cases.push_back(result);
    return *this;
  }
  // A case of the variant v that handles so many items in a call.
  AdvisedRun& add_sized(int items) {
    add("g/one/v/batch:" + std::to_string(items));
    record::Case& definition = run.cases.back();
    definition.variant = "v";
    definition.parameters = {{"batch", std::to_string(items)}};
    definition.items_per_call = items;
    return *this;
  }
  AdvisedRun& exact(const std::string& metric, double value) {
    record::Measurement m;
    m.metric = metric;
    m.value = value;
    last().measurements.push_back(m);
    return *this;
  }
  AdvisedRun& timed(const std::string& metric, double median) {
    record::Measurement m;
    m.metric = metric;
    m.summary.emplace();
    m.summary->n = 5;
    m.summary->median = median;
    last().measurements.push_back(m);
    return *this;
  }
  // One observed call of 100 us.
  AdvisedRun& profile(std::vector<OperatorUse> operators) {
    record::OperatorProfile made;
    made.passes = 5;
    made.call_ns = 100'000;
    made.operators = std::move(operators);
    last().profile = std::move(made);
    return *this;
  }
  AdvisedRun& fact(const std::string& name, const std::string& value) {
    run.machine.facts.push_back({name, value, "", record::FactClass::warn});
    return *this;
  }
  [[nodiscard]] AdviceRow row(const std::string& id) const {
    for (AdviceRow& each : advise(run).rows) {
      if (each.id == id) return each;
    }
    throw std::logic_error("no practice " + id);
  }
  [[nodiscard]] AdviceAnswer answer(const std::string& id) const { return row(id).answer; }
  /// What the worst case says.
  [[nodiscard]] std::string evidence(const std::string& id) const {
    const AdviceRow found = row(id);
    return found.evidence.empty() ? "" : found.evidence.front().text;
  }
  /// Negative where it is not known.
  [[nodiscard]] double saves(const std::string& id) const { return row(id).saves.value_or(-1); }

  record::Run run;

 private:
  record::CaseResult& last() { return run.processes.front().cases.back(); }
};

inline AdvisedRun one_case(const std::string& device = "cpu") {
  AdvisedRun made;
  made.add("g/one/v", device);
  return made;
}

/// That a case is one of training.
inline const OperatorUse& backward() {
  static const OperatorUse use{"autograd::engine::evaluate_function: MmBackward0", "", 1, 1};
  return use;
}

}  // namespace torchgate::advise::testing
