// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/stored_bytes.hpp"

#include <algorithm>

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

// The server holds a value several times while it compresses and sends it.
constexpr std::size_t part_bytes = std::size_t{8} << 20U;

struct TableStatements {
  const char* insert;
  const char* exists;
  const char* read;
};

TableStatements statements_of(BytesTable table) {
  if (table == BytesTable::samples)
    return {"INSERT INTO torchgate_samples (sha256, part, bytes) VALUES ($1, $2::integer, $3) ON CONFLICT DO NOTHING",
            "SELECT 'x' FROM torchgate_samples WHERE sha256 = $1 AND part = 0",
            "SELECT bytes FROM torchgate_samples WHERE sha256 = $1 AND part = $2::integer"};
  return {"INSERT INTO torchgate_object (sha256, part, bytes) VALUES ($1, $2::integer, $3) ON CONFLICT DO NOTHING",
          "SELECT 'x' FROM torchgate_object WHERE sha256 = $1 AND part = 0",
          "SELECT bytes FROM torchgate_object WHERE sha256 = $1 AND part = $2::integer"};
}

}  // namespace

Result<bool> insert_bytes(Session& session, BytesTable table, const std::string& sha256, std::string_view content) {
  const auto stored = has_bytes(session, table, sha256);
  if (!stored) return stored.error();
  if (*stored) return false;
  const auto statements = statements_of(table);
  bool added = false;
  std::size_t part = 0;
  do {
    const std::string number = std::to_string(part);
    // Who adds the same at this moment is waited for; then its parts are there, or this adds them.
    const auto rows =
        session.query(statements.insert, {text(sha256), text(number), bytes(content.substr(0, part_bytes))});
    if (!rows) return rows.error();
    added = added || rows->affected() == 1;
    content.remove_prefix(std::min(part_bytes, content.size()));
    ++part;
  } while (!content.empty());
  return added;
}

Result<bool> has_bytes(Session& session, BytesTable table, const std::string& sha256) {
  const auto rows = session.query(statements_of(table).exists, {text(sha256)});
  if (!rows) return rows.error();
  return rows->size() == 1;
}

Result<std::string> read_bytes(Session& session, BytesTable table, const std::string& sha256, std::size_t limit) {
  std::string content;
  for (std::size_t part = 0;; ++part) {
    const std::string number = std::to_string(part);
    const auto rows = session.query(statements_of(table).read, {text(sha256), text(number)});
    if (!rows) return rows.error();
    if (rows->size() == 0 && part == 0) return Error{ErrorCode::not_found, sha256 + ": not stored"};
    if (rows->size() == 0) return content;
    content += rows->at(0, 0);
    if (content.size() > limit)
      return Error{ErrorCode::bad_input,
                   sha256 + ": damaged: more than " + std::to_string(limit) + " bytes are stored"};
    if (rows->at(0, 0).size() < part_bytes) return content;
  }
}

}  // namespace torchgate::baselines::postgresql
