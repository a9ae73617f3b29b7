// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/world.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <map>

#include "harness/bench/ranks/world_environment.hpp"
#include "tests/harness/bench/ranks/rank_threads.hpp"

namespace torchgate::bench {
namespace {

using namespace std::chrono_literals;
using testing::in_ranks;
using Variables = std::map<std::string, std::string>;

base::Result<std::optional<WorldPlace>> place(const Variables& variables) {
  return world_place([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

const Variables torchrun = {
    {"RANK", "2"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}, {"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "29500"}};

TEST(WorldPlace, IsTorchruns) {
  const auto found = place(torchrun);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (WorldPlace{2, 4, "10.0.0.1", 29500}));
}

TEST(WorldPlace, IsTheNextPortWhereTorchrunsAgentHasItsOwn) {
  Variables variables = torchrun;
  variables["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  EXPECT_EQ((*place(variables))->port, 29501);
  variables["TORCHELASTIC_USE_AGENT_STORE"] = "False";
  EXPECT_EQ((*place(variables))->port, 29500);
}

TEST(WorldPlace, IsThatOfAStepOfSrun) {
  const auto found = place({{"SLURM_PROCID", "1"},
                            {"SLURM_STEP_NUM_TASKS", "2"},
                            {"MASTER_ADDR", "node-1"},
                            {"MASTER_PORT", "29500"},
                            {"SLURM_NTASKS", "16"}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (WorldPlace{1, 2, "node-1", 29500}));
}

TEST(WorldPlace, IsAbsentInAnOrdinaryProcess) {
  EXPECT_FALSE(*place({}));
  EXPECT_FALSE(*place({{"RANK", "0"}}));                                  // of something else
  EXPECT_FALSE(*place({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}}));  // a batch script, not a step
  EXPECT_FALSE(*place({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));             // a job of one
}

TEST(WorldPlace, SaysWhichVariableMakesNoSense) {
  for (const auto& [name, value] : Variables{{"RANK", "4"}, {"WORLD_SIZE", "many"}, {"MASTER_PORT", "70000"}}) {
    Variables variables = torchrun;
    variables[name] = value;
    const auto found = place(variables);
    ASSERT_FALSE(found) << name;
    EXPECT_NE(found.error().message.find(name + ": invalid value \"" + value + "\""), std::string::npos)
        << found.error().message;
  }
  Variables variables = torchrun;
  variables.erase("MASTER_ADDR");
  EXPECT_FALSE(place(variables));
}

TEST(World, OfOneNeedsNoOtherRank) {
  EXPECT_EQ(solo_world().size(), 1);
  EXPECT_EQ(solo_world().largest(3), 3);
  EXPECT_EQ(solo_world().from_first("a"), "a");
  solo_world().barrier();
}

TEST(World, TellsEverybodyEverything) {
  const auto thrown = in_ranks(3, [](World& world) {
    const auto rank = static_cast<double>(world.rank());
    EXPECT_EQ(world.size(), 3);
    EXPECT_EQ(world.all_of({rank, -rank}), (std::vector<std::vector<double>>{{0, 0}, {1, -1}, {2, -2}}));
    EXPECT_EQ(world.largest(10 - rank), 10);
    EXPECT_EQ(world.from_first("rank " + std::to_string(world.rank())), "rank 0");
    EXPECT_EQ(world.from_first(""), "");
  });
  for (const std::string& what : thrown) EXPECT_EQ(what, "");
}

TEST(World, WaitsForAllAtABarrier) {
  std::atomic<int> before{0};
  in_ranks(4, [&](World& world) {
    std::this_thread::sleep_for(world.rank() * 5ms);
    ++before;
    world.barrier();
    EXPECT_EQ(before, 4);
  });
}

TEST(World, NamesTheRankThatDoesNotCome) {
  const auto world = join_world({0, 3, "127.0.0.1", testing::free_port()}, {50ms, 50ms});
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().message, "missing ranks: rank 1, rank 2");
}

TEST(World, SaysThatTheFirstCannotBeReached) {
  const auto world = join_world({1, 2, "127.0.0.1", testing::free_port()}, {50ms, 50ms});
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().message.find("cannot reach rank 0 at 127.0.0.1"), std::string::npos);
}

TEST(World, NoticesARankThatEnds) {
  const auto thrown = in_ranks(2, [](World& world) {
    if (world.rank() == 0) world.barrier();
  });
  EXPECT_NE(thrown[0].find("rank 1 is lost"), std::string::npos) << thrown[0];
}

TEST(World, NoticesThatTheFirstEnds) {
  const auto thrown = in_ranks(2, [](World& world) {
    if (world.rank() == 1) world.barrier();
  });
  EXPECT_NE(thrown[1].find("rank 0 is lost"), std::string::npos) << thrown[1];
}

TEST(World, GivesUpOnARankThatIsSilent) {
  std::atomic<bool> over{false};
  const auto thrown = in_ranks(2,
                               [&](World& world) {
                                 if (world.rank() == 1) {
                                   while (!over) std::this_thread::sleep_for(1ms);
                                   return;
                                 }
                                 try {
                                   world.barrier();
                                 } catch (...) {
                                   over = true;
                                   throw;
                                 }
                               },
                               {10s, 50ms});
  EXPECT_EQ(thrown[0], "rank 1 stopped responding");
}

TEST(World, SendsStrangersAway) {
  const int port = testing::free_port();
  std::thread first([&] {
    const auto world = join_world({0, 2, "127.0.0.1", port});
    ASSERT_TRUE(world) << world.error().message;
    EXPECT_EQ((*world)->largest(1), 2);
  });
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int stranger = -1;
  do {
    if (stranger >= 0) close(stranger);
    stranger = socket(AF_INET, SOCK_STREAM, 0);
  } while (connect(stranger, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0);
  const std::string words = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_GT(send(stranger, words.data(), words.size(), MSG_NOSIGNAL), 0);
  const auto world = join_world({1, 2, "127.0.0.1", port});
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ((*world)->largest(2), 2);
  first.join();
  close(stranger);
}

}  // namespace
}  // namespace torchgate::bench
