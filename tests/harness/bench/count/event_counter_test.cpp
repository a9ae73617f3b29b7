// SPDX-License-Identifier: Apache-2.0
// A counter of the kernel. Virtual machines have no hardware events, so these count page faults, which every machine has.
#include "harness/bench/count/event_counter.hpp"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <optional>
#include <thread>

#include "harness/bench/count/instruction_counter.hpp"

namespace torchgate::bench {
namespace {

constexpr std::size_t pages = 200;

// A fault for each page.
void touch_pages() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  munmap(memory, pages * page);
}

std::optional<EventCounter> page_faults() {
  auto counter = EventCounter::open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
  if (!counter) return std::nullopt;  // a container may forbid perf_event_open
  return std::optional<EventCounter>(std::move(counter).value());
}

TEST(EventCounter, CountsOnlyUntilItIsStopped) {
  auto counter = page_faults();
  if (!counter) GTEST_SKIP() << "perf_event_open is not permitted here";
  touch_pages();
  EXPECT_EQ(counter->count(), 0U);
  counter->start();
  touch_pages();
  counter->stop();
  const auto counted = counter->count();
  ASSERT_TRUE(counted);
  EXPECT_GE(*counted, pages);
  EXPECT_LT(*counted, pages + 20);
  touch_pages();
  EXPECT_EQ(counter->count(), counted);
}

TEST(EventCounter, ThreadsThatAreStartedLaterCount) {
  auto counter = page_faults();
  if (!counter) GTEST_SKIP() << "perf_event_open is not permitted here";
  counter->start();
  std::thread(touch_pages).join();
  counter->stop();
  EXPECT_GE(counter->count().value_or(0), pages);
}

TEST(EventCounter, AnEventThatTheKernelDoesNotKnowIsAnError) {
  const auto counter = EventCounter::open(12'345, 0);
  ASSERT_FALSE(counter);
  EXPECT_NE(counter.error().message.find("perf_event_open failed: "), std::string::npos);
}

TEST(InstructionCounter, IsTheHardwaresOrSaysWhyThereIsNone) {
  auto counter = instruction_counter();
  if (!counter) {
    EXPECT_NE(counter.error().message.find("does not run in Callgrind, and perf_event_open failed"), std::string::npos);
    return;
  }
  EXPECT_STREQ((*counter)->name(), "hardware");
  (*counter)->start();
  touch_pages();
  (*counter)->stop();
  EXPECT_GT((*counter)->take("part").value_or(0), static_cast<double>(pages));
  EXPECT_EQ((*counter)->take("part"), 0) << "counting begins at 0 again";
}

}  // namespace
}  // namespace torchgate::bench
