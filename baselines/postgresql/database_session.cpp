// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/database_session.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

// pg_type.dat; they are part of the protocol.
constexpr Oid bytea_type = 17;
constexpr Oid text_type = 25;
constexpr int binary_format = 1;

// A URL, or libpq's own variables, may say otherwise.
constexpr const char* connect_seconds = "10";
constexpr const char* unanswered_ms =
    "30000";  // tcp_user_timeout: of a server that vanished while something was sent to it
// While it is waited for: a minute, where the system's own keepalives take two hours.
constexpr const char* keepalives_idle_s = "30";
constexpr const char* keepalives_interval_s = "10";
constexpr const char* keepalives_count = "3";
// Over TLS libpq may hold bytes that poll() does not see: it is asked this often.
constexpr std::chrono::milliseconds longest_poll{200};

// A server refuses with one of these while it starts, stops, or has as many clients as it takes. libpq has no code for it; where the server
// speaks another language, the first refusal is the answer.
constexpr std::array passing_refusals = {"the database system is", "too many clients", "remaining connection slots",
                                         "too many connections"};

struct Advice {
  std::string_view state;  // SQLSTATE, or the two digits of its class
  ErrorCode code;
  const char* text;
  bool may_pass;
};

// Appendix A of PostgreSQL's manual.
constexpr std::array advice_table = {
    Advice{"42501", ErrorCode::io,
           "this role may not do that; connect as the owner of the store, or have it grant torchgate_append or "
           "torchgate_read (baselines/postgresql/roles.sql)",
           false},
    Advice{"25006", ErrorCode::io,
           "the database is read-only; use the URL of the primary server, and a role without "
           "default_transaction_read_only",
           false},
    Advice{"53100", ErrorCode::io, "the disk of the server is full; free space there and repeat the command", false},
    Advice{"54000", ErrorCode::io, "this is larger than the server stores; measure fewer cases in one run", false},
    Advice{"57014", ErrorCode::io,
           "the server ended the statement, usually for statement_timeout; repeat the command, or raise it in the URL "
           "(?options=-cstatement_timeout%3D300s)",
           false},
    Advice{"22021", ErrorCode::bad_input,
           "the database cannot hold this text; create the database with the encoding UTF8", false},
    Advice{"22P05", ErrorCode::bad_input,
           "the database cannot hold this text; create the database with the encoding UTF8", false},
    Advice{"42P01", ErrorCode::bad_input, "a table of the store is missing; restore the database from its backup",
           false},
    Advice{"40", ErrorCode::io, "transactions collided again and again; repeat the command", true},
    Advice{"57P", ErrorCode::io, "the server ended the connection; repeat the command when it runs again", true},
    Advice{"25P03", ErrorCode::io, "the transaction was idle for too long; repeat the command", true},
    Advice{"08", ErrorCode::io, "the connection was lost; repeat the command when the server can be reached", true},
    Advice{"53", ErrorCode::io, "the server has not enough resources; repeat the command later", true},
};

std::string one_line(std::string_view message) {
  std::string line;
  for (const char c : message) line += c == '\n' || c == '\t' ? ' ' : c;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

void ignore_notice(void* /*unused*/, const char* /*message*/) {}

}  // namespace

std::string_view Rows::at(int row, int column) const {
  return {libpq_->getvalue(result_.get(), row, column),
          static_cast<std::size_t>(libpq_->getlength(result_.get(), row, column))};
}

std::optional<std::string> Rows::optional_at(int row, int column) const {
  if (libpq_->getisnull(result_.get(), row, column) != 0) return std::nullopt;
  return std::string(at(row, column));
}

