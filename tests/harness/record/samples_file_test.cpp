// SPDX-License-Identifier: Apache-2.0
#include "harness/record/internal/samples_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <limits>

#include "tests/harness/record/arbitrary_record.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record::internal {
namespace {

using testing::example_run;

record::Run emptied(Run run) {
  for (Process& process : run.processes) {
    for (CaseResult& result : process.cases) {
      for (Measurement& measurement : result.measurements) measurement.samples.clear();
    }
  }
  return run;
}

// One process, one case, one metric, two samples.
record::Run small_run() {
  record::Run run;
  run.sides.resize(1);
  run.cases.resize(1);
  run.cases[0].name = "c";
  run.cases[0].metrics = {{"time", "ns", Direction::lower_is_better, MetricKind::timed, true}};
  run.processes.resize(1);
  run.processes[0].cases.resize(1);
  run.processes[0].cases[0].name = "c";
  run.processes[0].cases[0].measurements = {{"time", std::nullopt, std::nullopt, {1.0, 2.5}}};
  return run;
}

const std::string small_file(
    "torchgate.samples/1\n\0\0\0\0"
    "\1\0\0\0\0\0\0\0"       // series
    "\2\0\0\0\0\0\0\0"       // samples
    "\0\0\0\0\0\0\0\0"       // process
    "\2\0\0\0\0\0\0\0"       // its samples
    "\1\0\0\0\4\0\0\0"       // lengths of the names
    "ctime\0\0\0"            // names, padding
    "\0\0\0\0\0\0\xF0\x3F"   // 1.0
    "\0\0\0\0\0\0\x04\x40",  // 2.5
    24 + 8 * 8);

TEST(SamplesFile, HasTheDocumentedLayout) {
  EXPECT_EQ(encode_samples(small_run()), small_file);
}

TEST(SamplesFile, ReadsBackEqual) {
  EXPECT_TRUE(rc::check([] {
    const record::Run run = *testing::arbitrary_run(false);
    record::Run read = emptied(run);
    const auto filled = decode_samples(encode_samples(run), "x.samples", read);
    if (!filled) RC_FAIL(filled.error().message);
    RC_ASSERT(read == run);
  }));
}

TEST(SamplesFile, OfAnyBytesIsReadOrRefusedWhole) {
  const std::string whole = encode_samples(example_run());
  const record::Run before = emptied(example_run());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    record::Run run = before;
    EXPECT_FALSE(decode_samples(std::string_view(whole).substr(0, length), "x.samples", run).ok()) << length;
    EXPECT_EQ(run, before);
  }
  for (std::size_t position = 0; position < whole.size(); ++position) {
    for (const int change : {0x01, 0x7F, 0x80, 0xFF}) {
      std::string bytes = whole;
      bytes[position] = static_cast<char>(bytes[position] ^ change);
      record::Run run = before;
      const auto filled = decode_samples(bytes, "x.samples", run);
      if (!filled) {
        EXPECT_EQ(filled.error().code, base::ErrorCode::bad_input);
        EXPECT_TRUE(filled.error().message.starts_with("x.samples: ")) << filled.error().message;
        EXPECT_EQ(run, before);
      }
    }
  }
}

TEST(SamplesFile, SaysWhatIsWrongWithIt) {
  struct Row {
    std::size_t position;
    std::string bytes;
    const char* message;
  };
  const auto bytes_of = [](auto number) { return std::string(reinterpret_cast<const char*>(&number), sizeof number); };
  const std::vector<Row> rows = {
      {0, "T", "expected the header of a torchgate.samples/1 file"},
      {18, "2", "expected the header of a torchgate.samples/1 file"},
      {24, "\2", "truncated after 88 bytes, inside its index"},
      {24, "\xFF", "truncated after 88 bytes, inside its index"},
      {32, "\3", "inconsistent: its header counts 3 samples, its index 2, and 16 bytes of samples follow"},
      {40, "\1", "series 0: unknown process 1: the record has 1 process"},
      {48, std::string(1, '\0'), "series 0: invalid number of samples: 0"},
      {48, std::string(8, '\xFF'), "series 0: invalid number of samples: 18446744073709551615"},
      {56, std::string(4, '\xFF'), "truncated after 88 bytes, inside its index"},
      {64, "x", "series 0: the record has no measurement of \"time\" of \"x\" in process 0"},
      {65, "l", "series 0: the record has no measurement of \"lime\" of \"c\" in process 0"},
      {72, bytes_of(std::numeric_limits<double>::quiet_NaN()),
       "series 0: sample 0 is nan, which is not a valid value of \"time\""},
      {80, bytes_of(-1.0), "series 0: sample 1 is -1.000000, which is not a valid value of \"time\""},
  };
  for (const Row& row : rows) {
    std::string bytes = small_file;
    bytes.replace(row.position, row.bytes.size(), row.bytes);
    record::Run run = small_run();
    const auto filled = decode_samples(bytes, "x.samples", run);
    ASSERT_FALSE(filled.ok()) << row.message;
    EXPECT_EQ(filled.error().message, std::string("x.samples: ") + row.message);
  }
}

TEST(SamplesFile, RefusesADuplicateSeries) {
  record::Run run = small_run();
  run.processes.push_back(run.processes[0]);
  std::string bytes = encode_samples(run);
  bytes[40 + 24 + 5] = 0;  // the second series is of process 0 too
  const auto filled = decode_samples(bytes, "x.samples", run);
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().message, "x.samples: series 1: duplicate of an earlier series");
}

TEST(SamplesFile, RefusesMoreSamplesThanTheSummaryIsOf) {
  record::Run run = small_run();
  run.processes[0].cases[0].measurements[0].summary = SampleSummary{1, 1, {}, 1, 1, 1, 1, {}, {}, 1, {}};
  const auto filled = decode_samples(small_file, "x.samples", run);
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().message, "x.samples: series 0: has 2 samples, but its summary in the record has n = 1");
  run.processes[0].cases[0].discarded_samples = 1;
  EXPECT_TRUE(decode_samples(small_file, "x.samples", run).ok());
}

TEST(SamplesFile, RefusesSamplesOfAnExactMetric) {
  record::Run run = small_run();
  run.cases[0].metrics[0].kind = MetricKind::exact;
  EXPECT_FALSE(decode_samples(small_file, "x.samples", run).ok());
}

}  // namespace
}  // namespace torchgate::record::internal
