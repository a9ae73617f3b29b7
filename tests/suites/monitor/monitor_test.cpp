// SPDX-License-Identifier: Apache-2.0
// Registry, log, dashboard and the Redis sink without a Redis. With one: tests/e2e/monitor_test.sh.
#include "suites/serving/monitor/monitor.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace torchgate::monitor {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Seen ok(std::uint64_t id, std::int64_t latency_ns = 3'000'000) {
  return {id, latency_ns, 4, 2, Outcome::ok, Model::full, 0};
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "torchgate-monitor-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

TEST(Registry, CountsWhatItIsTold) {
  Registry registry;
  for (std::uint64_t i = 0; i < 3; ++i) registry.observe(ok(i));
  registry.observe({3, 9'999'000'000, 4, 2, Outcome::failed, Model::full, 0});  // the fourth of the batch
  registry.observe({4, 7'000'000'000, 1, 2, Outcome::ok, Model::canary, 0});
  registry.observe({9, 0, 0, 7, Outcome::shed, Model::lite, 2});
  EXPECT_EQ(registry.requests(), 6);
  registry.alarm("ewma");
  registry.dropped("redis", 5);
  const std::string text = registry.text();
  for (const char* const line :
       {"torchgate_serving_requests_total{model=\"full\",outcome=\"ok\"} 3\n",
        "torchgate_serving_requests_total{model=\"lite\",outcome=\"shed\"} 1\n",
        "torchgate_serving_latency_seconds_bucket{model=\"full\",le=\"0.0025\"} 0\n",
        "torchgate_serving_latency_seconds_bucket{model=\"full\",le=\"0.005\"} 3\n",
        "torchgate_serving_batch_size_sum 13\n", "torchgate_serving_batches_total 2\n",
        "torchgate_serving_requests_total{model=\"full\",outcome=\"failed\"} 1\n",
        "torchgate_serving_latency_seconds_bucket{model=\"canary\",le=\"5\"} 0\n",
        "torchgate_serving_latency_seconds_bucket{model=\"canary\",le=\"10\"} 1\n", "torchgate_serving_queue_depth 7\n",
        "torchgate_serving_degradation_state 2\n", "torchgate_serving_alarms_total{detector=\"ewma\"} 1\n",
        "torchgate_serving_dropped_entries{sink=\"redis\"} 5\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Registry, ATakenPortIsAnError) {
  Registry first;
  const auto port = first.expose(0);
  ASSERT_TRUE(port) << port.error().message;
  EXPECT_GT(*port, 0);
  Registry second;
  const auto same = second.expose(*port);
  ASSERT_FALSE(same);
  EXPECT_NE(same.error().message.find("choose another port"), std::string::npos);
}

TEST(RequestLog, EveryLineIsAnObjectWithTheFields) {
  const TemporaryFolder folder;
  const std::string path = (folder.path / "requests.jsonl").string();
  for (const LogMode mode : {LogMode::async, LogMode::sync}) {
    auto log = RequestLog::open(path, {.mode = mode, .model_version = "a\"b\n\\c", .input_shape = "batch:8"});
    ASSERT_TRUE(log) << log.error().message;
    for (std::uint64_t i = 0; i < 10; ++i) (*log)->observe(ok(i));
    EXPECT_EQ((*log)->dropped(), 0);
  }
  std::istringstream lines(text_of(path));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto entry = nlohmann::json::parse(line);
    EXPECT_EQ(entry.at("model_version"), "a\"b\n\\c");
    EXPECT_EQ(entry.at("latency_ns"), 3'000'000);
    EXPECT_EQ(entry.at("outcome"), "ok");
    EXPECT_EQ(entry.at("input_shape"), "batch:8");
    EXPECT_EQ(entry.at("time").get<std::string>().size(), 24U);
  }
  EXPECT_EQ(count, 20);
}

TEST(RequestLog, WhatAFullQueueLosesIsCounted) {
  // A pipe that is not emptied holds 64 KiB: the writing thread blocks then, and the queue fills.
  const TemporaryFolder folder;
  const std::string path = (folder.path / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  constexpr std::int64_t lines = 16 * 313;  // written 16 at a time
  auto log = RequestLog::open(path, {.mode = LogMode::async, .queue = 16});
  ASSERT_TRUE(log) << log.error().message;
  for (std::uint64_t i = 0; i < lines; ++i) (*log)->observe(ok(i));
  const std::int64_t dropped = (*log)->dropped();
  EXPECT_GT(dropped, 0);
  fcntl(reader, F_SETFL, 0);  // from here on, reading waits
  std::int64_t written = 0;
  std::thread emptying([&] {
    char text[4096];
    for (ssize_t size = 0; (size = read(reader, text, sizeof(text))) > 0;)
      written += std::count(text, text + size, '\n');
  });
  log->reset();  // writes what is queued, and closes the pipe
  emptying.join();
  close(reader);
  EXPECT_EQ(written + dropped, lines);
}

TEST(RequestLog, CountsTheLinesInTheFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path / "requests.jsonl").string();
  auto log = RequestLog::open(path, {.mode = LogMode::sync});
  ASSERT_TRUE(log) << log.error().message;
  for (std::uint64_t i = 0; i < 10; ++i) (*log)->observe(ok(i));
  EXPECT_EQ((*log)->written(), 10);
  EXPECT_EQ((*log)->failed(), 0);
  const std::string text = text_of(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST(RequestLog, WhatAFullDiskDoesNotTakeIsLostAndCounted) {
  for (const LogMode mode : {LogMode::sync, LogMode::async}) {
    auto log = RequestLog::open("/dev/full", {.mode = mode});
    ASSERT_TRUE(log) << log.error().message;
    for (std::uint64_t i = 0; i < 32; ++i) (*log)->observe(ok(i));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while ((*log)->failed() < 32 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ((*log)->failed(), 32);
    EXPECT_EQ((*log)->dropped(), 32);
    EXPECT_EQ((*log)->written(), 0);
  }
}

TEST(RequestLog, ASampleIsTheSameInEveryRunAndAboutAsLargeAsAsked) {
  const TemporaryFolder folder;
  std::string first;
  for (const char* const name : {"a", "b"}) {
    auto log = RequestLog::open((folder.path / name).string(), {.mode = LogMode::sync, .share = 100});
    ASSERT_TRUE(log);
    for (std::uint64_t i = 0; i < 20'000; ++i) (*log)->observe(ok(i));
  }
  const auto ids = [&](const char* name) {
    std::vector<std::uint64_t> all;
    std::istringstream lines(text_of(folder.path / name));
    for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line).at("request"));
    return all;
  };
  EXPECT_EQ(ids("a"), ids("b"));
  EXPECT_NEAR(static_cast<double>(ids("a").size()), 200, 60);
}

TEST(RequestLog, AFolderThatIsMissingIsMadeAndOneThatCannotBeIsAnError) {
  const auto log = RequestLog::open("/proc/no/such/folder/log", {});
  ASSERT_FALSE(log);
  EXPECT_NE(log.error().message.find("/proc/no/such/folder/log"), std::string::npos);
}

TEST(RedisSink, WithoutARedisEntriesAreDroppedAndCounted) {
  // Port 1 is reserved, and no server listens there.
  RedisSink sink({.port = 1, .queue = 16, .timeout = std::chrono::milliseconds(20)});
  for (std::uint64_t i = 0; i < 100; ++i) sink.observe(ok(i));
  EXPECT_EQ(sink.sent(), 0);
  EXPECT_GE(sink.dropped(), 84) << "16 wait";
  EXPECT_EQ(sink.waiting() + sink.dropped(), 100);
}

// Listens like a Redis in trouble: it accepts each connection, and closes it or never answers.
class PeerInTrouble {
 public:
  explicit PeerInTrouble(bool closes) : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    listen(listener_, 8);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
    thread_ = std::thread([this, closes] {
      for (int one = 0; (one = accept(listener_, nullptr, nullptr)) >= 0;) {
        closes ? static_cast<void>(close(one)) : open_.push_back(one);
        ++accepted;
      }
    });
  }
  ~PeerInTrouble() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    for (const int one : open_) close(one);
    close(listener_);
  }
  int port = 0;
  std::atomic<int> accepted{0};

 private:
  int listener_;
  std::vector<int> open_;
  std::thread thread_;
};

TEST(RedisSink, APeerThatClosesConnectionsDoesNotEndTheServer) {
  PeerInTrouble peer(true);
  RedisSink sink({.port = peer.port, .queue = 65'536, .longest_backoff = std::chrono::milliseconds(1)});
  // A pipeline of 4,096 entries takes several writes; the second one to a closed connection raises SIGPIPE, which would end the process.
  constexpr int closed_connections = 4;
  std::uint64_t id = 0;
  while (peer.accepted < closed_connections) sink.observe(ok(++id));
  EXPECT_EQ(sink.sent(), 0);
  EXPECT_GT(sink.dropped(), 0);
}

TEST(RedisSink, APeerThatNeverAnswersIsLeft) {
  PeerInTrouble peer(false);
  RedisSink sink({.port = peer.port, .timeout = std::chrono::milliseconds(20)});
  std::uint64_t id = 0;
  for (; peer.accepted < 3; std::this_thread::sleep_for(std::chrono::milliseconds(1))) sink.observe(ok(++id));
  EXPECT_EQ(sink.sent(), 0);
  EXPECT_GT(sink.dropped(), 0);
}

TEST(Monitor, AlarmsReachTheRegistry) {
  Monitor monitor;
  monitor.registry = std::make_unique<Registry>();
  monitor.three_sigma.emplace();
  monitor.ewma.emplace();
  for (std::uint64_t i = 0; i < 100; ++i) monitor.observe(ok(i, 1'000'000 + static_cast<std::int64_t>(i % 5) * 1000));
  for (std::uint64_t i = 0; i < 20; ++i) monitor.observe(ok(i, 2'000'000));
  const std::string text = monitor.registry->text();
  EXPECT_EQ(text.find("alarms_total{detector=\"three_sigma\"} 0\n"), std::string::npos);
  EXPECT_NE(text.find("alarms_total{detector=\"ewma\"} 1\n"), std::string::npos)
      << "after it, it learns again: " << text;
}

TEST(Dashboard, IsTheFileOfTheRepository) {
  const std::string path = TORCHGATE_SERVING_DASHBOARD;
  if (std::getenv("TORCHGATE_ACCEPT") != nullptr) std::ofstream(path) << dashboard();
  EXPECT_EQ(text_of(path), dashboard()) << "accept with TORCHGATE_ACCEPT=1";
}

TEST(Dashboard, AsksForNamesThatTheRegistryHas) {
  Registry registry;
  registry.observe(ok(1));
  const std::string text = registry.text();
  for (const Panel& panel : panels()) {
    const auto start = panel.expression.find("torchgate_serving_");
    ASSERT_NE(start, std::string::npos) << panel.expression;
    const auto name = panel.expression.substr(start, panel.expression.find_first_of("{[", start) - start);
    EXPECT_NE(text.find("\n" + name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace torchgate::monitor
