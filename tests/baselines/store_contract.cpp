// SPDX-License-Identifier: Apache-2.0
#include "tests/baselines/store_contract.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

using base::ErrorCode;

std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> all;
  for (const auto& entry : entries) all.push_back(entry.id);
  return all;
}

record::Run without_samples(record::Run run) {
  for (auto& process : run.processes)
    for (auto& result : process.cases)
      for (auto& measurement : result.measurements) measurement.samples.clear();
  run.samples.reset();
  return run;
}

const std::vector<double>& samples_of(const record::Run& run) {
  return run.processes.at(0).cases.at(0).measurements.at(0).samples;
}

/// Runs WORK in COUNT processes at once and adds up what they return (small numbers: exit codes).
int sum_over_processes(int count, const std::function<int(int)>& work) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work(i));
    children.push_back(child);
  }
  int sum = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    sum += WEXITSTATUS(status);
  }
  return sum;
}

TEST_P(StoreContract, IsEmptyAtFirst) {
  const auto store = open();
  EXPECT_TRUE(store->list({}).value().empty());
  EXPECT_EQ(store->load(id(1)).error().code, ErrorCode::not_found);
  EXPECT_FALSE(store->location().empty());
}

TEST_P(StoreContract, GivesBackWhatWasPut) {
  const auto run = sample_run(1);
  ASSERT_EQ(open()->put(run, true).value(), PutOutcome::added);

  const auto store = open();
  auto loaded = store->load(run.id);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(samples_of(*loaded).empty());
  EXPECT_EQ(without_samples(*loaded), without_samples(run));
  const auto filled = store->load_samples(*loaded);
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_EQ(samples_of(*loaded), samples_of(run));
}

TEST_P(StoreContract, KeepsARunThatHasNoSamplesInMemory) {
  const auto run = without_samples(sample_run(1));
  const auto store = open();
  ASSERT_TRUE(store->put(run, true));
  EXPECT_EQ(store->load(run.id).value(), run);
}

TEST_P(StoreContract, ListsOldestFirstAndByHost) {
  const auto store = open();
  auto elsewhere = sample_run(2);
  elsewhere.machine.host_key = other_host;
  for (const auto& run : {sample_run(3), elsewhere, sample_run(1)}) ASSERT_TRUE(store->put(run, true));
  EXPECT_EQ(ids(store->list({}).value()), (std::vector{id(1), id(2), id(3)}));
  EXPECT_EQ(ids(store->list({host}).value()), (std::vector{id(1), id(3)}));
  EXPECT_EQ(ids(store->list({other_host}).value()), (std::vector{id(2)}));
  EXPECT_TRUE(store->list({"x86_64-nobody"}).value().empty());
}

TEST_P(StoreContract, AListingSaysWhatSelectionNeeds) {
  const auto store = open();
  const auto run = sample_run(1, commit("1a2b3c4d5e6f7"));
  ASSERT_TRUE(store->put(run, true));
  EXPECT_EQ(store->list({}).value(), (std::vector{Entry{id(1), host, run.created, "1a2b3c4d5e6f"}}));
}

TEST_P(StoreContract, ARunWithoutACommitIsNotABaseline) {
  const auto store = open();
  auto modified = sample_run(1);
  modified.sides[0].source.modified = true;
  auto nowhere = sample_run(2);
  nowhere.sides[0].source = {};
  ASSERT_TRUE(store->put(modified, false));
  ASSERT_TRUE(store->put(nowhere, false));
  const auto entries = store->list({}).value();
  EXPECT_EQ(entries.size(), 2U);
  for (const auto& entry : entries) EXPECT_EQ(entry.commit, std::nullopt) << entry.id;
  EXPECT_EQ(store->put(sample_run(2), false).error().code, ErrorCode::bad_input) << "same id, other content";
}

