// SPDX-License-Identifier: Apache-2.0
// What suites decide with, without LibTorch: the search for a batch, the cache, the buckets.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "suites/batching/batch_search.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/lru_cache.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/compile/bucket.hpp"

namespace torchgate::suites {
namespace {

using Search = FoundBatch (*)(std::int64_t largest, const Fits& fits);

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Expected, NumbersAreCloseWithinTheRelativeDistance) {
  EXPECT_TRUE(is_close(1.01, 1, 0.02));
  EXPECT_TRUE(is_close(-1.01, -1, 0.02));
  EXPECT_FALSE(is_close(1.03, 1, 0.02));
  EXPECT_FALSE(is_close(1, -1, 0.02));
}

TEST(Expected, NotANumberIsCloseToNothing) {
  EXPECT_FALSE(is_close(nan, 1, 0.02));
  EXPECT_FALSE(is_close(1, nan, 0.02));
  EXPECT_FALSE(is_close(nan, nan, 0.02));
}

TEST(Expected, AResultOfNanIsAProblem) {
  EXPECT_FALSE(result_is_expected({{1, 2, 1, 2}, "double"}));
  EXPECT_TRUE(result_is_expected({{nan, 2, 1, 2}, "double"}));
}

TEST(TemporaryFolder, AFileHasWhatIsSaved) {
  TemporaryFolder folder;
  const std::string path = folder.add("numbers");
  write_file(path, [](std::ostream& file) { file << "1 2"; });
  std::ifstream stream(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "1 2");
}

TEST(TemporaryFolder, AFileThatCannotBeWrittenIsAnError) {
  const auto save = [](std::ostream& file) { file << "1 2"; };
  for (const std::string path : {"/dev/full", "/nonexistent/numbers"}) {
    try {
      write_file(path, save);
      ADD_FAILURE() << path << " was written";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("cannot write " + path), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos) << error.what();
    }
  }
}

class BatchSearch : public ::testing::TestWithParam<Search> {};

INSTANTIATE_TEST_SUITE_P(Both, BatchSearch, ::testing::Values(search_linearly, search_by_halves),
                         [](const auto& test) { return test.param == search_linearly ? "Linear" : "ByHalves"; });

TEST_P(BatchSearch, FindsEachLimit) {
  for (const std::int64_t largest : {1, 2, 7, 64}) {
    for (std::int64_t limit = 0; limit <= largest + 1; ++limit) {
      const FoundBatch found = GetParam()(largest, [&](std::int64_t batch) { return batch <= limit; });
      EXPECT_EQ(found.batch, std::min(limit, largest)) << "of " << largest;
    }
  }
}

TEST_P(BatchSearch, NothingFits) {
  EXPECT_EQ(GetParam()(64, [](std::int64_t) { return false; }).batch, 0);
  EXPECT_EQ(GetParam()(0, [](std::int64_t) { return true; }).batch, 0) << "an empty range";
}

TEST_P(BatchSearch, EverythingFits) {
  EXPECT_EQ(GetParam()(64, [](std::int64_t) { return true; }).batch, 64);
}

TEST_P(BatchSearch, RunningOutOfMemoryIsAnAnswer) {
  const FoundBatch found = GetParam()(64, [](std::int64_t batch) {
    if (batch > 40) throw std::bad_alloc();
    return true;
  });
  EXPECT_EQ(found.batch, 40);
  EXPECT_THROW(GetParam()(64, [](std::int64_t) -> bool { throw std::runtime_error("of the model"); }),
               std::runtime_error);
}

TEST(BatchSearch, HalvingNeedsTheLogarithmOfTheProbes) {
  const auto fits = [](std::int64_t batch) { return batch <= 52; };
  EXPECT_EQ(search_linearly(64, fits).probes, 53);
  EXPECT_EQ(search_by_halves(64, fits).probes, 6);
  for (std::int64_t limit = 0; limit <= 64; ++limit)
    EXPECT_LE(search_by_halves(64, [&](std::int64_t batch) { return batch <= limit; }).probes, 7) << limit;
}

TEST(LruCache, KeepsWhatWasUsedLast) {
  LruCache<std::string> cache(2);
  std::vector<std::size_t> loaded;
  const auto load = [&](std::size_t index) {
    loaded.push_back(index);
    return std::to_string(index);
  };
  for (const std::size_t index : {1U, 2U, 1U, 3U, 1U, 2U}) EXPECT_EQ(cache.get(index, load), std::to_string(index));
  // 3 replaces 2, because 1 was used after it; then 2 replaces 3.
  EXPECT_EQ(loaded, (std::vector<std::size_t>{1, 2, 3, 2}));
  EXPECT_EQ(cache.hits(), 2);
}

TEST(LruCache, OfOneItem) {
  LruCache<int> cache(1);
  int loads = 0;
  const auto load = [&](std::size_t index) {
    ++loads;
    return static_cast<int>(index);
  };
  for (const std::size_t index : {5U, 5U, 6U, 5U}) EXPECT_EQ(cache.get(index, load), static_cast<int>(index));
  EXPECT_EQ(loads, 3);
  EXPECT_EQ(cache.hits(), 1);
}

TEST(LruCache, AnItemThatCannotBeLoadedFailsThatRequest) {
  LruCache<int> cache(1);
  EXPECT_EQ(cache.get(1, [](std::size_t) { return 10; }), 10);
  EXPECT_THROW(cache.get(2, [](std::size_t) -> int { throw std::runtime_error("no such file"); }), std::runtime_error);
  EXPECT_EQ(cache.get(1, [](std::size_t) { return 11; }), 10) << "the other one is still there";
  EXPECT_EQ(cache.get(2, [](std::size_t) { return 20; }), 20);
}

TEST(Buckets, AreTheNextMultiple) {
  for (std::int64_t size = 1; size <= 300; ++size) {
    const std::int64_t bucket = compile::bucket_of(size, 32);
    EXPECT_EQ(bucket % 32, 0) << size;
    EXPECT_GE(bucket, size);
    EXPECT_LT(bucket - size, 32) << size;
    EXPECT_EQ(compile::bucket_of(size, 1), size);
  }
}

}  // namespace
}  // namespace torchgate::suites
