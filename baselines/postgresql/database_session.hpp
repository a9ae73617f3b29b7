// SPDX-License-Identifier: Apache-2.0
// Private to baselines: one connection to a PostgreSQL server: statements, rows, and errors as sentences without a password.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baselines/postgresql/database_url.hpp"
#include "baselines/postgresql/libpq_library.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines::postgresql {

/// A value of a statement, sent beside it and never as part of its text.
struct Value {
  std::optional<std::string_view> content;  ///< absent: NULL
  bool is_bytes = false;                    ///< bytea; else text, which a statement casts where it needs a number
};
inline Value text(std::optional<std::string_view> content) {
  return {content, false};
}
inline Value bytes(std::string_view content) {
  return {content, true};
}

/// The answer to a statement. Its columns are text or bytea: a statement casts others.
class Rows {
 public:
  Rows(const LibpqLibrary& libpq, PGresult* result) : libpq_(&libpq), result_(result, libpq.clear) {}

  [[nodiscard]] int size() const { return libpq_->ntuples(result_.get()); }
  [[nodiscard]] std::string_view at(int row, int column) const;
  [[nodiscard]] std::optional<std::string> optional_at(int row, int column) const;
  [[nodiscard]] PGresult* get() const { return result_.get(); }
  /// How many rows an INSERT added.
  [[nodiscard]] std::int64_t affected() const;

 private:
  const LibpqLibrary* libpq_;
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

/// Not for several threads at once.
class Session {
 public:
  explicit Session(DatabaseUrl url) : url_(std::move(url)) {}

  /// Connects where it is not connected.
  base::Result<void> connect();
  /// Statements without values, separated by semicolons; the rows, as text, of the last. Neither this nor query() connects again: a transaction would go on
  /// outside of itself.
  base::Result<Rows> batch(const std::string& statements);
  /// One statement; $1, $2, ... are VALUES.
  base::Result<Rows> query(const char* statement, std::initializer_list<Value> values = {});
  /// COMMIT. io: the server has rolled back instead, because an earlier statement failed.
  base::Result<void> commit();
  void disconnect();
  /// io where the server sends and takes nothing for so long: its own time limits end with it.
  void expect_answer_within(std::chrono::milliseconds limit) { longest_silence_ = limit; }
  [[nodiscard]] bool is_connected() const { return connection_ != nullptr; }

  /// Whether the same again may succeed after the last failure: a server that restarts, two transactions that wait for each other.
  [[nodiscard]] bool may_pass() const { return may_pass_; }
  void expect_no_failure() { may_pass_ = false; }
  /// Whether the server may have done what failed last: it did not answer, or ended the connection.
  [[nodiscard]] bool is_unanswered() const { return is_unanswered_; }
  [[nodiscard]] const DatabaseUrl& url() const { return url_; }

 private:
  base::Result<Rows> answer(bool is_sent);
  base::Error not_connected();
  base::Error no_answer();
  base::Error connection_error(std::string message);
  base::Error statement_error(const PGresult* result, bool is_lost);
  [[nodiscard]] std::string without_secrets(std::string message) const;

  DatabaseUrl url_;
  const LibpqLibrary* libpq_ = nullptr;
  std::unique_ptr<PGconn, std::function<void(PGconn*)>> connection_;
  std::vector<std::string> secrets_;
  std::chrono::milliseconds longest_silence_{75'000};
  bool may_pass_ = false;
  bool is_unanswered_ = false;
};

}  // namespace torchgate::baselines::postgresql
