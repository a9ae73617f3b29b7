// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_cache.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace torchgate::workflow {
namespace {

using Json = nlohmann::json;

constexpr std::string_view cache_schema = "torchgate.site/4";

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

history::RunPoints run_of(const Json& json, const std::vector<SeriesHead>& heads,
                          const std::vector<std::string>& names) {
  history::RunPoints run;
  run.run_id = json.at("id").get<std::string>();
  run.host_key = json.at("host").get<std::string>();
  run.created = json.at("created").get<std::string>();
  if (json.at("commit").is_string()) run.commit = json.at("commit").get<std::string>();
  run.torchgate = json.at("torchgate").get<std::string>();
  run.libtorch = json.at("libtorch").get<std::string>();
  run.is_whole = json.at("whole").get<bool>();
  for (const Json& lost : json.at("lost")) run.without_value.push_back(names.at(lost.get<std::size_t>()));
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
  return extended_site_cache(dumped({{"schema", cache_schema}}), runs);
}

std::string extended_site_cache(std::string text, const std::vector<history::RunPoints>& runs) {
  // A head is only ever referred to by its number: as its line, so that the heads of TEXT need not be understood.
  std::map<std::string, std::size_t, std::less<>> head_at;
  std::map<std::string, std::size_t, std::less<>> name_at;
  for (std::string_view left = text; !left.empty(); left.remove_prefix(left.find('\n') + 1)) {
    const std::string_view line = left.substr(0, left.find('\n') + 1);
    if (line.starts_with(R"({"case":)")) head_at.emplace(line, head_at.size());
    if (line.starts_with(R"({"name":)")) name_at.emplace(line, name_at.size());
  }
  std::string heads;
  std::string lines;
  const auto number_of = [&](std::string line, std::map<std::string, std::size_t, std::less<>>& known) {
    const auto [head, is_new] = known.try_emplace(std::move(line), known.size());
    if (is_new) heads += head->first;
    return head->second;
  };
  for (const history::RunPoints& run : runs) {
    Json points = Json::array();
    for (const history::CasePoint& point : run.cases)
      points.push_back({number_of(dumped({{"case", json_of(point)}}), head_at), point.worse_log, point.processes});
    Json lost = Json::array();
    for (const std::string& name : run.without_value) lost.push_back(number_of(dumped({{"name", name}}), name_at));
    Json line = {{"id", run.run_id}, {"host", run.host_key}, {"created", run.created}, {"points", std::move(points)}};
    line["lost"] = std::move(lost);
    line["whole"] = run.is_whole;
    line["commit"] = run.commit ? Json(*run.commit) : Json();
    line["torchgate"] = run.torchgate;
    line["libtorch"] = run.libtorch;
    lines += dumped(line);
  }
  return std::move(text) + heads + lines;
}

std::vector<history::RunPoints> runs_of_site_cache(std::string_view text) {
  std::vector<SeriesHead> heads;
  std::vector<std::string> names;
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
      if (line.contains("name")) names.push_back(line.at("name").get<std::string>());
      if (line.contains("points")) runs.push_back(run_of(line, heads, names));
      first = false;
    }
  } catch (const std::exception&) {
    return {};  // nlohmann's, and std::out_of_range for a missing head
  }
  return runs;
}

}  // namespace torchgate::workflow
