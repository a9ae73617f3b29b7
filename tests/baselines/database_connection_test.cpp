// SPDX-License-Identifier: Apache-2.0
// A connection that is lost, a server that restarts, stays away, is full or takes too long: all of a run, or nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>
#include <tuple>

#include "tests/baselines/cutting_proxy.hpp"
#include "tests/baselines/postgresql_store_fixture.hpp"
#include "tests/baselines/sample_run.hpp"

namespace torchgate::baselines::testing {
namespace {

using base::ErrorCode;

TEST_F(PostgresqlStoreTest, AFullDiskLeavesNothingHalfWritten) {
  const auto store = open(url());
  // What the server reports when it cannot extend a file, at the last of the statements of a run.
  change(
      "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend "
      "file' USING ERRCODE = "
      "'53100'; END $$; CREATE TRIGGER full_disk BEFORE INSERT ON torchgate_value EXECUTE FUNCTION full_disk()");
  const auto put = store->put(sample_run(1), true);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::io);
  EXPECT_TRUE(has(put.error().message, "free space"));
  for (const std::string table : {"run", "samples", "value"})
    EXPECT_EQ(sql("SELECT count(*) FROM torchgate_" + table), "0");
  change("DROP TRIGGER full_disk ON torchgate_value");
  EXPECT_EQ(store->put(sample_run(1), true).value(), PutOutcome::added);
}

TEST_F(PostgresqlStoreTest, ALostConnectionIsMadeAgain) {
  const auto store = open(url());
  ASSERT_TRUE(store->put(sample_run(1), true));
  change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'torchgate'");
  EXPECT_EQ(store->put(sample_run(2), true).value(), PutOutcome::added);
  change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'torchgate'");
  EXPECT_EQ(store->list({}).value().size(), 2U);
}

/// Runs WORK while the last table that a run is written to is locked, so that its writer waits in the middle of its transaction.
void while_writer_waits(const PostgresqlServer& server, const std::string& schema, Store& store, unsigned number,
                        const std::function<void()>& work) {
  std::thread lock([&] { server.sql(schema, "BEGIN; LOCK TABLE torchgate_value; SELECT pg_sleep(600); COMMIT"); });
  const auto count = [&](const std::string& where) {
    return server.sql("", "SELECT count(*) FROM pg_stat_activity WHERE " + where);
  };
  while (count("query LIKE '%pg_sleep(600)%' AND wait_event = 'PgSleep'") != "1") std::this_thread::yield();
  std::thread writer([&] {
    const auto put = store.put(sample_run(number), true);
    EXPECT_TRUE(put) << put.error().message;
  });
  while (count("application_name = 'torchgate' AND wait_event_type = 'Lock'") != "1") std::this_thread::yield();
  EXPECT_EQ(server.sql(schema, "SELECT count(*) FROM torchgate_run WHERE id = '" + id(number) + "'"), "0");
  work();
  server.sql("", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
  writer.join();
  lock.join();
}

TEST_F(PostgresqlStoreTest, AWriterCutOffInTheMiddleWritesAllOfIt) {
  // A busy machine may take long to start the server again.
  const auto store = open_postgresql_store(url(), OpenMode::create, std::chrono::minutes(5)).value();
  while_writer_waits(server(), schema(), *store, 1, [&] {
    EXPECT_EQ(sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'torchgate' "
                  "AND wait_event_type = 'Lock'"),
              "1");
  });
  EXPECT_EQ(store->list({}).value().size(), 1U);
  while_writer_waits(server(), schema(), *store, 2, [&] {
    server().crash();
    server().start();
  });
  for (const unsigned number : {1U, 2U}) {
    auto run = store->load(id(number)).value();
    EXPECT_TRUE(store->load_samples(run));
  }
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_value"), "2");
}

TEST_F(PostgresqlStoreTest, AServerThatStaysAwayIsAnError) {
  const auto opened = open_postgresql_store(url(), OpenMode::create, std::chrono::milliseconds(200));
  ASSERT_TRUE(opened);
  server().crash();
  const auto put = (*opened)->put(sample_run(1), true);
  server().start();
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::io);
  EXPECT_EQ((*opened)->put(sample_run(1), true).value(), PutOutcome::added) << "and later it works";
}

