// SPDX-License-Identifier: Apache-2.0
#include "baselines/open_store.hpp"

#include <string_view>

#include "baselines/folder_store.hpp"

namespace torchgate::baselines {

base::Result<std::filesystem::path> store_folder(const std::string& location) {
  constexpr std::string_view file_scheme = "file://";
  if (location.empty()) {
    return base::Error{base::ErrorCode::bad_input,
                       "empty location of the store; give a folder, e.g. --store .torchgate/store"};
  }
  if (location.starts_with(file_scheme)) {
    const std::string path = location.substr(file_scheme.size());
    if (!path.starts_with('/')) {
      return base::Error{base::ErrorCode::bad_input, "invalid location '" + location +
                                                         "': not an absolute path; use file:///path, or just the path"};
    }
    return std::filesystem::path(path);
  }
  if (location.starts_with("postgresql://") || location.starts_with("postgres://")) {
    return base::Error{
        base::ErrorCode::bad_input,
        "unsupported store: PostgreSQL; this version of torchgate stores runs in folders only, use --store FOLDER"};
  }
  if (const auto scheme = location.find("://"); scheme != std::string::npos) {
    return base::Error{base::ErrorCode::bad_input, "unsupported store '" + location.substr(0, scheme + 3) +
                                                       "...'; use --store with a folder or file:///path"};
  }
  return std::filesystem::path(location);
}

base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode) {
  const auto folder = store_folder(location);
  if (!folder) return folder.error();
  return open_folder_store(*folder, mode);
}

}  // namespace torchgate::baselines
