// SPDX-License-Identifier: Apache-2.0
// One wrong thing at a time in an otherwise good record, and the message that it must give.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/record/codec.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const char* place;    // JSON pointer of what is replaced (or added)
  const char* value;    // raw text, which need not be JSON; "" removes the member
  const char* message;  // after "x.json: "
};

// nlohmann_json cannot hold 1e999 or a syntax error: a placeholder keeps the place for the raw text.
std::string changed(const std::string& document, const Row& row) {
  Json json = Json::parse(document);
  const Json::json_pointer place(row.place);
  if (*row.value == '\0') {
    json[place.parent_pointer()].erase(place.back());
    return json.dump();
  }
  json[place] = "@";
  std::string text = json.dump();
  return text.replace(text.find("\"@\""), 3, row.value);
}

const std::vector<Row> run_rows = {
    // the document
    {"/schema", "", "top level: missing key \"schema\": not a file written by torchgate"},
    {"/schema", "1", "/schema: expected a string, found 1"},
    {"/schema", "\"torchgate.run/2\"",
     "/schema: unsupported schema \"torchgate.run/2\": this version of torchgate reads torchgate.run/1 only; use the "
     "version "
     "that "
     "wrote it, or a later one"},
    {"/schema", "\"torchgate.process/1\"", "/schema: expected \"torchgate.run/1\", found \"torchgate.process/1\""},
    {"/processes", "", "top level: missing key \"processes\""},
    {"/summary_columns", "", "top level: missing key \"summary_columns\""},
    {"/id", "\"../../etc/passwd\"", "/id: expected 16 lower-case hex digits, found \"../../etc/passwd\""},
    {"/id", "0", "/id: expected a string, found 0"},
    {"/id", "\"0\",\"id\":\"1\"", "/id: expected 16 lower-case hex digits, found \"0\""},
    {"/tool_version", "\"0\",\"tool_version\":\"1\"", "/tool_version: duplicate key; keep one of them"},
    {"/created", "\"yesterday\"", "/created: expected a time such as 2026-01-31T23:59:59.999Z, found \"yesterday\""},
    {"/created", "\"2026-13-31T23:59:59.999Z\"",
     "/created: expected a time such as 2026-01-31T23:59:59.999Z, found "
     "\"2026-13-31T23:59:59.999Z\""},
    {"/interrupted", "\"no\"", "/interrupted: expected true or false, found the string \"no\""},
    {"/warnings/0", "{}", "/warnings/0: expected a string, found an object"},
    {"/later", "[1,]", "/later/1: not JSON at byte "},
    {"/later", "{\"a\":1,\"a\":1}", "/later/a: duplicate key; keep one of them"},
    // profiles, usage
    {"/operators/0", "[\"aten::mm\"]", "/operators/0: expected an operator's name and its inputs, found 1 values"},
    {"/operators/0/0", "1", "/operators/0/0: expected a string, found 1"},
    {"/processes/0/cases/1/profile/operators/0", "[7,1,2]",
     "/processes/0/cases/1/profile/operators/0/0: expected a position in /operators, which has 2, found 7"},
    {"/processes/0/cases/1/profile/operators/0", "[0,1]",
     "/processes/0/cases/1/profile/operators/0: expected an operator's position, its calls and its self time, found 2 "
     "values"},
    {"/processes/0/cases/1/profile/operators/0", "[1,1,2]",
     "/processes/0/cases/1/profile/operators/1/0: duplicate operator"},
    {"/processes/0/cases/1/profile/operators/0/2", "-1",
     "/processes/0/cases/1/profile/operators/0/2: expected a number of at least 0"},
    {"/processes/0/cases/1/profile/passes", "0",
     "/processes/0/cases/1/profile/passes: expected an integer from 1 to 1000000000000, found 0"},
    {"/processes/0/usage/major_faults", "", "/processes/0/usage: missing key \"major_faults\""},
    {"/processes/0/start/main_ns", "-5",
     "/processes/0/start/main_ns: expected an integer from 0 to 1000000000000000000, found -5"},
    // plan, machine, sides, samples
    {"/plan", "[]", "/plan: expected an object, found an array"},
    {"/plan/seed", "-1", "/plan/seed: expected an integer from 0 to 18446744073709551615, found -1"},
    {"/plan/seed", "", "/plan: missing key \"seed\""},
    {"/plan/processes", "-1", "/plan/processes: expected an integer from 0 to 100000, found -1"},
    {"/plan/shard", "4", "/plan: shard 4 of 3 does not exist"},
    {"/plan/division/1/0", "\"batching/mlp\"",
     "/plan/division/1: duplicate group \"batching/mlp\": a group belongs to one shard"},
    {"/plan/division/0", "7", "/plan/division/0: expected an array, found 7"},
    {"/plan/missing_shards", "[4]", "/plan: missing shard 4 of a division in 3"},
    {"/plan/missing_shards", "[2,2]", "/plan/missing_shards/1: expected an integer from 3 to 256, found 2"},
    {"/plan/missing_shards/0", "0", "/plan/missing_shards/0: expected an integer from 1 to 256, found 0"},
    {"/plan/confirms/family", "-1", "/plan/confirms/family: expected an integer from 0 to 1000000000000, found -1"},
    {"/plan/confirms/run", "\"x\"", "/plan/confirms/run: expected 16 lower-case hex digits, found \"x\""},
    {"/plan/confirms/baseline", "", "/plan/confirms: missing key \"baseline\""},
    {"/plan/group_limit_s", "-1", "/plan/group_limit_s: expected a number from 0 to 1e+09, found -1"},
    {"/machine/host_key", "\"../up\"",
     "/machine/host_key: expected at most 128 letters, digits, '.', '_' and '-', not starting with '.', found "
     "\"../up\""},
    {"/machine/host_key", "\"a/b\"",
     "/machine/host_key: expected at most 128 letters, digits, '.', '_' and '-', not starting with '.', found \"a/b\""},
    {"/machine/facts/0/class", "\"hosts\"",
     "/machine/facts/0/class: expected one of host, device, warn, info, found \"hosts\""},
    {"/machine/facts/0/value", "", "/machine/facts/0: expected either a value or the reason why it is unknown"},
    {"/machine/facts/1/value", "\"H200\"", "/machine/facts/1: expected either a value or the reason why it is unknown"},
    {"/machine/checks_before", "[{\"name\":\"a\",\"answer\":\"good\",\"severity\":\"info\"}]",
     "/machine/checks_before/0/answer: expected one of ok, bad, unknown, found \"good\""},
    {"/machine/checks_after", "[{\"name\":\"a\",\"answer\":\"ok\"}]",
     "/machine/checks_after/0: missing key \"severity\""},
    {"/machine/checks_after",
     "[{\"name\":\"a\",\"answer\":\"ok\",\"severity\":\"info\"},{\"name\":\"a\",\"answer\":\"ok\",\"severity\":"
     "\"info\"}]",
     "/machine/checks_after/1: duplicate check \"a\""},
    {"/sides", "[]", "/sides: expected one side, or two (before and after), found 0"},
    {"/sides/0/commit", "\"HEAD\"", "/sides/0/commit: expected 1 to 64 lower-case hex digits, found \"HEAD\""},
    {"/samples", "{\"sha256\":\"../x\",\"bytes\":1,\"count\":1}",
     "/samples/sha256: expected a SHA-256 of 64 lower-case hex digits, found \"../x\""},
    // objects, metrics, groups, cases
    {"/objects/0/bytes", "-1", "/objects/0/bytes: expected an integer from 0 to 1000000000000000, found -1"},
    {"/objects/0/sha256", "\"BA78\"",
     "/objects/0/sha256: expected a SHA-256 of 64 lower-case hex digits, found \"BA78\""},
    {"/metrics/0/kind", "\"noisy\"", "/metrics/0/kind: expected one of timed, exact, found \"noisy\""},
    {"/metrics/0/better", "\"higher_is_better\"",
     "/metrics/0/better: expected one of lower, higher, found \"higher_is_better\""},
    {"/metrics/2/primary", "true",
     "/metrics/2: an exact metric cannot be primary: the primary metric is the timed one that is gated"},
    {"/metrics/1/name", "\"time\"", "/cases/0/metrics/1: duplicate name \"time\""},
    {"/metrics/1/primary", "true", "/cases/0/metrics: more than one primary metric"},
    {"/groups/0/claims/0/ratio", "0", "/groups/0/claims/0/ratio: expected a number above 0"},
    {"/groups/0/claims/0/relation", "\"<=\"",
     "/groups/0/claims/0/relation: expected one of at_most, at_least, found \"<=\""},
    {"/groups/1/name", "\"fusion/conv_bn\"", "/groups/1: duplicate name \"fusion/conv_bn\""},
    {"/cases/1/name", "\"fusion/conv_bn/eager/device:cpu/batch:8\"",
     "/cases/1: duplicate name \"fusion/conv_bn/eager/device:cpu/batch:8\""},
    {"/cases/0/name", "\"\"", "/cases/0/name: expected a name, found an empty string"},
    {"/cases/0/device", "\"tpu\"", "/cases/0/device: expected one of cpu, cuda, found \"tpu\""},
    {"/cases/0/metrics/0", "3", "/cases/0/metrics/0: expected a position in /metrics, which has 3, found 3"},
    {"/cases/0/metrics/1", "0", "/cases/0/metrics/1: duplicate name \"time\""},
    {"/cases/0/items_per_call", "0", "/cases/0/items_per_call: expected a number above 0"},
    {"/cases/0/items_per_call", "1e999",
     "/cases/0/items_per_call: expected a finite number, found 1e999, which is too large for a double"},
    {"/cases/0/parameters/batch", "8", "/cases/0/parameters/batch: expected a string, found 8"},
    {"/cases/0/parameters", "{\"a\":\"1\",\"a\":\"2\"}", "/cases/0/parameters/a: duplicate key; keep one of them"},
    {"/summary_columns/1", "\"n\"", "/summary_columns/1: duplicate column \"n\""},
    {"/summary_columns/1", "\"average\"", "/summary_columns: missing column \"mean\""},
    // processes
    {"/processes", "{}", "/processes: expected an array, found an object"},
    {"/processes/0/side", "2", "/processes/0/side: expected a position in /sides, which has 2, found 2"},
    {"/processes/0/pair", "-1", "/processes/0/pair: expected an integer from 0 to 100000, found -1"},
    {"/processes/0/order_in_pair", "2", "/processes/0/order_in_pair: expected an integer from 0 to 1, found 2"},
    {"/processes/0/started", "\"\"",
     "/processes/0/started: expected a time such as 2026-01-31T23:59:59.999Z, found \"\""},
    {"/processes/0/wall_ns", "-1", "/processes/0/wall_ns: expected an integer from 0 to 1000000000000000000, found -1"},
    {"/processes/0/wall_ns", "1.5",
     "/processes/0/wall_ns: expected an integer from 0 to 1000000000000000000, found 1.5"},
    {"/processes/0/wall_ns", "NaN", "/processes/0/wall_ns: not JSON at byte "},
    {"/processes/2/status", "\"died\"",
     "/processes/2/status: expected one of ok, crashed, failed, timed_out, not_a_suite, "
     "bad_report, not_started, found \"died\""},
    {"/processes/0/objects/0", "4", "/processes/0/objects/0: expected a position in /objects, which has 4, found 4"},
    {"/processes/0/objects/0", "[0,4]",
     "/processes/0/objects/0/1: expected a position in /objects, which has 4, found 4"},
    {"/processes/0/objects/0", "[3,0]", "/processes/0/objects/0: expected a range [first, last]"},
    {"/processes/0/objects/0", "[0]", "/processes/0/objects/0: expected a range [first, last]"},
    {"/processes/0/files/0", "2", "/processes/0/files/0: expected a position in /files, which has 2, found 2"},
    {"/processes/0/files", "[[0,1],0]", "/processes/0/files/1: duplicate file"},
    {"/unchanged/0/since", "\"aa\"", "/unchanged/0/since: expected 16 lower-case hex digits, found \"aa\""},
    {"/unchanged/0/objects/0", "9", "/unchanged/0/objects/0: expected a position in /objects, which has 4, found 9"},
    {"/processes/0/objects", "[[0,3],0]", "/processes/0/objects/1: duplicate object"},
    // what they measured
    {"/processes/0/cases/0/case", "3",
     "/processes/0/cases/0/case: expected a position in /cases, which has 3, found 3"},
    {"/processes/0/cases/0/case", "\"eager\"",
     "/processes/0/cases/0/case: expected a position in /cases, and no case of this "
     "document is called \"eager\""},
    {"/processes/0/cases/0/case", "1",
     "/processes/0/cases/1: duplicate case \"fusion/conv_bn/folded/device:cpu/batch:8\""},
    {"/processes/0/cases/0/case", "2",
     "/processes/0/cases/0/measurements/images~1s: the case "
     "\"fusion/conv_bn/folded/device:cuda/batch:8\" has no metric \"images/s\""},
    {"/processes/0/cases/0/calls_per_sample", "0",
     "/processes/0/cases/0/calls_per_sample: expected an integer from 1 to 1000000000000, found 0"},
    {"/processes/0/cases/0/calls_per_sample", "", "/processes/0/cases/0: missing key \"calls_per_sample\""},
    {"/processes/0/cases/0/warmup_calls", "-1",
     "/processes/0/cases/0/warmup_calls: expected an integer from 0 to 1000000000000, found -1"},
    {"/processes/0/cases/0/steady", "null", "/processes/0/cases/0/steady: expected true or false, found null"},
    {"/processes/0/cases/0/status", "\"failed\"",
     "/processes/0/cases/0/measurements: expected none: a case that is failed has no measurements"},
    {"/processes/0/cases/1/check/max_abs", "-1", "/processes/0/cases/1/check/max_abs: expected a number of at least 0"},
    {"/processes/0/cases/1/check/against", "9",
     "/processes/0/cases/1/check/against: expected a position in /cases, which has 3, found 9"},
    {"/processes/0/cases/1/proofs/0/observed", "-1",
     "/processes/0/cases/1/proofs/0/observed: expected an integer from 0 to 1000000000000, found -1"},
    {"/processes/0/cases/0/measurements/latency", "1",
     "/processes/0/cases/0/measurements/latency: the case \"fusion/conv_bn/eager/device:cpu/batch:8\" has no metric "
     "\"latency\""},
    {"/processes/0/cases/0/measurements/time", "5",
     "/processes/0/cases/0/measurements/time: expected a summary: \"time\" is timed, and a single value does not show "
     "its "
     "noise"},
    {"/processes/0/cases/0/measurements/time", "null",
     "/processes/0/cases/0/measurements/time: expected a number, found null"},
    {"/processes/0/cases/0/measurements/time", "[4]",
     "/processes/0/cases/0/measurements/time: expected 11 values as listed in /summary_columns, found 1"},
    {"/processes/0/cases/0/measurements/time/11", "1",
     "/processes/0/cases/0/measurements/time/11: more values than /summary_columns lists"},
    {"/processes/0/cases/0/measurements/time/0", "0",
     "/processes/0/cases/0/measurements/time/0: expected an integer from 1 to 1000000000000, found 0"},
    {"/processes/0/cases/0/measurements/time/0", "1",
     "/processes/0/cases/0/measurements/time: inconsistent: one sample has no standard deviation (sd)"},
    {"/processes/0/cases/0/measurements/time/1", "1e999",
     "/processes/0/cases/0/measurements/time/1: expected a finite number, found 1e999, which is too large for a "
     "double"},
    {"/processes/0/cases/0/measurements/time/1", "107",
     "/processes/0/cases/0/measurements/time: inconsistent: expected min <= p25 <= median <= p75 <= p95 <= p99 <= max, "
     "and "
     "the mean among them"},
    {"/processes/0/cases/0/measurements/time/2", "-1",
     "/processes/0/cases/0/measurements/time: inconsistent: the standard deviation (sd) is negative"},
    {"/processes/0/cases/0/measurements/time/3", "-1",
     "/processes/0/cases/0/measurements/time: expected no negative value of \"time\" in \"ns\""},
    {"/processes/0/cases/0/measurements/time/5", "null",
     "/processes/0/cases/0/measurements/time/5: expected a number for median, found null"},
    {"/processes/0/cases/0/measurements/time/5", "200",
     "/processes/0/cases/0/measurements/time: inconsistent: expected min <= p25 <= median <= p75 <= p95 <= p99 <= max, "
     "and "
     "the mean among them"},
    {"/processes/0/cases/0/measurements/time/10", "1.5",
     "/processes/0/cases/0/measurements/time: inconsistent: a correlation (lag1) is within -1 and 1"},
    {"/processes/0/cases/0/measurements/peak_bytes", "-1",
     "/processes/0/cases/0/measurements/peak_bytes: expected no negative value of \"peak_bytes\" in \"bytes\""},
    {"/processes/0/cases/0/measurements/peak_bytes", "[1,1,null,1,1,1,1,null,null,1,null]",
     "/processes/0/cases/0/measurements/peak_bytes: expected one value and nothing else: \"peak_bytes\" is exact"},
    {"/processes/0/cases/0/measurements/peak_bytes", "{}",
     "/processes/0/cases/0/measurements/peak_bytes: expected one value and nothing else: \"peak_bytes\" is exact"},
};

