// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_cache.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace torchgate::workflow {
namespace {

using Json = nlohmann::json;

constexpr std::string_view cache_schema = "torchgate.site/3";

/// What is the same in all runs of a case.
struct SeriesHead {
  std::string name;
  record::Metric metric;
  std::string kind;
};

Json json_of(const history::CasePoint& point) {
  return {point.case_name,    point.metric.name,
          point.metric.unit,  point.metric.direction == record::Direction::lower_is_better,
          point.kind,         point.metric.gated,
          point.metric.judged};
}

SeriesHead head_of(const Json& json) {
  SeriesHead head;
  head.name = json.at(0).get<std::string>();
  head.metric.name = json.at(1).get<std::string>();
  head.metric.unit = json.at(2).get<std::string>();
  head.metric.direction =
      json.at(3).get<bool>() ? record::Direction::lower_is_better : record::Direction::higher_is_better;
  head.metric.kind = record::MetricKind::timed;
  head.metric.primary = true;
  head.kind = json.at(4).get<std::string>();
  head.metric.gated = json.at(5).get<bool>();
  head.metric.judged = json.at(6).get<bool>();
  return head;
}

history::RunPoints run_of(const Json& json, const std::vector<SeriesHead>& heads) {
  history::RunPoints run;
  run.run_id = json.at("id").get<std::string>();
  run.host_key = json.at("host").get<std::string>();
  run.created = json.at("created").get<std::string>();
  if (json.at("commit").is_string()) run.commit = json.at("commit").get<std::string>();
  run.torchgate = json.at("torchgate").get<std::string>();
  run.libtorch = json.at("libtorch").get<std::string>();
  for (const Json& point : json.at("points")) {
    const SeriesHead& head = heads.at(point.at(0).get<std::size_t>());
    const double worse_log = point.at(1).get<double>();
    if (!std::isfinite(worse_log)) continue;
    run.cases.push_back({head.name, head.metric, head.kind, worse_log, point.at(2).get<std::int64_t>()});
  }
  return run;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string site_cache_text(const std::vector<history::RunPoints>& runs) {
  std::map<std::tuple<std::string, record::Metric, std::string>, std::size_t> head_at;
  std::string heads;
  std::string lines;
  for (const history::RunPoints& run : runs) {
    Json points = Json::array();
    for (const history::CasePoint& point : run.cases) {
      const auto [known, is_new] = head_at.try_emplace({point.case_name, point.metric, point.kind}, head_at.size());
      if (is_new) heads += dumped({{"case", json_of(point)}});
      points.push_back({known->second, point.worse_log, point.processes});
    }
    Json line = {{"id", run.run_id}, {"host", run.host_key}, {"created", run.created}, {"points", std::move(points)}};
    line["commit"] = run.commit ? Json(*run.commit) : Json();
    line["torchgate"] = run.torchgate;
    line["libtorch"] = run.libtorch;
    lines += dumped(line);
  }
  return dumped({{"schema", cache_schema}}) + heads + lines;
}

std::vector<history::RunPoints> runs_of_site_cache(std::string_view text) {
  std::vector<SeriesHead> heads;
  std::vector<history::RunPoints> runs;
  try {
    bool first = true;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return {};
      const Json line = Json::parse(text.substr(0, end));
      text.remove_prefix(end + 1);
      if (first && line.at("schema") != cache_schema) return {};
      if (!first && line.contains("case")) heads.push_back(head_of(line.at("case")));
      if (line.contains("points")) runs.push_back(run_of(line, heads));
      first = false;
    }
  } catch (const std::exception&) {
    return {};  // nlohmann's, and std::out_of_range for a missing head
  }
  return runs;
}

}  // namespace torchgate::workflow