std::int64_t Rows::affected() const {
  const std::string_view digits = libpq_->cmd_tuples(result_.get());
  std::int64_t count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

Result<void> Session::connect() {
  if (connection_ && libpq_->status(connection_.get()) == CONNECTION_OK) return {};
  disconnect();
  const auto libpq = libpq_library();
  if (!libpq) return libpq.error();
  libpq_ = *libpq;

  char* ignored_message = nullptr;  // has parts of the URL
  PQconninfoOption* const options = libpq_->conninfo_parse(url_.for_libpq.c_str(), &ignored_message);
  if (ignored_message != nullptr) libpq_->freemem(ignored_message);
  if (options == nullptr)
    return Error{ErrorCode::bad_input,
                 url_.shown +
                     ": invalid URL of a PostgreSQL store; percent-encode special characters, and use the "
                     "parameters of libpq's connection URIs only"};
  secrets_.clear();
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string_view name = option->keyword;
    if ((name == "password" || name == "sslpassword") && option->val != nullptr && *option->val != '\0')
      secrets_.emplace_back(option->val);
  }
  libpq_->conninfo_free(options);
  if (const char* const password = std::getenv("PGPASSWORD"); password != nullptr && *password != '\0')
    secrets_.emplace_back(password);

  // The last one of a name wins: the URL.
  std::vector<const char*> names = {"fallback_application_name", "client_encoding",     "tcp_user_timeout",
                                    "keepalives_idle",           "keepalives_interval", "keepalives_count"};
  std::vector<const char*> values = {"torchgate",           "UTF8",          unanswered_ms, keepalives_idle_s,
                                     keepalives_interval_s, keepalives_count};
  const auto add = [&](const char* name, const char* value) {
    names.push_back(name);
    values.push_back(value);
  };
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) add("connect_timeout", connect_seconds);
  add("dbname", url_.for_libpq.c_str());
  add(nullptr, nullptr);
  constexpr int dbname_is_a_url = 1;
  connection_ = {libpq_->connect(names.data(), values.data(), dbname_is_a_url),
                 [finish = libpq_->finish](PGconn* connection) { finish(connection); }};
  if (!connection_) return Error{ErrorCode::io, url_.shown + ": out of memory"};
  if (libpq_->status(connection_.get()) != CONNECTION_OK) {
    auto error = connection_error(libpq_->error_message(connection_.get()));
    disconnect();
    return error;
  }
  libpq_->set_notice_processor(connection_.get(), ignore_notice, nullptr);
  libpq_->set_nonblocking(connection_.get(), 1);
  return {};
}

void Session::disconnect() {
  connection_.reset();
}

// PQexec and PQexecParams would wait for ever for a server that holds the connection and does nothing.
Result<Rows> Session::answer(bool is_sent) {
  PGconn* const connection = connection_.get();
  Rows last(*libpq_, nullptr);
  const auto failed = [&](const Rows& rows) { return libpq_->result_status(rows.get()) == PGRES_FATAL_ERROR; };
  using Clock = std::chrono::steady_clock;
  auto silent_since = Clock::now();
  bool is_lost = false;
  while (is_sent) {
    const int unsent = libpq_->flush(connection);
    is_lost = unsent < 0;
    if (is_lost) break;
    if (unsent == 0 && libpq_->is_busy(connection) == 0) {
      Rows next(*libpq_, libpq_->get_result(connection));
      if (next.get() == nullptr) {
        const auto status = libpq_->result_status(last.get());
        if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return last;
        break;
      }
      if (last.get() == nullptr || !failed(last)) last = std::move(next);
      silent_since = Clock::now();
      continue;
    }
    pollfd socket{libpq_->socket(connection), static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN), 0};
    // poll() would only sleep.
    is_lost = socket.fd < 0;
    if (is_lost) break;
    const int ready = ::poll(&socket, 1, static_cast<int>(std::min(longest_poll, longest_silence_).count()));
    if ((ready < 0 && errno != EINTR) || libpq_->consume_input(connection) == 0) break;
    if (ready > 0) {
      silent_since = Clock::now();
    } else if ((unsent == 1 || libpq_->is_busy(connection) == 1) && Clock::now() - silent_since >= longest_silence_) {
      return no_answer();
    }
  }
  return statement_error(last.get() != nullptr && failed(last) ? last.get() : nullptr, is_lost);
}

Result<Rows> Session::batch(const std::string& statements) {
  if (!connection_) return not_connected();
  return answer(libpq_->send_query(connection_.get(), statements.c_str()) == 1);
}