const std::vector<Row> report_rows = {
    {"/schema", "\"torchgate.run/1\"", "/schema: expected \"torchgate.process/1\", found \"torchgate.run/1\""},
    {"/schema", "\"torchgate.process/9\"",
     "/schema: unsupported schema \"torchgate.process/9\": this version of torchgate reads torchgate.process/1 only; "
     "use the "
     "version "
     "that wrote it, or a later one"},
    {"/results", "", "top level: missing key \"results\""},
    {"/seconds_estimate", "-1", "/seconds_estimate: expected a number from 0 to 1e+09, found -1"},
    {"/facts/threads", "2", "/facts/threads: expected a string, found 2"},
    {"/results/1/status", "\"bad\"", "/results/1/status: expected one of ok, failed, wrong, skipped, found \"bad\""},
    {"/results/0/measurements/time/samples/2", "-1",
     "/results/0/measurements/time/samples/2: expected no negative value of \"time\" in \"ns\""},
    {"/results/0/measurements/time/samples/2", "null",
     "/results/0/measurements/time/samples/2: expected a number, found null"},
    {"/results/0/measurements/time/samples", "[1,2,3]",
     "/results/0/measurements: inconsistent: 3 samples of \"time\", but its summary has n = 4"},
    {"/results/0/measurements/time/samples", "[1,2,3,4,5]",
     "/results/0/measurements: inconsistent: 5 samples of \"time\", but its summary has n = 4"},
    {"/results/0/measurements/peak_bytes", "{\"value\":1,\"samples\":[1]}",
     "/results/0/measurements/peak_bytes: expected one value and nothing else: \"peak_bytes\" is exact"},
};

