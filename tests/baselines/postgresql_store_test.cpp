// SPDX-License-Identifier: Apache-2.0
// The contract, and what only a database has: passwords, versions of its schema, roles, large objects.
#include "baselines/postgresql/postgresql_store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <vector>

#include "baselines/copy_store.hpp"
#include "baselines/folder_store.hpp"
#include "baselines/open_store.hpp"
#include "tests/baselines/postgresql_store_fixture.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/baselines/store_contract.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

INSTANTIATE_TEST_SUITE_P(Postgresql, StoreContract,
                         ::testing::Values(StoreUnderTest{"postgresql",
                                                          [](const fs::path& scratch) {
                                                            const auto url =
                                                                PostgresqlServer::get()->url(schema_of(scratch));
                                                            return open_postgresql_store(url, OpenMode::create).value();
                                                          }}),
                         store_name);

TEST_F(PostgresqlStoreTest, AMissingStoreSaysHowToMakeIt) {
  const auto store = open_postgresql_store(url(), OpenMode::existing);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::no_verdict);
  EXPECT_TRUE(has(store.error().message, "torchgate baseline add"));
}

TEST_F(PostgresqlStoreTest, NoMessageHasThePassword) {
  change("DROP ROLE IF EXISTS torchgate_with_password; CREATE ROLE torchgate_with_password LOGIN PASSWORD 'right'");
  const std::string right = url("torchgate_with_password:right");
  const std::string wrong = url("torchgate_with_password:hunter2");
  const auto made = open(url());
  server().sql_file(schema(), fs::path(TORCHGATE_TESTS_DIR) / "../baselines/postgresql/roles.sql");
  change("GRANT torchgate_append TO torchgate_with_password");
  const auto store = open_postgresql_store(right, OpenMode::existing);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->location().find("right"), std::string::npos) << (*store)->location();
  const auto refused = open_postgresql_store(wrong, OpenMode::existing);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.find("hunter2"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(has(refused.error().message, "PGPASSWORD"));
  const auto unknown = open_postgresql_store(url("hunter2"), OpenMode::existing);
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has(unknown.error().message, "hunter2")) << "a user's name is shown";
  // libpq repeats parts of what it cannot parse.
  const auto cut = open_postgresql_store(wrong.substr(0, wrong.find('?')) + "?hunter2=x", OpenMode::existing);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message.find("hunter2"), std::string::npos) << cut.error().message;
  EXPECT_TRUE(has(cut.error().message, "invalid URL"));
  for (const std::string parameters : {"&sslmode=hunter2", "&connect_timeout=hunter2"}) {
    const auto bad = open_postgresql_store(url("torchgate_with_password:hunter2", parameters), OpenMode::existing);
    ASSERT_FALSE(bad) << parameters;
    EXPECT_TRUE(has(bad.error().message, "cannot connect"));
    EXPECT_EQ(bad.error().message.find("hunter2"), std::string::npos) << bad.error().message;
  }
}

TEST_F(PostgresqlStoreTest, AServerThatIsNotThereIsNamedAtOnce) {
  const auto store = open_postgresql_store("postgresql://ci:hunter2@%2Fnonexistent/torchgate", OpenMode::existing);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::io);
  EXPECT_TRUE(has(store.error().message, "cannot connect"));
  EXPECT_EQ(store.error().message.find("hunter2"), std::string::npos) << store.error().message;
}

TEST_F(PostgresqlStoreTest, AnOlderOrNewerSchemaIsRefused) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  change(
      "DROP VIEW torchgate_changes, torchgate_values, torchgate_runs, torchgate_pins; DELETE FROM torchgate_schema "
      "WHERE version = 2");
  for (const auto mode : {OpenMode::existing, OpenMode::create}) {
    const auto older = open_postgresql_store(url(), mode);
    ASSERT_FALSE(older);
    EXPECT_EQ(older.error().code, ErrorCode::bad_input);
    EXPECT_TRUE(has(older.error().message, "torchgate store migrate"));
  }
  EXPECT_TRUE(has(migrate_store(url()).value(), "schema 1 brought to 2"));
  EXPECT_TRUE(has(migrate_store(url()).value(), "nothing to do"));
  EXPECT_EQ(open(url())->list({}).value().size(), 1U) << "what was stored is kept";
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_values"), "1");

  change("INSERT INTO torchgate_schema VALUES (99)");
  const auto newer = open_postgresql_store(url(), OpenMode::existing);
  ASSERT_FALSE(newer);
  EXPECT_TRUE(has(newer.error().message, "update torchgate"));
  EXPECT_TRUE(has(migrate_store(url()).error().message, "update torchgate"));
}

