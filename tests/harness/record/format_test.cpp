// SPDX-License-Identifier: Apache-2.0
// The format itself: fixtures that must stay readable and are written byte by byte the same, and a README that names
// every key. A change here is a change of the schema: think of the records that are stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/atomic_file.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

namespace fs = std::filesystem;

const fs::path fixtures = fs::path(TORCHGATE_TESTS_DIR) / "fixtures" / "record";

std::string content_of(const fs::path& path) {
  const auto text = base::read_file(path, 1 << 20);
  EXPECT_TRUE(text.ok()) << text.error().message;
  return text.ok() ? *text : std::string();
}

// The fixture ends with a newline, as text files do; a document does not.
void expect_same_bytes(const std::string& written, const fs::path& fixture) {
  if (std::getenv("TORCHGATE_ACCEPT") != nullptr) {
    ASSERT_TRUE(base::write_file_atomically(fixture, written + "\n", true).ok());
  }
  const std::string expected = content_of(fixture);
  if (written + "\n" == expected) return;
  const fs::path got = fixture.string() + ".got";
  ASSERT_TRUE(base::write_file_atomically(got, written + "\n", true).ok());
  ADD_FAILURE() << "the format has changed: compare " << fixture << " with " << got;
}

void collect_keys(const nlohmann::json& json, std::set<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) keys.insert(key);
    if (value.is_structured()) collect_keys(value, keys);
  }
}

TEST(Format, OfARunIsUnchanged) {
  expect_same_bytes(to_json(testing::example_run()), fixtures / "run.json");
}

TEST(Format, OfAProcessReportIsUnchanged) {
  expect_same_bytes(to_json(testing::example_report()), fixtures / "process.json");
}

TEST(Format, StoredFilesStayReadable) {
  const auto run = load_run(fixtures / "run.json");
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(*run, testing::without_samples(testing::example_run()));
  const auto report = process_report_from_json(content_of(fixtures / "process.json"), "process.json");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(*report, testing::example_report());
}

// jq -S, an editor, another language: none of them promises an order or white space.
TEST(Format, OrderOfKeysAndWhiteSpaceDoNotMatter) {
  const auto sorted = nlohmann::json::parse(to_json(testing::example_run()));  // sorts keys, everywhere
  auto run = run_from_json(sorted.dump(2), "run.json");
  ASSERT_TRUE(run.ok()) << run.error().message;
  run->unknown_keys = testing::example_run().unknown_keys;  // kept as they are in the text: white space too
  // Sorted are also the parameters of a case and the measurements, whose order means something: as expected, then.
  record::Run expected = testing::without_samples(testing::example_run());
  for (Case& c : expected.cases) std::swap(c.parameters[0], c.parameters[1]);
  for (Process& process : expected.processes) {
    for (CaseResult& result : process.cases) {
      std::sort(result.measurements.begin(), result.measurements.end(),
                [](const Measurement& a, const Measurement& b) { return a.metric < b.metric; });
    }
  }
  EXPECT_EQ(*run, expected);

  nlohmann::ordered_json reversed;
  const auto document = nlohmann::ordered_json::parse(to_json(testing::example_report()));
  for (auto member = document.rbegin(); member != document.rend(); ++member) reversed[member.key()] = member.value();
  auto& result = reversed["results"][0];
  nlohmann::ordered_json reversed_result;
  for (auto member = result.rbegin(); member != result.rend(); ++member) reversed_result[member.key()] = member.value();
  result = reversed_result;
  const auto report = process_report_from_json(reversed.dump(), "process.json");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(*report, testing::example_report());
}

// Other keys refer to the operators, and not every record has them: they may come after everything that refers to them.
TEST(Format, OptionalKeysMayComeLast) {
  for (const char* last : {"operators", "schema", "warnings", "metrics", "cases"}) {
    auto document = nlohmann::ordered_json::parse(to_json(testing::example_run()));
    ASSERT_TRUE(document.contains(last)) << last;
    const auto value = document[last];
    document.erase(last);
    document[last] = value;
    auto run = run_from_json(document.dump(), "run.json");
    ASSERT_TRUE(run.ok()) << last << ": " << run.error().message;
    run->unknown_keys = testing::example_run().unknown_keys;
    EXPECT_EQ(*run, testing::without_samples(testing::example_run())) << last;
  }
}

TEST(Format, UnknownKeysAreKeptAtTheTopAndPassedOverBelow) {
  auto document = nlohmann::ordered_json::parse(to_json(testing::example_run()));
  document["plan"]["later"] = {{"a", 1}};
  document["cases"][0]["later"] = {1, 2, 3};
  document["processes"][0]["cases"][0]["later"] = "x";
  document["summary_columns"].push_back("later");
  for (auto& process : document["processes"]) {
    for (auto& result : process["cases"]) {
      for (auto& measurement : result["measurements"]) {
        if (measurement.is_array()) measurement.push_back({"anything", {}});
      }
    }
  }
  auto run = run_from_json(document.dump(), "run.json");
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run->unknown_keys, nlohmann::ordered_json::parse(testing::example_run().unknown_keys).dump());
  EXPECT_TRUE(to_json(*run).ends_with("," + run->unknown_keys.substr(1)));
  run->unknown_keys = testing::example_run().unknown_keys;  // nlohmann_json spelt the numbers and strings its own way
  EXPECT_EQ(*run, testing::without_samples(testing::example_run()));
}

TEST(Format, TheReadmeNamesEveryKey) {
  const std::string readme = content_of(fs::path(TORCHGATE_TESTS_DIR) / ".." / "harness" / "record" / "README.md");
  auto run = nlohmann::json::parse(content_of(fixtures / "run.json"));
  auto report = nlohmann::json::parse(content_of(fixtures / "process.json"));
  for (const char* free : {"later", "x/y~z"}) run.erase(free);
  std::set<std::string> keys;
  collect_keys(run, keys);
  collect_keys(report, keys);
  // What a document names by keys of its own: parameters, variables, metrics, facts.
  for (const char* free :
       {"device", "batch", "OMP_NUM_THREADS", "time", "images/s", "peak_bytes", "libtorch", "threads"}) {
    keys.erase(free);
  }
  keys.insert({"device", "samples", "n", "mean", "sd", "min", "p25", "median", "p75", "p95", "p99", "max", "lag1"});
  for (const std::string& key : keys) EXPECT_NE(readme.find("`" + key + "`"), std::string::npos) << key;
}

}  // namespace
}  // namespace torchgate::record
