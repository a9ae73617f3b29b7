// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <stdexcept>
#include <string>

#include "suites/serving/server/pacer.hpp"

namespace torchgate::serving {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Numbers = Server<int, int>;

std::vector<int> doubled(std::span<int> inputs) {
  std::vector<int> outputs;
  for (const int input : inputs) outputs.push_back(2 * input);
  return outputs;
}

// A model that waits until the gate is opened, so that tests can make every state of the queue.
class Gate {
 public:
  void open() { opened_.set_value(); }
  std::vector<int> pass(std::span<int> inputs) {
    entered_.fetch_add(1);
    waiting_.wait();
    return doubled(inputs);
  }
  void wait_until_entered() const {
    while (entered_.load() == 0) std::this_thread::yield();
  }

 private:
  std::promise<void> opened_;
  std::shared_future<void> waiting_ = opened_.get_future().share();
  std::atomic<int> entered_{0};
};

struct Answers {
  std::mutex mutex;
  std::map<std::uint64_t, std::pair<RequestSeen, std::optional<int>>> all;
  std::atomic<int> duplicates{0};

  Numbers::Answer keep() {
    return [this](const RequestSeen& seen, std::optional<int> output) {
      const std::lock_guard lock(mutex);
      if (!all.emplace(seen.id, std::pair(seen, output)).second) ++duplicates;
    };
  }
};

TEST(BatchPolicy, ABatchIsFullOrOldEnough) {
  const BatchPolicy policy{4, milliseconds(10)};
  EXPECT_FALSE(is_batch(0, milliseconds(99), policy));
  EXPECT_FALSE(is_batch(3, milliseconds(9), policy));
  EXPECT_TRUE(is_batch(4, milliseconds(0), policy));
  EXPECT_TRUE(is_batch(1, milliseconds(10), policy));
}

TEST(Server, AnswersEachRequestWithItsOwnOutput) {
  Answers answers;
  {
    Numbers server(doubled, {}, {.batches = {8, milliseconds(1)}});
    for (int i = 0; i < 100; ++i)
      ASSERT_TRUE(server.submit(static_cast<std::uint64_t>(i), i, steady_clock::now(), answers.keep()));
  }
  ASSERT_EQ(answers.all.size(), 100U);
  for (const auto& [id, answer] : answers.all) {
    EXPECT_EQ(answer.second, 2 * static_cast<int>(id));
    EXPECT_LE(answer.first.batch, 8U);
    EXPECT_GE(answer.first.started, answer.first.scheduled);
    EXPECT_GE(answer.first.finished, answer.first.started);
  }
}

TEST(Server, WhatWaitsWhileTheModelRunsBecomesOneBatch) {
  Gate gate;
  Answers answers;
  Numbers server([&](std::span<int> inputs) { return gate.pass(inputs); }, {}, {.batches = {32, milliseconds(0)}});
  server.submit(0, 0, steady_clock::now(), answers.keep());
  gate.wait_until_entered();
  for (std::uint64_t i = 1; i <= 20; ++i) server.submit(i, 1, steady_clock::now(), answers.keep());
  gate.open();
  server.stop();
  EXPECT_EQ(answers.all.at(0).first.batch, 1U);
  for (std::uint64_t i = 1; i <= 20; ++i) EXPECT_EQ(answers.all.at(i).first.batch, 20U);
  EXPECT_EQ(server.counts().batches, 2);
}

TEST(Server, ShedsWhatDoesNotFitIntoTheQueue) {
  Gate gate;
  Answers answers;
  Numbers server([&](std::span<int> inputs) { return gate.pass(inputs); }, {}, {.batches = {1, {}}, .queue_limit = 3});
  server.submit(0, 0, steady_clock::now(), answers.keep());
  gate.wait_until_entered();
  for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_TRUE(server.submit(i, 1, steady_clock::now(), answers.keep()));
  EXPECT_FALSE(server.submit(4, 1, steady_clock::now(), answers.keep()));
  gate.open();
  server.stop();
  EXPECT_FALSE(server.submit(5, 1, steady_clock::now(), answers.keep())) << "after the end";
  EXPECT_EQ(server.counts(), (ServerCounts{4, 2, 4, 0, 4, 0}));
  EXPECT_EQ(answers.all.size(), 4U);
}

// Requests that are late when they are sent: the latencies are the test's, not the machine's.
TEST(Pacer, SetsTheBatchesOfAServerThatRuns) {
  Numbers server(doubled, {}, {.batches = {8, milliseconds(2)}});
  PacingPolicy policy;
  policy.target = milliseconds(10'000);
  policy.batches_per_step = 2;
  Pacer<Numbers> pacer(server, policy);
  std::uint64_t id = 0;
  const auto send = [&](milliseconds late) {
    std::atomic<bool> answered{false};
    server.submit(++id, 1, steady_clock::now() - late, [&](const RequestSeen& seen, std::optional<int>) {
      pacer.observe(seen);
      answered.store(true);
    });
    while (!answered.load()) std::this_thread::yield();
  };
  // A batch is observed when the next one begins: each step is that of the two before the last.
  const auto largest_after = [&](int requests, milliseconds late) {
    for (int i = 0; i < requests; ++i) send(late);
    return server.batches().largest;
  };
  EXPECT_EQ(largest_after(3, milliseconds(13'000)), 4U);
  EXPECT_EQ(server.batches().timeout, milliseconds(1));
  EXPECT_EQ(largest_after(2, milliseconds(0)), 2U) << "the third late one";
  EXPECT_EQ(largest_after(2, milliseconds(8'000)), 2U) << "between the two limits nothing changes";
  EXPECT_EQ(largest_after(2, milliseconds(0)), 2U) << "one of those";
  EXPECT_EQ(largest_after(2, milliseconds(0)), 4U);
  EXPECT_EQ(largest_after(2, milliseconds(0)), 8U);
  EXPECT_EQ(server.batches().timeout, milliseconds(2));
  EXPECT_EQ(pacer.steps(), 4);
}

TEST(Server, TellsWhatItRefusedBeforeTheNextBatch) {
  Gate gate;
  Answers answers;
  std::vector<RequestSeen> refused;  // by the worker's thread alone
  std::size_t answered_before = 0;
  ServerOptions options{.batches = {1, {}}, .queue_limit = 1};
  options.on_shed = [&](const RequestSeen& seen) {
    answered_before = answers.all.size();
    refused.push_back(seen);
  };
  Numbers server([&](std::span<int> inputs) { return gate.pass(inputs); }, {}, options);
  server.submit(0, 0, steady_clock::now(), answers.keep());
  gate.wait_until_entered();
  EXPECT_TRUE(server.submit(1, 1, steady_clock::now(), answers.keep()));
  for (std::uint64_t i = 2; i <= 4; ++i) EXPECT_FALSE(server.submit(i, 1, steady_clock::now(), answers.keep()));
  gate.open();
  server.stop();
  EXPECT_FALSE(server.submit(5, 1, steady_clock::now(), answers.keep()));
  ASSERT_EQ(refused.size(), 3U) << "and not what came after the end";
  EXPECT_EQ(answered_before, 1U);
  for (std::size_t i = 0; i < refused.size(); ++i) {
    EXPECT_EQ(refused[i].id, i + 2);
    EXPECT_EQ(refused[i].outcome, Outcome::shed);
    EXPECT_EQ(refused[i].batch, 0U);
    EXPECT_EQ(refused[i].queued, 1U);
    EXPECT_GE(refused[i].latency().count(), 0);
  }
}

TEST(Server, AModelThatThrowsFailsItsBatchOnly) {
  Answers answers;
  {
    Numbers server(
        [](std::span<int> inputs) {
          if (inputs.front() == 13) throw std::runtime_error("unlucky");
          return doubled(inputs);
        },
        {}, {.batches = {1, {}}});
    for (const int input : {12, 13, 14})
      server.submit(static_cast<std::uint64_t>(input), input, steady_clock::now(), answers.keep());
  }
  EXPECT_EQ(answers.all.at(12).second, 24);
  EXPECT_EQ(answers.all.at(13).second, std::nullopt);
  EXPECT_EQ(answers.all.at(13).first.outcome, Outcome::failed);
  EXPECT_EQ(answers.all.at(14).second, 28);
}

TEST(Server, AModelWithTooFewOutputsFailsItsBatch) {
  Answers answers;
  {
    Numbers server([](std::span<int>) { return std::vector<int>(); }, {}, {.batches = {1, {}}});
    server.submit(1, 1, steady_clock::now(), answers.keep());
  }
  EXPECT_EQ(answers.all.at(1).first.outcome, Outcome::failed);
}

TEST(Server, NothingIsLostOrAnsweredTwice) {
  Answers answers;
  std::atomic<std::int64_t> accepted{0};
  ServerCounts counts;
  {
    std::atomic<int> calls{0};
    Numbers server(
        [&](std::span<int> inputs) {
          if (calls.fetch_add(1) % 7 == 3) throw std::runtime_error("now and then");
          return doubled(inputs);
        },
        {}, {.batches = {5, std::chrono::microseconds(50)}, .queue_limit = 16});
    std::vector<std::thread> submitters;
    for (std::uint64_t thread = 0; thread < 4; ++thread) {
      submitters.emplace_back([&, thread] {
        for (std::uint64_t i = 0; i < 500; ++i)
          if (server.submit(thread * 1000 + i, 1, steady_clock::now(), answers.keep())) ++accepted;
      });
    }
    for (std::thread& submitter : submitters) submitter.join();
    server.stop();
    counts = server.counts();
  }
  EXPECT_EQ(counts.accepted, accepted);
  EXPECT_EQ(counts.accepted + counts.shed, 2000);
  EXPECT_EQ(counts.completed + counts.failed, counts.accepted);
  EXPECT_EQ(answers.all.size(), static_cast<std::size_t>(counts.accepted));
  EXPECT_EQ(answers.duplicates, 0);
}

TEST(Server, TheLiteModelAnswersWhileRequestsAreLate) {
  Answers answers;
  std::atomic<int> lite_calls{0};
  {
    Numbers server(doubled,
                   [&](std::span<int> inputs) {
                     ++lite_calls;
                     return std::vector<int>(inputs.size(), -1);
                   },
                   {.batches = {1, {}}, .degradation = DegradationPolicy{}});
    server.submit(1, 1, steady_clock::now() - milliseconds(600), answers.keep());  // 0.6 s late
    while (server.counts().completed < 1) std::this_thread::yield();
    EXPECT_EQ(server.state(), ServingState::lite);
    for (std::uint64_t i = 2; i < 8; ++i) {
      server.submit(i, 1, steady_clock::now(), answers.keep());
      while (server.counts().completed < static_cast<std::int64_t>(i)) std::this_thread::yield();
    }
    EXPECT_EQ(server.state(), ServingState::full);
  }
  EXPECT_EQ(answers.all.at(1).second, -1);
  EXPECT_EQ(answers.all.at(7).second, 2);
  EXPECT_EQ(answers.all.at(1).first.state, ServingState::lite);
  EXPECT_EQ(answers.all.at(7).first.state, ServingState::full);
  EXPECT_EQ(lite_calls, 5) << "five good batches lead back; the fifth is answered by the full model";
}

}  // namespace
}  // namespace torchgate::serving
