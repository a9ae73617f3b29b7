// SPDX-License-Identifier: Apache-2.0
#include "baselines/open_store.hpp"

#include <string_view>

#include "baselines/folder_store.hpp"

namespace torchgate::baselines {

base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode) {
  constexpr std::string_view file_scheme = "file://";
  if (location.empty()) {
    return base::Error{base::ErrorCode::bad_input,
                       "the store's location is empty: give a folder, e.g. --store .torchgate/store"};
  }
  if (location.starts_with(file_scheme)) {
    const std::string path = location.substr(file_scheme.size());
    if (!path.starts_with('/')) {
      return base::Error{base::ErrorCode::bad_input,
                         "'" + location + "' names no absolute path: write file:///path, or just the path"};
    }
    return open_folder_store(path, mode);
  }
  if (location.starts_with("postgresql://") || location.starts_with("postgres://")) {
    return base::Error{
        base::ErrorCode::bad_input,
        "this version of torchgate keeps runs in folders only, not in PostgreSQL: give --store a folder"};
  }
  if (const auto scheme = location.find("://"); scheme != std::string::npos) {
    return base::Error{base::ErrorCode::bad_input, "a store cannot be at '" + location.substr(0, scheme + 3) +
                                                       "...': give --store a folder or file:///path"};
  }
  return open_folder_store(location, mode);
}

}  // namespace torchgate::baselines
