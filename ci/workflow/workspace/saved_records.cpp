// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/saved_records.hpp"

#include <algorithm>
#include <system_error>

#include "harness/base/posix_file.hpp"

namespace torchgate::workflow {

namespace fs = std::filesystem;

base::Result<std::vector<fs::path>> saved_records(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == record_extension) all.push_back(it->path());
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return base::system_error(folder, "read the folder", error.value());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace torchgate::workflow
