// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/request.hpp"

#include <utility>

namespace torchgate::launch {

machine::FactSources sources_of(const Request& request) {
  machine::FactSources sources = request.machine;
  for (const record::Parameter& each : request.environment) sources.environment[each.name] = each.value;
  for (const std::string& name : request.unset) sources.environment.erase(name);
  return sources;
}

record::CountPlan count_plan(const CountRequest& request) {
  const char* const counter = request.counter == Counter::callgrind  ? "callgrind"
                              : request.counter == Counter::hardware ? "hardware"
                                                                     : "any";
  return {counter, request.processes, request.calls};
}

CountRequest count_request(const record::CountPlan& plan) {
  CountRequest request;
  request.counter = plan.counter == "callgrind"  ? Counter::callgrind
                    : plan.counter == "hardware" ? Counter::hardware
                                                 : Counter::any;
  request.processes = plan.processes;
  request.calls = plan.calls;
  return request;
}

CountRequest count_request(Counter counter, const std::string& profile) {
  CountRequest request;
  request.counter = counter;
  if (profile == "quick") request.processes = request.calls = 1;
  return request;
}

Request resumed(Request request, std::shared_ptr<const Unfinished> unfinished) {
  request.plan = unfinished->run.plan;
  request.save_as = unfinished->save_as;
  if (request.plan.count) request.count = count_request(*request.plan.count);
  request.sides.clear();
  for (const record::Side& side : unfinished->run.sides) {
    request.sides.emplace_back();
    request.sides.back().label = side.label;
    request.sides.back().source = side.source;
    request.sides.back().suites.assign(side.suite_paths.begin(), side.suite_paths.end());
  }
  request.resume = std::move(unfinished);
  return request;
}

}  // namespace torchgate::launch