// The client cannot know what became of a COMMIT that was not answered: it asks on a new connection, and stores once.
TEST_F(PostgresqlStoreTest, ACommitWithoutAnAnswerIsStoredOnce) {
  CuttingProxy proxy(server().socket());
  const auto store = open(proxy.through(url()));
  unsigned number = 0;
  Pin pin;
  pin.name = "v1";
  pin.commit = *sample_run(1).sides.front().source.commit;
  const auto object = scratch_.path() / "object";
  for (const Cut where : {Cut::before_commit, Cut::at_commit, Cut::after_commit}) {
    SCOPED_TRACE(static_cast<int>(where));
    const auto run = sample_run(++number);
    proxy.cut(where);
    EXPECT_EQ(store->put(run, true).value(), PutOutcome::added);
    EXPECT_TRUE(proxy.has_cut());
    EXPECT_EQ(store->put(run, true).value(), PutOutcome::already_there);
    auto stored = store->load(run.id).value();
    EXPECT_TRUE(store->load_samples(stored));
    for (const std::string table : {"run", "samples", "value"})
      EXPECT_EQ(sql("SELECT count(*) FROM torchgate_" + table), std::to_string(number)) << table;

    std::ofstream(object) << "object " << number;
    const std::string hash = base::sha256("object " + std::to_string(number));
    proxy.cut(where);
    EXPECT_TRUE(store->put_object(object, hash));
    EXPECT_TRUE(proxy.has_cut()) << "where it looks for the object";
    EXPECT_TRUE(store->has_object(hash).value());

    pin.created = "2026-0" + std::to_string(number) + "-01T00:00:00.000Z";
    pin.runs = {id(1)};
    proxy.cut(where);
    EXPECT_TRUE(store->put_pin(pin));
    EXPECT_TRUE(proxy.has_cut());
    EXPECT_FALSE(store->put_pin(pin)) << "the same time twice";
    EXPECT_EQ(sql("SELECT count(*) FROM torchgate_pin"), std::to_string(number));
  }
}

TEST_F(PostgresqlStoreTest, ACommitThatIsNeverAnsweredIsAnErrorThatSaysSo) {
  for (const Cut where : {Cut::before_commit, Cut::after_commit}) {
    const unsigned number = where == Cut::before_commit ? 1 : 2;
    CuttingProxy proxy(server().socket());
    auto opened = open_postgresql_store(proxy.through(url()), OpenMode::create, std::chrono::milliseconds(300));
    ASSERT_TRUE(opened) << opened.error().message;
    proxy.cut(where, true);
    const auto put = (*opened)->put(sample_run(number), true);
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::io);
    EXPECT_TRUE(has(put.error().message, "COMMIT was not answered"));
    // The same command, later.
    EXPECT_EQ(open(url())->put(sample_run(number), true).value(),
              where == Cut::before_commit ? PutOutcome::added : PutOutcome::already_there);
    EXPECT_EQ(sql("SELECT count(*) FROM torchgate_run"), std::to_string(number));
  }
}

TEST_F(PostgresqlStoreTest, ACommitThatTheServerRefusedWasAnswered) {
  const auto store = open_postgresql_store(url(), OpenMode::create, std::chrono::milliseconds(300)).value();
  change(
      "CREATE FUNCTION collision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not serialize "
      "access' USING ERRCODE = '40001'; END $$; CREATE CONSTRAINT TRIGGER collision AFTER INSERT ON torchgate_value "
      "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION collision()");
  const auto put = store->put(sample_run(1), true);
  ASSERT_FALSE(put);
  EXPECT_TRUE(has(put.error().message, "collided")) << put.error().message;
  EXPECT_FALSE(has(put.error().message, "COMMIT was not answered")) << put.error().message;
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_run"), "0");
}

TEST_F(PostgresqlStoreTest, ARunOfThatIdThatAnotherWriterStoredMeanwhileIsRefused) {
  CuttingProxy proxy(server().socket());
  const auto store = open(proxy.through(url()));
  auto other = sample_run(1);
  other.tool_version = "0.1.1";
  proxy.cut(Cut::before_commit, true);
  std::thread writer([&] {
    const auto put = store->put(sample_run(1), true);
    ASSERT_FALSE(put);
    EXPECT_TRUE(has(put.error().message, "with different content")) << "not: may be stored";
    EXPECT_FALSE(has(put.error().message, "COMMIT was not answered"));
  });
  while (!proxy.has_cut()) std::this_thread::yield();
  EXPECT_EQ(open(url())->put(other, true).value(), PutOutcome::added);
  proxy.cut(Cut::none);
  writer.join();
}

// As of a machine whose network drops everything, or a pooler that waits for a server: TCP sees nothing wrong.
TEST_F(PostgresqlStoreTest, AServerThatFallsSilentIsNotWaitedForForEver) {
  const auto made = open(url());
  CuttingProxy proxy(server().socket());
  const auto store = open(proxy.through(url("postgres", "%20-cstatement_timeout%3D3s")));
  proxy.cut(Cut::silence);
  EXPECT_EQ(store->put(sample_run(1), true).value(), PutOutcome::added);
  EXPECT_TRUE(proxy.has_cut());
  EXPECT_EQ(sql("SELECT count(*) FROM torchgate_run"), "1");
}

TEST_F(PostgresqlStoreTest, AStatementHasATimeLimit) {
  const auto made = open(url());
  // Opening has the limit, too: not so short that a busy machine exceeds it there.
  const auto store = open(url("postgres", "%20-cstatement_timeout%3D10s"));
  std::thread lock([&] { std::ignore = sql("BEGIN; LOCK TABLE torchgate_value; SELECT pg_sleep(600); COMMIT"); });
  while (sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") != "1") std::this_thread::yield();
  const auto put = store->put(sample_run(1), true);
  change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
  lock.join();
  ASSERT_FALSE(put);
  EXPECT_TRUE(has(put.error().message, "statement_timeout"));
  EXPECT_TRUE(store->list({}).value().empty());
}

}  // namespace
}  // namespace torchgate::baselines::testing
