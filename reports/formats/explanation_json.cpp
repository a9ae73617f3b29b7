// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "reports/formats/explanation_text.hpp"

namespace torchgate::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json side_json(const SideHeader& side) {
  return {{"label", side.label},
          {"runs", side.run_ids},
          {"commit", side.commit ? Json(*side.commit) : Json(nullptr)},
          {"created", side.created}};
}

Json counts_json(const std::vector<CountChange>& counts) {
  Json json = Json::array();
  for (const CountChange& each : counts)
    json.push_back({{"name", each.name}, {"unit", each.unit}, {"before", each.before}, {"after", each.after}});
  return json;
}

}  // namespace

std::string explanation_json(const Explanation& e) {
  Json json = {{"schema", "torchgate.explanation/1"},
               {"case", e.case_name},
               {"before", side_json(e.before)},
               {"after", side_json(e.after)},
               {"unit", e.unit},
               {"time_before", number_or_null(e.time_before)},
               {"time_after", number_or_null(e.time_after)},
               {"causes", facts::words_of(e.causes)},
               {"summary", e.summary.words()},
               {"no_profile", e.no_profile.words()},
               {"outside_operators_ns", number_or_null(e.outside_ns)},
               {"operators", Json::array()},
               {"counts", counts_json(e.counts)},
               {"process", counts_json(e.process)},
               {"differences", Json::array()}};
  for (const OperatorChange& each : e.operators) {
    json["operators"].push_back({{"name", each.name},
                                 {"inputs", each.inputs},
                                 {"inputs_before", each.inputs_before.empty() ? each.inputs : each.inputs_before},
                                 {"calls_before", each.calls_before},
                                 {"calls_after", each.calls_after},
                                 {"self_before_ns", each.self_before_ns},
                                 {"self_after_ns", each.self_after_ns},
                                 {"share", number_or_null(each.share)},
                                 {"clear", each.clear}});
  }
  for (const Difference& each : e.differences)
    json["differences"].push_back({{"name", each.name}, {"before", each.before}, {"after", each.after}});
  // Names come from files of others: what is not UTF-8 becomes U+FFFD instead of an exception.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
