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

Request resumed(Request request, std::shared_ptr<const Unfinished> unfinished) {
  request.plan = unfinished->run.plan;
  request.save_as = unfinished->save_as;
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
