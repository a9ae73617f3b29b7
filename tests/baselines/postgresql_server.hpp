// SPDX-License-Identifier: Apache-2.0
// A real PostgreSQL server for the tests of a program: in a temporary folder, on a Unix socket there, ended with the program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace torchgate::baselines::testing {

class PostgresqlServer {
 public:
  /// The one of this program, started by the first call; nullptr where there is none: why_not() says why: "skipped: ..." without its programs, else what failed.
  static PostgresqlServer* get();
  static const std::string& why_not();

  ~PostgresqlServer();
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  /// postgresql://USER@.../torchgate with a schema of its own for NAME, which is made. PARAMETERS: "&name=value" more.
  std::string url(const std::string& name, const std::string& user = "postgres", const std::string& parameters = "");
  /// Its Unix socket.
  [[nodiscard]] std::string socket() const { return folder_ + "/.s.PGSQL.5432"; }
  /// What psql prints for SQL as USER (tuples only, columns separated by |), with the search path of NAME; its errors, too.
  std::string sql(const std::string& name, const std::string& sql, const std::string& user = "postgres") const;
  /// psql on a file; its output.
  std::string sql_file(const std::string& name, const std::filesystem::path& file) const;

  /// An end without waiting for clients (SIGQUIT: as after a crash, it recovers from its log when it starts), and a start: both are
  /// done when these return.
  void crash();
  void start();

 private:
  PostgresqlServer() = default;
  [[nodiscard]] std::string psql(const std::string& name, const std::string& user, const std::string& arguments) const;

  std::string programs_;  // the folder of initdb, postgres, psql
  std::string folder_;    // of the server's user
  std::string database_ = "postgres";
  pid_t process_ = -1;
};

}  // namespace torchgate::baselines::testing
