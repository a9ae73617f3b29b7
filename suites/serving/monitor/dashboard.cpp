// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "suites/serving/monitor/prometheus_registry.hpp"

namespace torchgate::monitor {

const std::vector<Panel>& panels() {
  static const std::vector<Panel> all{
      {"Requests per second", "sum by (outcome) (rate(torchgate_serving_requests_total[1m]))", "reqps"},
      {"Share that is refused or fails",
       "sum(rate(torchgate_serving_requests_total{outcome!=\"ok\"}[1m])) / "
       "sum(rate(torchgate_serving_requests_total[1m]))",
       "percentunit"},
      {"P50 of the latency",
       "histogram_quantile(0.5, sum by (le) (rate(torchgate_serving_latency_seconds_bucket[1m])))", "s"},
      {"P99 of the latency",
       "histogram_quantile(0.99, sum by (le) (rate(torchgate_serving_latency_seconds_bucket[1m])))", "s"},
      {"P99 by model",
       "histogram_quantile(0.99, sum by (le, model) (rate(torchgate_serving_latency_seconds_bucket[1m])))", "s"},
      {"Requests in a batch",
       "sum(rate(torchgate_serving_batch_size_sum[1m])) / sum(rate(torchgate_serving_batch_size_count[1m]))", "short"},
      {"Batches per second", "sum(rate(torchgate_serving_batches_total[1m]))", "ops"},
      {"Waiting requests", "torchgate_serving_queue_depth", "short"},
      {"Degradation (0 full, 1 lite, 2 refusing)", "torchgate_serving_degradation_state", "short"},
      {"Alarms per minute", "sum by (detector) (rate(torchgate_serving_alarms_total[1m])) * 60", "short"},
      {"Entries lost by sinks", "torchgate_serving_dropped_entries", "short"},
  };
  return all;
}

std::string dashboard() {
  using Json = nlohmann::ordered_json;
  constexpr int columns = 2;
  constexpr int width = 12;
  constexpr int height = 8;
  Json document{{"title", "torchgate serving"}, {"uid", "torchgate-serving"}, {"schemaVersion", 39}};
  document["time"] = {{"from", "now-1h"}, {"to", "now"}};
  document["templating"]["list"] = Json::array(
      {{{"name", "datasource"}, {"type", "datasource"}, {"query", "prometheus"}, {"label", "Data source"}}});
  document["panels"] = Json::array();
  int id = 0;
  for (const Panel& panel : panels()) {
    const Json place{{"x", id % columns * width}, {"y", id / columns * height}, {"w", width}, {"h", height}};
    ++id;
    document["panels"].push_back({{"id", id},
                                  {"type", "timeseries"},
                                  {"title", panel.title},
                                  {"gridPos", place},
                                  {"datasource", {{"type", "prometheus"}, {"uid", "${datasource}"}}},
                                  {"fieldConfig", {{"defaults", {{"unit", panel.unit}}}, {"overrides", Json::array()}}},
                                  {"targets", Json::array({{{"refId", "A"}, {"expr", panel.expression}}})}});
  }
  return document.dump(2) + "\n";
}

}  // namespace torchgate::monitor
