// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/history_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace torchgate::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json run_json(const HistoryRun& run) {
  Json json = {{"id", run.run_id},
               {"created", run.created},
               {"commit", or_null(run.commit)},
               {"value", number(run.value)},
               {"processes", run.processes},
               {"outlier", run.outlier},
               {"watch", nullptr}};
  if (run.watch) {
    json["watch"] = {{"sds_above", number(run.watch->sds_above)},
                     {"three_sigma", run.watch->three_sigma},
                     {"two_in_a_row", run.watch->two_in_a_row},
                     {"ewma", run.watch->ewma}};
  }
  return json;
}

Json change_json(const History& history, const HistoryChange& change) {
  return {{"run", change.run},
          {"created", history.runs[change.run].created},
          {"commit", or_null(history.runs[change.run].commit)},
          {"commit_before", or_null(history.runs[change.run - 1].commit)},
          {"commits_between", or_null(change.commits_between)},
          {"before", number(change.before)},
          {"after", number(change.after)},
          {"change", number(change.change)},
          {"worse", change.worse},
          {"p", number(change.p)}};
}

}  // namespace

std::string render_history_json(const History& history) {
  Json json = {{"schema", "torchgate.history/1"},
               {"case", history.case_name},
               {"metric",
                {{"name", history.metric.name},
                 {"unit", history.metric.unit},
                 {"direction", history.metric.direction == record::Direction::lower_is_better ? "lower_is_better"
                                                                                              : "higher_is_better"}}},
               {"host_key", history.host_key},
               {"store", history.store},
               {"alpha", number(history.alpha)},
               {"smallest_change", number(history.smallest_change)},
               {"drift_corrected", history.drift_corrected},
               {"judged", history.judged},
               {"reasons", history.reasons},
               {"autocorrelation", number(history.autocorrelation)},
               {"slow_change", history.slow_change ? number(*history.slow_change) : Json()},
               {"changes", Json::array()},
               {"runs", Json::array()},
               {"watch_reason", history.watch_reason},
               {"notes", history.notes}};
  for (const HistoryChange& change : history.changes) json["changes"].push_back(change_json(history, change));
  for (const HistoryRun& run : history.runs) json["runs"].push_back(run_json(run));
  // ASCII only: what a terminal or a log would interpret stays an escape. Malformed UTF-8 becomes U+FFFD.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace torchgate::reports
