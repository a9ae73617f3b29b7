// SPDX-License-Identifier: Apache-2.0
// Private to baselines: large contents by their hash, in parts: a value of a column has at most 1 GB and is whole in memory.
#pragma once

#include <string>
#include <string_view>

#include "baselines/postgresql/database_session.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines::postgresql {

enum class BytesTable { samples, objects };

/// Adds CONTENT, whose hash is SHA256; nothing where it is stored. False: it was.
base::Result<bool> insert_bytes(Session& session, BytesTable table, const std::string& sha256,
                                std::string_view content);

base::Result<bool> has_bytes(Session& session, BytesTable table, const std::string& sha256);

/// Everything, in memory. not_found: it is not stored; bad_input: it has more than LIMIT bytes. The caller checks the hash.
base::Result<std::string> read_bytes(Session& session, BytesTable table, const std::string& sha256, std::size_t limit);

}  // namespace torchgate::baselines::postgresql
