// SPDX-License-Identifier: Apache-2.0
#include "suites/common/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "harness/bench/skip.hpp"

namespace torchgate::suites {
namespace {

/// The share of its pages that are in memory: of a mapping, which reads none of them. Absent: the kernel does not tell.
std::optional<double> share_in_memory(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return std::nullopt;
  if (status.st_size == 0) return 0;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return std::nullopt;
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  const bool told = mincore(mapped, bytes, pages.data()) == 0;
  munmap(mapped, bytes);
  if (!told) return std::nullopt;
  const auto resident = std::count_if(pages.begin(), pages.end(), [](unsigned char each) { return (each & 1U) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

}  // namespace

void drop_from_page_cache(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  const bool dropped = fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
  const std::optional<double> left = dropped ? share_in_memory(file) : std::nullopt;
  close(file);
  if (!dropped) throw std::runtime_error("the page cache keeps " + path);
  // The kernel promises nothing, and another process may read a page at this moment; a file system in memory keeps all of them.
  constexpr double most_left = 0.25;
  if (left && *left > most_left)
    throw bench::Skip("the kernel keeps files of this folder in memory (tmpfs?); set TMPDIR to a folder on a disk");
}

}  // namespace torchgate::suites