TEST_P(StoreContract, PuttingAStoredRunAgainSucceeds) {
  const auto store = open();
  const auto run = sample_run(1);
  ASSERT_EQ(store->put(run, true).value(), PutOutcome::added);
  EXPECT_EQ(store->put(run, true).value(), PutOutcome::already_there);
  EXPECT_EQ(store->put(without_samples(run), true).value(), PutOutcome::already_there);
  auto loaded = store->load(run.id).value();
  EXPECT_EQ(store->put(loaded, true).value(), PutOutcome::already_there);
  ASSERT_TRUE(store->load_samples(loaded));
  EXPECT_EQ(store->put(loaded, true).value(), PutOutcome::already_there);
  EXPECT_EQ(store->list({}).value().size(), 1U);
}

TEST_P(StoreContract, AStoredRunNeverChanges) {
  const auto store = open();
  const auto run = sample_run(1);
  ASSERT_TRUE(store->put(run, true));

  auto other_fact = run;
  other_fact.warnings = {"the machine was busy"};
  auto other_sample = run;
  other_sample.processes[0].cases[0].measurements[0].samples[1] += 0.5;
  auto other_time = run;
  other_time.created = "2026-11-21T00:00:00.000Z";
  auto other_place = run;
  other_place.machine.host_key = other_host;
  for (const auto& changed : {other_fact, other_sample, other_time, other_place}) {
    const auto put = store->put(changed, true);
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::bad_input);
    EXPECT_NE(put.error().message.find(run.id), std::string::npos) << put.error().message;
  }
  EXPECT_EQ(store->put(run, false).error().code, ErrorCode::bad_input) << "a baseline cannot lose its commit";
  EXPECT_EQ(store->list({}).value().size(), 1U);
  auto loaded = store->load(run.id).value();
  ASSERT_TRUE(store->load_samples(loaded));
  EXPECT_EQ(samples_of(loaded), samples_of(run));
}

TEST_P(StoreContract, FindsARunByAUniquePrefix) {
  const auto store = open();
  auto first = sample_run(1);
  first.id = "abcd000000000001";
  auto second = sample_run(2);
  second.id = "abcd100000000002";
  for (const auto& run : {first, second}) ASSERT_TRUE(store->put(run, true));
  EXPECT_EQ(store->load("abcd0").value().id, first.id);
  EXPECT_EQ(store->load("abcd1").value().id, second.id);
  EXPECT_EQ(store->load("abcd2").error().code, ErrorCode::not_found);
  const auto ambiguous = store->load("abcd");
  ASSERT_FALSE(ambiguous);
  EXPECT_EQ(ambiguous.error().code, ErrorCode::bad_input);
  EXPECT_NE(ambiguous.error().message.find(first.id), std::string::npos);
  EXPECT_NE(ambiguous.error().message.find(second.id), std::string::npos);
  for (const char* no_prefix : {"", "abc", "ABCD0", "../abcd0", "abcd0*"})
    EXPECT_EQ(store->load(no_prefix).error().code, ErrorCode::bad_input) << no_prefix;
}

TEST_P(StoreContract, RefusesWhatCouldLeaveTheStore) {
  const auto store = open();
  auto climbing_host = sample_run(1);
  climbing_host.machine.host_key = "../../etc";
  auto hidden_host = sample_run(1);
  hidden_host.machine.host_key = ".git";
  auto climbing_id = sample_run(1);
  climbing_id.id = "../../../../evil";
  auto odd_time = sample_run(1);
  odd_time.created = "yesterday";
  const auto short_commit = sample_run(1, "c0ffee");
  auto no_commit = sample_run(1);
  no_commit.sides[0].source.commit.reset();
  for (const auto& run : {climbing_host, hidden_host, climbing_id, odd_time, short_commit, no_commit})
    EXPECT_EQ(store->put(run, true).error().code, ErrorCode::bad_input);
  EXPECT_TRUE(store->list({}).value().empty());
}

TEST_P(StoreContract, KeepsObjectsByContent) {
  const auto store = open();
  const std::string content = "not really an executable";
  write(file("suite"), content);
  const auto hash = base::sha256(content);
  ASSERT_EQ(store->put_object(file("suite"), hash).value(), PutOutcome::added);
  write(file("suite"), "rebuilt");
  EXPECT_EQ(store->put_object(file("suite"), hash).value(), PutOutcome::already_there);

  ASSERT_TRUE(open()->get_object(hash, file("again")));
  EXPECT_EQ(read(file("again")), content);
  EXPECT_EQ(store->get_object(hash, file("again")).error().code, ErrorCode::bad_input) << "never writes over a file";
}

