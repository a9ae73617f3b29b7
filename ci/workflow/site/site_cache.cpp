// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>
#include <utility>

namespace torchgate::workflow {
namespace {

using Json = nlohmann::json;

constexpr std::string_view cache_schema = "torchgate.site/5";
constexpr std::string_view case_line = R"({"case":)";
constexpr std::string_view name_line = R"({"name":)";
// Reading a million points is most of the work of a site with one more run.
constexpr std::size_t most_threads = 8;

using history::Series;
using Heads = std::vector<std::shared_ptr<const Series>>;

Json json_of(const Series& series) {
  return {series.case_name,     series.metric.name,
          series.metric.unit,   series.metric.direction == record::Direction::lower_is_better,
          series.kind,          series.metric.gated,
          series.metric.judged, series.sampling};
}

std::shared_ptr<const Series> head_of(const Json& json) {
  Series head;
  head.case_name = json.at(0).get<std::string>();
  head.metric.name = json.at(1).get<std::string>();
  head.metric.unit = json.at(2).get<std::string>();
  head.metric.direction =
      json.at(3).get<bool>() ? record::Direction::lower_is_better : record::Direction::higher_is_better;
  head.metric.kind = record::MetricKind::timed;
  head.metric.primary = true;
  head.kind = json.at(4).get<std::string>();
  head.metric.gated = json.at(5).get<bool>();
  head.metric.judged = json.at(6).get<bool>();
  head.sampling = json.at(7).get<std::string>();
  return std::make_shared<const Series>(std::move(head));
}

history::RunPoints run_of(const Json& json, const Heads& heads, const std::vector<std::string>& names) {
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
    const auto& head = heads.at(point.at(0).get<std::size_t>());
    const double worse_log = point.at(1).get<double>();
    if (!std::isfinite(worse_log)) continue;
    run.cases.push_back({head, worse_log, point.at(2).get<std::int64_t>()});
  }
  return run;
}

/// On several threads, each a part of the lines.
std::vector<history::RunPoints> runs_of_lines(const std::vector<std::string_view>& lines, const Heads& heads,
                                              const std::vector<std::string>& names) {
  std::vector<history::RunPoints> runs(lines.size());
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  const std::size_t part = lines.size() / threads + 1;
  std::vector<std::future<void>> parts;
  for (std::size_t from = 0; from < lines.size(); from += part) {
    parts.push_back(std::async(std::launch::async, [&, from] {
      for (std::size_t i = from; i < std::min(lines.size(), from + part); ++i)
        runs[i] = run_of(Json::parse(lines[i]), heads, names);
    }));
  }
  for (std::future<void>& each : parts) each.get();
  return runs;
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
    if (line.starts_with(case_line)) head_at.emplace(line, head_at.size());
    if (line.starts_with(name_line)) name_at.emplace(line, name_at.size());
  }
  std::string heads;
  std::string lines;
  const auto number_of = [&](std::string line, std::map<std::string, std::size_t, std::less<>>& known) {
    const auto [head, is_new] = known.try_emplace(std::move(line), known.size());
    if (is_new) heads += head->first;
    return head->second;
  };
  std::unordered_map<const Series*, std::size_t> numbers;
  const auto number_of_series = [&](const Series& series) {
    const auto [number, is_new] = numbers.try_emplace(&series, 0);
    if (is_new) number->second = number_of(dumped({{"case", json_of(series)}}), head_at);
    return number->second;
  };
  for (const history::RunPoints& run : runs) {
    Json points = Json::array();
    for (const history::CasePoint& point : run.cases)
      points.push_back({number_of_series(*point.series), point.worse_log, point.processes});
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
  Heads heads;
  std::vector<std::string> names;
  std::vector<std::string_view> lines_of_runs;
  try {
    bool first = true;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return {};
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      if (first && Json::parse(line).at("schema") != cache_schema) return {};
      if (line.starts_with(case_line)) {
        heads.push_back(head_of(Json::parse(line).at("case")));
      } else if (line.starts_with(name_line)) {
        names.push_back(Json::parse(line).at("name").get<std::string>());
      } else if (!first) {
        lines_of_runs.push_back(line);
      }
      first = false;
    }
    return runs_of_lines(lines_of_runs, heads, names);
  } catch (const std::exception&) {
    return {};  // nlohmann's, and std::out_of_range for a missing head
  }
}

}  // namespace torchgate::workflow
