// SPDX-License-Identifier: Apache-2.0
#include "baselines/open_store.hpp"

#include <string_view>

#include "baselines/folder_store.hpp"
#include "baselines/postgresql/database_url.hpp"
#include "baselines/postgresql/postgresql_store.hpp"

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
  if (postgresql::is_database_url(location)) {
    return base::Error{base::ErrorCode::bad_input,
                       shown_location(location) +
                           ": a store in PostgreSQL is not a folder; every machine that may "
                           "connect shares it, so there is nothing to push or pull"};
  }
  if (const auto scheme = location.find("://"); scheme != std::string::npos) {
    return base::Error{base::ErrorCode::bad_input,
                       "unsupported store '" + location.substr(0, scheme + 3) +
                           "...'; use --store with a folder, file:///path or postgresql://user@host/database"};
  }
  return std::filesystem::path(location);
}

std::string shown_location(const std::string& location) {
  if (!postgresql::is_database_url(location)) return location;
  const auto url = postgresql::parse_database_url(location);
  return url ? url->shown : "postgresql://...";
}

base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode) {
  if (postgresql::is_database_url(location)) return open_postgresql_store(location, mode);
  const auto folder = store_folder(location);
  if (!folder) return folder.error();
  return open_folder_store(*folder, mode);
}

base::Result<std::string> migrate_store(const std::string& location) {
  if (postgresql::is_database_url(location)) return migrate_postgresql_store(location);
  const auto folder = store_folder(location);
  if (!folder) return folder.error();
  const auto store = open_folder_store(*folder, OpenMode::create);
  if (!store) return store.error();
  return folder->string() + ": nothing to do: a folder has one version";
}

}  // namespace torchgate::baselines