TEST_F(PostgresqlStoreTest, ManyProcessesMayMakeItAtOnce) {
  const std::string location = url();
  std::vector<pid_t> children;
  for (unsigned i = 1; i <= 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto store = open_postgresql_store(location, OpenMode::create);
      ::_exit(store && (*store)->put(sample_run(i), true) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open(location)->list({}).value().size(), 8U);
  EXPECT_EQ(sql("SELECT string_agg(version::text, ',' ORDER BY version) FROM torchgate_schema"), "1,2");
}

TEST_F(PostgresqlStoreTest, ARoleMayAppendAndNotDelete) {
  const auto owner = open(url());
  ASSERT_TRUE(owner->put(sample_run(1), true));
  change(
      "DROP ROLE IF EXISTS torchgate_runner; DROP ROLE IF EXISTS torchgate_board; CREATE ROLE torchgate_runner LOGIN; "
      "CREATE ROLE torchgate_board LOGIN");
  EXPECT_EQ(server().sql_file(schema(), fs::path(TORCHGATE_TESTS_DIR) / "../baselines/postgresql/roles.sql"), "");
  change("GRANT torchgate_append TO torchgate_runner; GRANT torchgate_read TO torchgate_board");

  const auto runner = open(url("torchgate_runner"));
  EXPECT_EQ(runner->put(sample_run(2), true).value(), PutOutcome::added);
  EXPECT_EQ(runner->put(sample_run(2), true).value(), PutOutcome::already_there);
  write(scratch_ / "object", "an object");
  EXPECT_EQ(runner->put_object(scratch_ / "object", base::sha256("an object")).value(), PutOutcome::added);
  EXPECT_TRUE(runner->put_pin({"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1), id(2)}, "0.1.0"}));
  record::Calibration made;
  made.host_key = host;
  made.created = "2026-01-02T00:00:00.000Z";
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 0.02;
  EXPECT_TRUE(runner->put_calibration(made));
  for (const std::string table : {"run", "samples", "object", "pin", "calibration", "series", "value", "schema"}) {
    EXPECT_TRUE(has(sql("DELETE FROM torchgate_" + table, "torchgate_runner"), "permission denied")) << table;
    EXPECT_TRUE(has(sql("TRUNCATE torchgate_" + table, "torchgate_runner"), "permission denied")) << table;
  }
  EXPECT_TRUE(has(sql("UPDATE torchgate_run SET record = ''", "torchgate_runner"), "permission denied"));

  const auto board = open(url("torchgate_board"));
  EXPECT_EQ(board->list({}).value().size(), 2U);
  EXPECT_TRUE(board->load(id(2)));
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_changes", "torchgate_board"), "1");
  const auto refused = board->put(sample_run(3), true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_TRUE(has(refused.error().message, "roles.sql"));

  const auto read_only = open(url("torchgate_runner", "%20-cdefault_transaction_read_only%3Don"));
  const auto late = read_only->put(sample_run(3), true);
  ASSERT_FALSE(late);
  EXPECT_TRUE(has(late.error().message, "read-only"));
  EXPECT_EQ(owner->list({}).value().size(), 2U);
}

TEST_F(PostgresqlStoreTest, ARunOfANewerTorchgateCostsNoOtherRun) {
  const auto store = open(url());
  for (const unsigned number : {1U, 2U}) ASSERT_TRUE(store->put(sample_run(number), true));
  change(
      "UPDATE torchgate_run SET record = convert_to(replace(convert_from(record, 'UTF8'), 'torchgate.run/1', "
      "'torchgate.run/2'), 'UTF8') "
      "WHERE id = '" +
      id(1) + "'");
  EXPECT_TRUE(has(store->load(id(1)).error().message, "damaged")) << "changed by hand: its hash says so";
  change("UPDATE torchgate_run SET record_sha256 = encode(sha256(record), 'hex')");
  const auto newer = store->load(id(1));
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::bad_input);
  EXPECT_TRUE(has(newer.error().message, "torchgate.run/2"));
  EXPECT_TRUE(has(newer.error().message, id(1)));
  EXPECT_TRUE(store->load(id(2)));
  EXPECT_EQ(store->list({}).value().size(), 2U);
}

TEST_F(PostgresqlStoreTest, PrunedSamplesAreNotFoundAndContradictNothing) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  change("DELETE FROM torchgate_samples");
  auto run = store->load(id(1)).value();
  EXPECT_EQ(store->load_samples(run).error().code, ErrorCode::not_found);
  EXPECT_EQ(store->put(sample_run(1), true).value(), PutOutcome::already_there);
}

TEST_F(PostgresqlStoreTest, LargeObjectsNeedAFolder) {
  const auto large = scratch_ / "large";
  write(large, "begin");
  fs::resize_file(large, (32U << 20U) + 1);
  const std::string hash = base::sha256_of_file(large).value();
  const auto refused = open(url())->put_object(large, hash);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input) << "the run is stored without it";
  EXPECT_TRUE(has(refused.error().message, "torchgate_objects"));

  const auto store = open(url("postgres", "&torchgate_objects=" + (scratch_ / "objects").string()));
  EXPECT_EQ(store->put_object(large, hash).error().code, ErrorCode::io) << "a share that is not mounted";
  EXPECT_EQ(store->has_object(hash).error().code, ErrorCode::io);
  EXPECT_FALSE(fs::exists(scratch_ / "objects"));
  fs::create_directory(scratch_ / "objects");
  EXPECT_FALSE(store->has_object(hash).value());
  EXPECT_EQ(store->put_object(large, hash).value(), PutOutcome::added);
  EXPECT_EQ(store->put_object(large, hash).value(), PutOutcome::already_there);
  EXPECT_TRUE(store->has_object(hash).value());
  ASSERT_TRUE(store->get_object(hash, scratch_ / "again"));
  EXPECT_EQ(base::sha256_of_file(scratch_ / "again").value(), hash);
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_object"), "0");
}

TEST_F(PostgresqlStoreTest, ACopyDoesNotFetchWhatIsTooLarge) {
  const auto folder = open_folder_store(scratch_ / "from", OpenMode::create).value();
  const std::string hash = base::sha256("an object");
  auto run = sample_run(1);
  run.objects.push_back({"/opt/libtorch_cpu.so", "", (std::int64_t{32} << 20U) + 1, 1, 1, hash, true, false});
  ASSERT_TRUE(folder->put(run, true));
  write(scratch_ / "object", "an object");
  ASSERT_TRUE(folder->put_object(scratch_ / "object", hash));
  const auto database = open(url());
  const auto report = copy_store(*folder, *database, {scratch_ / "no scratch folder"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->runs_added, 1U);
  ASSERT_EQ(report->not_copied.size(), 1U);
  EXPECT_TRUE(has(report->not_copied[0], "torchgate_objects"));
}

TEST_F(PostgresqlStoreTest, ACallersSecondPutIsRefused) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  const Pin pin{"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1)}, "0.1.0"};
  ASSERT_TRUE(store->put_pin(pin));
  EXPECT_EQ(store->put_pin(pin).error().code, ErrorCode::bad_input);
}

TEST_F(PostgresqlStoreTest, ADamagedObjectIsNoticed) {
  const auto store = open(url());
  write(scratch_ / "object", "an object");
  const std::string hash = base::sha256("an object");
  ASSERT_TRUE(store->put_object(scratch_ / "object", hash));
  change("UPDATE torchgate_object SET bytes = 'another'");
  const auto got = store->get_object(hash, scratch_ / "again");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(scratch_ / "again"));
}

TEST_F(PostgresqlStoreTest, IsCopiedInBothDirections) {
  const auto folder = open_folder_store(scratch_ / "from", OpenMode::create).value();
  write(scratch_ / "suite", "a suite");
  auto with_object = sample_run(1);
  with_object.objects.push_back({(scratch_ / "suite").string(), "", 7, 1, 1, base::sha256("a suite"), true, false});
  ASSERT_TRUE(folder->put_object(scratch_ / "suite", base::sha256("a suite")));
  ASSERT_TRUE(folder->put(with_object, true));
  ASSERT_TRUE(folder->put(sample_run(2), false));
  ASSERT_TRUE(folder->put_pin({"v1", "2026-11-20T02:00:00.000Z", commit("c0ffee"), {id(1)}, "0.1.0"}));
  record::Calibration made;
  made.host_key = "host-without-runs";
  made.created = "2026-01-02T00:00:00.000Z";
  made.runs = {"aaaa", "bbbb", "cccc"};
  made.run_sd = 0.02;
  ASSERT_TRUE(folder->put_calibration(made));
  fs::create_directories(scratch_ / "scratch");
  const CopyOptions options{scratch_ / "scratch"};

  const auto database = open(url());
  const auto there = copy_store(*folder, *database, options);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_TRUE(there->not_copied.empty());
  const auto back = open_folder_store(scratch_ / "back", OpenMode::create).value();
  const auto again = copy_store(*database, *back, options);
  ASSERT_TRUE(again) << again.error().message;
  for (const auto& report : {*there, *again}) {
    EXPECT_EQ(report.runs_added, 2U);
    EXPECT_EQ(report.objects_added, 1U);
    EXPECT_EQ(report.pins_added, 1U);
    EXPECT_EQ(report.calibrations_added, 1U);
  }
  EXPECT_EQ(back->list({}).value(), folder->list({}).value());
  std::map<fs::path, std::string> files[2];
  for (int i = 0; i < 2; ++i) {
    const fs::path root = scratch_ / (i == 0 ? "from" : "back");
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.is_regular_file()) files[i][fs::relative(entry.path(), root)] = read(entry.path());
  }
  EXPECT_EQ(files[0], files[1]) << "byte for byte";
  EXPECT_EQ(copy_store(*folder, *database, options).value().runs_already_there, 2U);
}

}  // namespace
}  // namespace torchgate::baselines::testing

int main(int count, char** arguments) {
  ::testing::InitGoogleTest(&count, arguments);
  if (torchgate::baselines::testing::PostgresqlServer::get() == nullptr) {
    const std::string& reason = torchgate::baselines::testing::PostgresqlServer::why_not();
    std::printf("%s\n", reason.c_str());
    if (!reason.starts_with("skipped: ")) return 1;
    constexpr int skipped = 77;
    return skipped;
  }
  return RUN_ALL_TESTS();
}