template <class Document>
void expect_message(const base::Result<Document>& read, const Row& row) {
  const std::string what = std::string(row.place) + " = " + row.value;
  ASSERT_FALSE(read.ok()) << what;
  EXPECT_EQ(read.error().code, base::ErrorCode::bad_input) << what;
  const std::string expected = std::string("x.json: ") + row.message;
  // A message that ends in a position in bytes is compared up to there.
  if (expected.ends_with("byte ")) {
    EXPECT_TRUE(read.error().message.starts_with(expected)) << what << "\n" << read.error().message;
  } else {
    EXPECT_EQ(read.error().message, expected) << what;
  }
}

TEST(MalformedRun, IsRefusedWithItsPlace) {
  const std::string good = to_json(testing::example_run());
  for (const Row& row : run_rows) expect_message(run_from_json(changed(good, row), "x.json"), row);
}

TEST(MalformedProcessReport, IsRefusedWithItsPlace) {
  const std::string good = to_json(testing::example_report());
  for (const Row& row : report_rows) expect_message(process_report_from_json(changed(good, row), "x.json"), row);
}

// It would count as "identical".
TEST(MalformedRun, AComparisonOfCodeNeedsEvidence) {
  record::Run run = testing::example_run();
  CodeComparison code;
  code.case_name = run.cases[0].name;
  run.code = {code};
  const auto read = run_from_json(to_json(run), "x.json");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("expected the numbers of functions and files that are identical"),
            std::string::npos)
      << read.error().message;
  run.code[0].unknown = "it was not counted";
  EXPECT_TRUE(run_from_json(to_json(run), "x.json"));
}