TEST_P(StoreContract, ChecksTheHashOfAnObject) {
  const auto store = open();
  write(file("suite"), "rebuilt since it ran");
  const auto recorded = base::sha256("as it ran");
  const auto put = store->put_object(file("suite"), recorded);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::bad_input);
  EXPECT_EQ(store->get_object(recorded, file("out")).error().code, ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(file("out")));
  EXPECT_EQ(store->put_object(file("absent"), recorded).error().code, ErrorCode::not_found);
  for (const std::string no_hash : {"", "../../etc/passwd", "ABCD"}) {
    EXPECT_EQ(store->put_object(file("suite"), no_hash).error().code, ErrorCode::bad_input);
    EXPECT_EQ(store->get_object(no_hash, file("out")).error().code, ErrorCode::bad_input);
  }
}

TEST_P(StoreContract, TheNewestCalibrationOfAHostIsInForce) {
  const auto store = open();
  record::Calibration made;
  made.host_key = "host-a";
  made.runs = {"aaaa", "bbbb", "cccc"};
  EXPECT_FALSE(store->calibration("host-a").value().calibration);
  for (const auto& [created, run_sd] :
       {std::pair{"2026-01-02T00:00:00.000Z", 0.02}, std::pair{"2026-01-03T00:00:00.000Z", 0.03},
        std::pair{"2026-01-01T00:00:00.000Z", 0.01}}) {
    made.created = created;
    made.run_sd = run_sd;
    ASSERT_TRUE(store->put_calibration(made));
  }
  EXPECT_DOUBLE_EQ(open()->calibration("host-a").value().calibration.value().run_sd, 0.03);
  EXPECT_FALSE(store->calibration("host-b").value().calibration);
  EXPECT_FALSE(store->put_calibration(made)) << "an earlier one is never replaced";
  made.host_key = "../host-a";
  EXPECT_EQ(store->put_calibration(made).error().code, ErrorCode::bad_input);
  EXPECT_FALSE(store->calibration("../host-a").value().calibration);
}

TEST_P(StoreContract, AnImpossibleCalibrationIsNeitherKeptNorUsed) {
  const auto store = open();
  record::Calibration made;
  made.host_key = "host-a";
  made.created = "2026-01-02T00:00:00.000Z";
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 9;
  EXPECT_EQ(store->put_calibration(made).error().code, ErrorCode::bad_input);
  made.run_sd = 0.02;
  made.runs.pop_back();
  EXPECT_EQ(store->put_calibration(made).error().code, ErrorCode::bad_input);
  EXPECT_FALSE(store->calibration("host-a").value().calibration);
}

TEST_P(StoreContract, ACalibrationOfALaterTimeThanNowIsIgnored) {
  const auto store = open();
  record::Calibration made;
  made.host_key = "host-a";
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 0.02;
  for (const char* const created : {"2999-01-01T00:00:00.000Z", "2998-01-01T00:00:00.000Z"}) {
    made.created = created;
    ASSERT_TRUE(store->put_calibration(made));
  }
  const auto none = store->calibration("host-a");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(none->calibration);
  EXPECT_NE(none->warning.find("2999"), std::string::npos) << none->warning;
  EXPECT_NE(none->warning.find("later than now"), std::string::npos) << none->warning;
  made.created = "2026-01-01T00:00:00.000Z";
  ASSERT_TRUE(store->put_calibration(made));
  const auto calibrated_again = store->calibration("host-a");
  ASSERT_TRUE(calibrated_again) << calibrated_again.error().message;
  EXPECT_EQ(calibrated_again->calibration, made);
  EXPECT_EQ(calibrated_again->warning, none->warning);
}

