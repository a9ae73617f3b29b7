// SPDX-License-Identifier: Apache-2.0
// The views of a store in PostgreSQL, and the dashboard that reads them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/baselines/postgresql_store_fixture.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(PostgresqlStoreTest, ViewsHaveTheDocumentedColumns) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  ASSERT_TRUE(store->put(sample_run(101), true));
  ASSERT_TRUE(store->put(sample_run(50), false));
  ASSERT_TRUE(store->put_pin({"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1)}, "0.1.0"}));
  EXPECT_EQ(
      sql("SELECT run, host_key, commit, is_baseline, tool_version, cases FROM torchgate_runs ORDER BY time LIMIT 1"),
      id(1) + "|" + host + "|c0ffee000000|t|0.1.0|1");
  // The median of a sample run's process is 1001 plus its number.
  EXPECT_EQ(sql("SELECT case_name, metric, unit, better, kind, is_primary, value, processes FROM torchgate_values "
                "ORDER BY time LIMIT 1"),
            "fusion/conv_bn/eager/device:cpu/batch:8|time|ns|lower|timed|t|1002|1");
  EXPECT_EQ(sql("SELECT before_run, before_value, value, round(worse_by::numeric, 6) FROM torchgate_changes"),
            id(1) + "|1002|1102|0.099800");
  EXPECT_EQ(sql("SELECT name, commit FROM torchgate_pins"), "v1|c0ffee000000");
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_series"), "1") << "once, however many runs";
}

/// What Grafana makes of a query: its macros, and variables with all their values.
std::string as_grafana_sends(std::string query, const std::map<std::string, std::string>& variables) {
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (auto at = query.find(what); at != std::string::npos; at = query.find(what, at + with.size()))
      query.replace(at, what.size(), with);
  };
  replace("$__timeFilter(time)", "time BETWEEN '2026-01-01T00:00:00Z' AND '2027-01-01T00:00:00Z'");
  for (const auto& [name, values] : variables) replace("$" + name, values);
  return query;
}

TEST_F(PostgresqlStoreTest, TheDashboardsQueriesRun) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  auto counted = sample_run(2);
  counted.cases[0].metrics.push_back({"calls", "1", record::Direction::lower_is_better, record::MetricKind::exact});
  counted.processes[0].cases[0].measurements.push_back({"calls", {}, 7.0, {}});
  auto more = sample_run(3);
  more.cases = counted.cases;
  more.processes[0].cases[0].measurements.push_back({"calls", {}, 8.0, {}});
  for (const auto& run : {counted, more}) {
    const auto put = store->put(run, true);
    ASSERT_TRUE(put) << put.error().message;
  }
  ASSERT_TRUE(store->put_pin({"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1)}, "0.1.0"}));

  std::ifstream file(fs::path(TORCHGATE_TESTS_DIR) / "../ci/templates/grafana-postgresql.json");
  const auto dashboard = nlohmann::json::parse(file);
  std::map<std::string, std::string> variables;
  for (const auto& variable : dashboard["templating"]["list"]) {
    if (variable["type"] != "query") continue;
    const std::string value = sql(variable["query"]);
    EXPECT_FALSE(value.empty()) << variable["query"];
    variables[variable["name"]] = "'" + value + "'";
  }
  EXPECT_EQ(variables.size(), 2U);
  std::map<std::string, std::string> answers;
  for (const auto& panel : dashboard["panels"]) {
    for (const auto& target : panel["targets"]) {
      const std::string title = panel["title"];
      answers[title] = sql(as_grafana_sends(target["rawSql"], variables));
      EXPECT_FALSE(answers[title].empty()) << title;
      EXPECT_FALSE(has(answers[title], "ERROR")) << title;
    }
  }
  EXPECT_EQ(answers["Stored baselines"], "3");
  EXPECT_EQ(answers["Cases of the newest baseline"], "1");
  EXPECT_TRUE(has(answers["Counts that changed"], "|calls|7|8|"));
  EXPECT_EQ(answers["Pins"].substr(0, 15), "v1|c0ffee000000");
}

}  // namespace
}  // namespace torchgate::baselines::testing
