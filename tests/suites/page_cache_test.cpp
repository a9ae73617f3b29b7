// SPDX-License-Identifier: Apache-2.0
// Files that a case reads from the disk: on a file system in memory the case has to say that it cannot.
#include "suites/common/page_cache.hpp"

#include <gtest/gtest.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "harness/bench/skip.hpp"

namespace torchgate::suites {
namespace {

bool is_in_memory(const std::string& folder) {
  struct statfs status {};
  return statfs(folder.c_str(), &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

/// A new file of 1 MB in a folder.
class Written {
 public:
  explicit Written(const std::string& folder) {
    constexpr std::size_t size = 1 << 20U;
    std::string name = folder + "/torchgate-page-cache-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) return;
    path_ = name;
    std::ofstream(file(), std::ios::binary) << std::string(size, 'x');
  }
  ~Written() { std::filesystem::remove_all(path_); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  [[nodiscard]] std::string file() const { return path_ / "file"; }

 private:
  std::filesystem::path path_;
};

TEST(PageCache, AFileOnADiskIsDropped) {
  const std::string folder = std::filesystem::current_path().string();
  if (is_in_memory(folder)) GTEST_SKIP() << folder << " is in memory";
  const Written written(folder);
  EXPECT_NO_THROW(drop_from_page_cache(written.file()));
}

TEST(PageCache, AFileInMemorySkipsTheCase) {
  const std::string folder = "/dev/shm";
  if (!is_in_memory(folder)) GTEST_SKIP() << folder << " is not in memory";
  const Written written(folder);
  EXPECT_THROW(drop_from_page_cache(written.file()), bench::Skip);
}

TEST(PageCache, AFileThatIsMissingIsAnError) {
  try {
    drop_from_page_cache("no/such/file");
    FAIL() << "it was opened";
  } catch (const bench::Skip& skip) {
    FAIL() << skip.what();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot open no/such/file");
  }
}

}  // namespace
}  // namespace torchgate::suites