TEST_P(StoreContract, APinNamesBaselinesOfItsCommit) {
  const auto store = open();
  EXPECT_FALSE(store->pin("v1").value().has_value());
  ASSERT_TRUE(store->put(sample_run(1), true));
  ASSERT_TRUE(store->put(sample_run(2, commit("aa1")), true));
  ASSERT_TRUE(store->put(sample_run(3), false));
  Pin pin{"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1)}, "0.1.0"};
  ASSERT_TRUE(store->put_pin(pin));
  EXPECT_EQ(open()->pin("v1").value(), pin);
  EXPECT_EQ(open()->pins()->pins, std::vector{pin});
  EXPECT_TRUE(open()->pins()->damaged.empty());
  EXPECT_EQ(store->put_pin(pin).error().code, ErrorCode::bad_input) << "a record is never replaced";

  pin.created = "2026-11-20T03:00:00.000Z";
  for (const unsigned other : {2U, 3U}) {
    pin.runs = {id(other)};
    EXPECT_EQ(store->put_pin(pin).error().code, ErrorCode::bad_input) << "not a baseline of the commit: " << other;
  }
  pin.runs = {id(4)};
  EXPECT_EQ(store->put_pin(pin).error().code, ErrorCode::not_found);
  ASSERT_TRUE(store->put_pin({"v1", pin.created, "", {}, "0.1.0"}));
  EXPECT_FALSE(open()->pin("v1").value().has_value());
  EXPECT_TRUE(open()->pins()->pins.empty());
}

TEST_P(StoreContract, APinFollowsTheNewestRecordOfItsName) {
  const auto store = open();
  ASSERT_TRUE(store->put(sample_run(1), true));
  Pin pin{"v1", "2026-11-20T02:00:00.999Z", commit("c0ffee"), {id(1)}, "0.1.0"};
  const Pin removal{"v1", "2026-11-20T01:00:00.000Z", "", {}, "0.1.0"};
  EXPECT_EQ(store->add_pin(removal, PinBefore::one).error().code, ErrorCode::not_found);
  EXPECT_EQ(store->add_pin(pin, PinBefore::none).value(), pin);
  const auto again = store->add_pin(pin, PinBefore::none);
  EXPECT_EQ(again.error().code, ErrorCode::bad_input);
  EXPECT_NE(again.error().message.find("already names commit"), std::string::npos) << again.error().message;
  pin.created = "2026-11-20T02:00:01.000Z";
  EXPECT_EQ(store->add_pin({"v1", removal.created, pin.commit, pin.runs, "0.1.0"}, PinBefore::any).value(), pin)
      << "a slow clock";
  EXPECT_EQ(open()->pin("v1").value(), pin);
  EXPECT_EQ(store->add_pin(removal, PinBefore::one)->created, "2026-11-20T02:00:01.001Z");
  EXPECT_EQ(store->add_pin(removal, PinBefore::one).error().code, ErrorCode::not_found);
  pin.runs = {id(2)};
  EXPECT_EQ(store->add_pin(pin, PinBefore::none).error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, OfManyPinsWithOneNameOneIsAdded) {
  ASSERT_TRUE(open()->put(sample_run(1), true));
  const auto add = [&](PinBefore before) {
    return sum_over_processes(8, [&](int i) {
      const std::string created = "2026-11-20T02:00:00.00" + std::to_string(i) + "Z";
      return open()->add_pin({"v1", created, commit("c0ffee"), {id(1)}, "0.1.0"}, before) ? 1 : 0;
    });
  };
  EXPECT_EQ(add(PinBefore::none), 1);
  EXPECT_EQ(add(PinBefore::any), 8);
}

TEST_P(StoreContract, TheSameRunFromManyProcessesIsAddedOnce) {
  open();
  const int added = sum_over_processes(8, [&](int) {
    const auto put = open()->put(sample_run(1), true);
    return put ? (*put == PutOutcome::added ? 1 : 0) : 100;
  });
  EXPECT_EQ(added, 1);
  EXPECT_EQ(open()->list({}).value().size(), 1U);
}

TEST_P(StoreContract, OfManyRunsWithOneIdOneWins) {
  open();
  const int added = sum_over_processes(8, [&](int i) {
    auto run = sample_run(1);
    run.created[12] = static_cast<char>('0' + i);  // another time, so another place to be stored at
    return open()->put(run, true) ? 1 : 0;
  });
  EXPECT_EQ(added, 1);
  EXPECT_EQ(open()->list({}).value().size(), 1U);
}

}  // namespace
}  // namespace torchgate::baselines::testing
