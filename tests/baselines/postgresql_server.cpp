// SPDX-License-Identifier: Apache-2.0
#include "tests/baselines/postgresql_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;

std::string& reason() {
  static std::string text;
  return text;
}

/// The newest of Debian's /usr/lib/postgresql/VERSION/bin; "": none.
std::string folder_of_programs() {
  std::vector<std::pair<int, std::string>> found;
  std::error_code failed;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", failed)) {
    const auto programs = version.path() / "bin";
    if (fs::exists(programs / "initdb") && fs::exists(programs / "postgres"))
      found.emplace_back(std::atoi(version.path().filename().c_str()), programs.string());
  }
  return found.empty() ? "" : std::max_element(found.begin(), found.end())->second;
}

/// The server refuses to run as root.
void become_server_user() {
  if (::geteuid() != 0) return;
  const passwd* const user = ::getpwnam("postgres");
  if (user == nullptr || ::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0)
    ::_exit(1);
}

pid_t start_program(const std::vector<std::string>& arguments, const std::string& log, bool ends_with_us) {
  const pid_t us = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  become_server_user();
  if (ends_with_us) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (::getppid() != us) ::_exit(1);
  }
  if (::chdir("/tmp") != 0) ::_exit(1);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

std::string output_of(const std::string& command) {
  std::string output;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  char piece[4096];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, pipe.get())) output.append(piece, count);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output;
}

std::string percent_encoded(const std::string& path) {
  std::string encoded;
  for (const char c : path) encoded += c == '/' ? std::string("%2F") : std::string(1, c);
  return encoded;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

PostgresqlServer* PostgresqlServer::get() {
  static const std::unique_ptr<PostgresqlServer> server = []() -> std::unique_ptr<PostgresqlServer> {
    std::unique_ptr<PostgresqlServer> made(new PostgresqlServer);
    made->programs_ = folder_of_programs();
    if (made->programs_.empty()) {
      reason() =
          "skipped: no PostgreSQL server: /usr/lib/postgresql/*/bin/initdb is missing (apt-get install postgresql)";
      return nullptr;
    }
    std::string name = "/tmp/torchgate-pg-XXXXXX";  // short: a socket's path has 107 bytes at most
    if (::mkdtemp(name.data()) == nullptr) {
      reason() = "cannot make a folder in /tmp";
      return nullptr;
    }
    made->folder_ = name;
    if (const passwd* const user = ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr)
      if (::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) {
        reason() = "cannot give " + name + " to the user postgres";
        return nullptr;
      }
    const pid_t made_data = start_program({made->programs_ + "/initdb", "-D", name + "/data", "--no-sync", "-A",
                                           "trust", "-U", "postgres", "--locale=C", "-E", "UTF8"},
                                          name + "/initdb.log", false);
    int status = 0;
    ::waitpid(made_data, &status, 0);
    if (status != 0) {
      reason() = "initdb failed: " + output_of("cat " + name + "/initdb.log");
      return nullptr;
    }
    // The first line that fits: one role needs its password.
    const std::string hba = name + "/data/pg_hba.conf";
    const std::string lines = output_of("cat " + hba);
    std::ofstream(hba) << "local all torchgate_with_password scram-sha-256\n" << lines << '\n';
    made->start();
    made->sql("", "CREATE DATABASE torchgate");
    made->database_ = "torchgate";
    return made;
  }();
  return server.get();
}

const std::string& PostgresqlServer::why_not() {
  return reason();
}

PostgresqlServer::~PostgresqlServer() {
  if (process_ > 0) {
    ::kill(process_, SIGQUIT);
    ::waitpid(process_, nullptr, 0);
  }
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

void PostgresqlServer::start() {
  // What is acknowledged is lost with the machine's power only: what is killed here are programs.
  process_ =
      start_program({programs_ + "/postgres", "-D", folder_ + "/data", "-k", folder_, "-c", "listen_addresses=", "-c",
                     "fsync=off", "-c", "max_connections=60", "-c", "log_statement=none"},
                    folder_ + "/server.log", true);
  constexpr int attempts = 600;
  for (int i = 0; i < attempts; ++i) {
    if (output_of(programs_ + "/psql -h " + folder_ + " -U postgres -d postgres -Atc 'SELECT 1' 2>&1") == "1") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::fprintf(stderr, "%s\n", output_of("cat " + folder_ + "/server.log").c_str());
}

void PostgresqlServer::crash() {
  // Its children have groups of their own, and end when it does.
  ::kill(process_, SIGQUIT);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::string PostgresqlServer::url(const std::string& name, const std::string& user, const std::string& parameters) {
  sql("", "CREATE SCHEMA IF NOT EXISTS " + name + "; GRANT USAGE ON SCHEMA " + name + " TO PUBLIC");
  return "postgresql://" + user + "@" + percent_encoded(folder_) + "/torchgate?options=-csearch_path%3D" + name +
         parameters;
}

std::string PostgresqlServer::psql(const std::string& name, const std::string& user,
                                   const std::string& arguments) const {
  const std::string path = name.empty() ? "" : "PGOPTIONS=-csearch_path=" + name + " ";
  return output_of(path + programs_ + "/psql -X -q -v ON_ERROR_STOP=1 -h " + folder_ + " -U " + user + " -d " +
                   database_ + " -At " + arguments + " 2>&1");
}

std::string PostgresqlServer::sql(const std::string& name, const std::string& sql, const std::string& user) const {
  return psql(name, user, "-c " + quoted(sql));
}

std::string PostgresqlServer::sql_file(const std::string& name, const fs::path& file) const {
  return psql(name, "postgres", "-f " + quoted(file.string()));
}

}  // namespace torchgate::baselines::testing