TEST(MalformedRun, ThatIsNotAJsonObject) {
  const auto message = [](std::string_view text) { return run_from_json(text, "x.json").error().message; };
  EXPECT_EQ(message("hello"), "x.json: top level: not JSON at byte 0: expected an object, found \"h\"");
  EXPECT_EQ(message("[]"), "x.json: top level: expected an object, found an array");
  EXPECT_EQ(message("\xEF\xBB\xBF{}"), "x.json: top level: not JSON at byte 0: expected an object, found \"?\"");
  const std::string good = to_json(testing::example_run());
  EXPECT_EQ(message(good + "{}"), "x.json: top level: not JSON at byte " + std::to_string(good.size()) +
                                      ": expected the end of the text, found \"{\"");
}

// 4 bytes of text must not become 80 KB: what is referred to counts against the size of the text.
TEST(MalformedRun, CannotAskForUnboundedMemory) {
  record::Run run = testing::example_run();
  run.objects.assign(10'000, run.objects[3]);
  run.processes.assign(1'001, run.processes[2]);
  std::string text = to_json(run);
  const std::string two = "\"objects\":[3,0]";
  for (std::size_t at = text.find(two); at != std::string::npos; at = text.find(two, at)) {
    text.replace(at, two.size(), "\"objects\":[[0,9999]]");
  }
  const auto read = run_from_json(text, "x.json");
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().message.starts_with("x.json: /processes/")) << read.error().message;
  EXPECT_TRUE(
      read.error().message.ends_with("/objects: too many references to long names or lists for a text of this size"))
      << read.error().message;
}

}  // namespace
}  // namespace torchgate::record