Result<void> Session::commit() {
  const auto result = batch("COMMIT");
  if (!result) return result.error();
  if (std::string_view(libpq_->cmd_status(result->get())) == "COMMIT") return {};
  may_pass_ = false;
  is_unanswered_ = false;
  return Error{ErrorCode::io, url_.shown +
                                  ": the server rolled the transaction back instead of committing it; see its log, "
                                  "and repeat the command"};
}

Result<Rows> Session::query(const char* statement, std::initializer_list<Value> values) {
  if (!connection_) return not_connected();
  std::vector<Oid> types;
  std::vector<const char*> contents;
  std::vector<int> lengths;
  for (const Value& value : values) {
    types.push_back(value.is_bytes ? bytea_type : text_type);
    // An empty view may have no address, which would be NULL.
    contents.push_back(!value.content ? nullptr : value.content->empty() ? "" : value.content->data());
    lengths.push_back(value.content ? static_cast<int>(value.content->size()) : 0);
  }
  const std::vector<int> formats(values.size(), binary_format);
  return answer(libpq_->send_query_params(connection_.get(), statement, static_cast<int>(values.size()), types.data(),
                                          contents.data(), lengths.data(), formats.data(), binary_format) == 1);
}

std::string Session::without_secrets(std::string message) const {
  for (const std::string& secret : secrets_) replace_all(message, secret, "***");
  return one_line(message);
}

Error Session::not_connected() {
  may_pass_ = true;
  is_unanswered_ = false;
  return {ErrorCode::io, url_.shown + ": the connection was lost; repeat the command when the server can be reached"};
}

Error Session::no_answer() {
  may_pass_ = true;
  is_unanswered_ = true;
  disconnect();
  const auto waited = std::chrono::ceil<std::chrono::seconds>(longest_silence_).count();
  return {ErrorCode::io, url_.shown + ": the server did not answer within " + std::to_string(waited) +
                             " s; check that it works, and repeat the command"};
}

Error Session::connection_error(std::string message) {
  may_pass_ = std::any_of(passing_refusals.begin(), passing_refusals.end(),
                          [&](const char* refusal) { return message.find(refusal) != std::string::npos; });
  // Of a server that restarts; the caller repeats this only if there was a connection before.
  message = without_secrets(std::move(message));
  const bool about_password = message.find("password") != std::string::npos;
  return {ErrorCode::io,
          url_.shown + ": cannot connect: " + message + "; " +
              (about_password ? "check the user and the password (PGPASSWORD, or ~/.pgpass)"
                              : "check the URL, and that the server runs and takes connections from this machine")};
}

Error Session::statement_error(const PGresult* result, bool is_lost) {
  const char* const field = result == nullptr ? nullptr : libpq_->result_error_field(result, PG_DIAG_SQLSTATE);
  const std::string_view state = field == nullptr ? "" : field;
  const bool lost = is_lost || libpq_->status(connection_.get()) != CONNECTION_OK;
  // The classes of a connection that failed and of a server that ended it.
  is_unanswered_ = state.empty() || state.starts_with("08") || state.starts_with("57P");
  const char* const primary = state.empty() ? nullptr : libpq_->result_error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  std::string message = without_secrets(primary != nullptr ? primary : libpq_->error_message(connection_.get()));
  const auto advice = std::find_if(advice_table.begin(), advice_table.end(),
                                   [&](const Advice& row) { return state.starts_with(row.state); });
  if (advice != advice_table.end()) {
    may_pass_ = advice->may_pass || lost;
    return {advice->code, url_.shown + ": " + message + "; " + advice->text};
  }
  may_pass_ = lost;
  if (lost)
    return {ErrorCode::io, url_.shown + ": the connection was lost: " + message +
                               "; repeat the command when the server can be reached"};
  return {ErrorCode::io, url_.shown + ": " + message + (state.empty() ? "" : " (" + std::string(state) + ")") +
                             "; see the server's log"};
}

}  // namespace torchgate::baselines::postgresql
