// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_data.hpp"

#include <cmath>
#include <map>
#include <string_view>

#include "harness/json/json_writer.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/columns.hpp"
#include "reports/format.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "reports/time_scale.hpp"

namespace torchgate::reports {
namespace {

// Runs of a history in the data of a page, the newest ones.
constexpr std::size_t most_history_runs = 2000;

}  // namespace

std::string html_rows_json(const std::vector<HtmlFinding>& drawn, const std::vector<const Finding*>& listed,
                           const Report& report) {
  const Format format;
  json::JsonWriter json(json::page_layout);
  std::map<Verdict, std::size_t> verdict_at;
  std::vector<const Finding*> examples;
  const auto index_of = [&](const Finding& finding) {
    const auto [known, is_new] = verdict_at.try_emplace(finding.verdict, examples.size());
    if (is_new) examples.push_back(&finding);
    return known->second;
  };
  for (const HtmlFinding& row : drawn) index_of(*row.finding);
  json.reserve(200 * listed.size() + 1000);
  json.begin_object();
  json.key("columns");
  json.begin_array();
  for (const std::string& column : html_columns()) json.value(std::string_view(column));
  json.end_array();
  json.key("rows");
  json.begin_array();
  for (const Finding* finding : listed) {
    json.begin_array();
    json.value(static_cast<std::int64_t>(index_of(*finding)));
    json.value(static_cast<std::int64_t>(
        finding->metric.primary && finding->metric.kind == record::MetricKind::timed ? 1 : 0));
    json.value(finding->change.value_or(std::nan("")));  // null where it is unknown
    for (const std::string& cell : html_cells(*finding, report, format))
      json.value(std::string_view(elide_middle(one_line(cell), html_name_width, "…")));
    json.end_array();
  }
  json.end_array();
  json.key("verdicts");
  json.begin_array();
  for (const Finding* example : examples) {
    json.begin_object();
    json.key("name");
    json.value(std::string_view(to_string(example->verdict)));
    json.key("words");
    json.value(std::string_view(verdict_words(example->verdict, report, format)));
    json.key("tone");
    json.value(html_tone(*example));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string html_histories_json(const std::vector<const History*>& histories) {
  const Format format;
  json::JsonWriter json(json::page_layout);
  json.begin_array();
  for (const History* history : histories) {
    json.begin_object();
    json.key("unit");
    json.value(std::string_view(one_line(history->metric.unit)));
    json.key("runs");
    json.begin_array();
    const std::vector<std::int64_t> seconds = drawn_seconds(history->runs);
    const std::size_t from = history->runs.size() > most_history_runs ? history->runs.size() - most_history_runs : 0;
    for (std::size_t i = from; i < seconds.size(); ++i) {
      json.begin_array();
      json.value(seconds[i] * 1000);
      json.value(history->runs[i].value);
      json.end_array();
    }
    json.end_array();
    json.key("changes");
    json.begin_array();
    for (const HistoryChange& change : history->changes) {
      if (change.run >= seconds.size()) continue;
      const HistoryRun& run = history->runs[change.run];
      json.begin_array();
      json.value(seconds[change.run] * 1000);
      json.value(std::string_view(format.percent(change.change) +
                                  (run.commit ? " " + record::short_commit(*run.commit) : "")));
      json.end_array();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return json.take();
}

}  // namespace torchgate::reports
