// SPDX-License-Identifier: Apache-2.0
// postgresql://user:password@host:port/database?setting=value: taken apart without printing what may be a password.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::baselines::postgresql {

/// The parameter of the URL that names the folder of objects that are too large for the database.
inline constexpr std::string_view objects_parameter = "torchgate_objects";

struct DatabaseUrl {
  std::string for_libpq;                         ///< the URL without our own parameter; has the password, if any
  std::string shown;                             ///< for messages: without password and parameters
  std::optional<std::filesystem::path> objects;  ///< an absolute path
};

bool is_database_url(std::string_view location);

/// bad_input: not a URL of that form. The message never has a part of it that could belong to a password: one with a character that
/// is not percent-encoded would end up in another part.
base::Result<DatabaseUrl> parse_database_url(std::string_view location);

}  // namespace torchgate::baselines::postgresql
