// SPDX-License-Identifier: Apache-2.0
#include "suites/common/page_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

namespace torchgate::suites {

void drop_from_page_cache(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  const bool dropped = fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
  close(file);
  if (!dropped) throw std::runtime_error("the page cache keeps " + path);
}

}  // namespace torchgate::suites
