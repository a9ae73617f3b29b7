// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

using base::testing::TemporaryFolder;
using testing::example_run;
using Names = std::vector<std::string>;

record::Run saved(const TemporaryFolder& folder) {
  record::Run run = example_run();
  const auto written = save_run(run, folder / "run.json", false);
  EXPECT_TRUE(written.ok()) << written.error().message;
  return run;
}

TEST(SaveRun, WritesARecordAndItsSamplesBesideIt) {
  const TemporaryFolder folder;
  const record::Run run = saved(folder);
  ASSERT_TRUE(run.samples.has_value());
  EXPECT_EQ(folder.listing(), (Names{run.samples->sha256 + ".samples", "run.json"}));
  EXPECT_EQ(base::sha256_of_file(folder / (run.samples->sha256 + ".samples")).value(), run.samples->sha256);
  EXPECT_EQ(run.samples->count, 16);

  auto read = load_run(folder / "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->processes[0].cases[0].measurements[0].samples.empty());
  const auto samples = load_samples(*read, folder / "run.json");
  ASSERT_TRUE(samples.ok()) << samples.error().message;
  EXPECT_EQ(*read, run);
}

TEST(SaveRun, WritesNoSamplesFileWhereThereAreNoSamples) {
  const TemporaryFolder folder;
  record::Run run = example_run();
  run.processes.clear();
  ASSERT_TRUE(save_run(run, folder / "run.json", false).ok());
  EXPECT_EQ(run.samples, std::nullopt);
  EXPECT_EQ(folder.listing(), Names{"run.json"});
  auto read = load_run(folder / "run.json");
  const auto samples = load_samples(read.value(), folder / "run.json");
  ASSERT_FALSE(samples.ok());
  EXPECT_EQ(samples.error().code, base::ErrorCode::not_found);
  EXPECT_EQ(samples.error().message, (folder / "run.json").string() + ": this run was stored without raw samples");
}

TEST(SaveRun, KeepsTheNameOfSamplesThatWereNotLoaded) {
  const TemporaryFolder folder;
  const record::Run run = saved(folder);
  auto read = load_run(folder / "run.json");
  ASSERT_TRUE(save_run(*read, folder / "copy.json", false).ok());
  EXPECT_EQ(read->samples, run.samples);
  ASSERT_TRUE(load_samples(*read, folder / "copy.json").ok());
  EXPECT_EQ(*read, run);
}

TEST(SaveRun, RefusesToReplaceAndWritesNothingThen) {
  const TemporaryFolder folder;
  std::ofstream(folder / "run.json") << "something else";
  record::Run run = example_run();
  const auto refused = save_run(run, folder / "run.json", false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(run, example_run());
  EXPECT_EQ(folder.listing(), Names{"run.json"});
  ASSERT_TRUE(save_run(run, folder / "run.json", true).ok());
  EXPECT_TRUE(load_run(folder / "run.json").ok());
}

TEST(SaveRun, WritesNothingThatCouldNotBeReadBack) {
  const TemporaryFolder folder;
  std::vector<std::pair<record::Run, std::string>> runs(3, {example_run(), ""});
  runs[0].first.processes[1].cases[0].measurements[0].summary->median = std::numeric_limits<double>::quiet_NaN();
  runs[0].second = "/processes/1/cases/0/measurements/time/5: expected a number for median, found null";
  runs[1].first.processes[0].cases[0].name = "no such case";
  runs[1].second =
      "/processes/0/cases/0/case: expected a position in /cases, and no case of this document is called "
      "\"no such case\"";
  runs[2].first.processes[0].cases[0].measurements[0].samples[2] = std::numeric_limits<double>::infinity();
  runs[2].second = "series 0: sample 2 is inf, which is not a valid value of \"time\"";
  for (auto& [run, place] : runs) {
    const auto refused = save_run(run, folder / "run.json", false);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, base::ErrorCode::internal);
    EXPECT_EQ(refused.error().message,
              "not written: it could not be read back: " + (folder / "run.json").string() + ": " + place);
    EXPECT_EQ(run.samples, std::nullopt);
    EXPECT_EQ(folder.listing(), Names{});
  }
}

TEST(SaveRun, SaysThatTheFolderIsMissing) {
  const TemporaryFolder folder;
  record::Run run = example_run();
  const auto failed = save_run(run, folder / "missing" / "run.json", false);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, base::ErrorCode::not_found);
  EXPECT_EQ(run, example_run());
}

TEST(LoadRun, SaysWhatIsWrongWithTheFile) {
  const TemporaryFolder folder;
  const auto path = folder / "run.json";
  EXPECT_EQ(load_run(path).error().code, base::ErrorCode::not_found);

  std::ofstream(path).close();
  EXPECT_EQ(load_run(path).error().message, path.string() + ": top level: truncated after 0 bytes: expected an object");
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(max_record_bytes) + 1);
  EXPECT_EQ(load_run(path).error().message,
            path.string() + ": larger than the limit of 268435456 bytes for such a file");
}

TEST(LoadSamples, SaysThatTheyWerePruned) {
  const TemporaryFolder folder;
  const record::Run run = saved(folder);
  std::filesystem::remove(folder / (run.samples->sha256 + ".samples"));
  auto read = load_run(folder / "run.json");
  const auto samples = load_samples(read.value(), folder / "run.json");
  ASSERT_FALSE(samples.ok());
  EXPECT_EQ(samples.error().code, base::ErrorCode::not_found);
  EXPECT_TRUE(samples.error().message.ends_with(".samples: missing raw samples of this run, possibly pruned"));
}

TEST(LoadSamples, RefusesDamagedOnesAndSavingAgainRestoresThem) {
  const TemporaryFolder folder;
  record::Run run = saved(folder);
  const auto path = folder / (run.samples->sha256 + ".samples");
  std::string bytes = base::read_file(path, 1 << 20).value();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  ASSERT_TRUE(base::write_file_atomically(path, bytes, true).ok());
  record::Run read = load_run(folder / "run.json").value();
  const record::Run before = read;
  const auto samples = load_samples(read, folder / "run.json");
  ASSERT_FALSE(samples.ok());
  EXPECT_EQ(samples.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(samples.error().message.find("; restore or remove it"), std::string::npos);
  EXPECT_EQ(read, before);

  ASSERT_TRUE(save_run(run, folder / "run.json", true).ok());
  EXPECT_TRUE(load_samples(read, folder / "run.json").ok());
}

TEST(LoadSamples, RefusesThoseOfARecordThatWasChanged) {
  const TemporaryFolder folder;
  (void)saved(folder);
  record::Run read = load_run(folder / "run.json").value();
  read.samples->count = 17;
  const auto samples = load_samples(read, folder / "run.json");
  ASSERT_FALSE(samples.ok());
  EXPECT_TRUE(samples.error().message.ends_with(": has 16 samples, but the record has 17")) << samples.error().message;
}

}  // namespace
}  // namespace torchgate::record
