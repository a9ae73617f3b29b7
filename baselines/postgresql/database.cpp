// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/database.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

namespace torchgate::baselines::postgresql {
namespace {

// In each transaction, and not once for a connection: a pooler such as PgBouncer may give every transaction another one. What the URL, the
// role or the database sets is kept, but for a commit that does not wait for the disk: what is acknowledged is stored. The
// statements of this store count on seeing what others have committed meanwhile.
constexpr const char* begin_statements =
    "BEGIN ISOLATION LEVEL READ COMMITTED;"
    "SELECT set_config('statement_timeout', '60s', true) WHERE current_setting('statement_timeout') = '0';"
    "SELECT set_config('idle_in_transaction_session_timeout', '60s', true)"
    " WHERE current_setting('idle_in_transaction_session_timeout') = '0';"
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';"
    "SELECT ceil(1000 * extract(epoch FROM current_setting('statement_timeout')::interval))::bigint";

constexpr std::chrono::milliseconds longest_pause{2000};

}  // namespace

bool Database::Patience::wait(bool may_pass) {
  if (!may_pass) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!until_) until_ = now + limit_;
  if (now + pause_ > *until_) return false;
  // Many writers that were cut off at once should not come back at once.
  std::uniform_real_distribution<double> share(0.5, 1.5);
  std::random_device random;
  std::this_thread::sleep_for(pause_ * share(random));
  pause_ = std::min(pause_ * 2, longest_pause);
  return true;
}

base::Result<void> Database::begin() {
  if (auto connected = session_.connect(); !connected) return connected;
  was_connected_ = true;
  const auto begun = session_.batch(begin_statements);
  if (!begun) {
    session_.disconnect();
    return begun.error();
  }
  // The server's limit comes first, where the server works.
  const std::int64_t limit_ms = std::strtoll(std::string(begun->at(0, 0)).c_str(), nullptr, 10);
  session_.expect_answer_within(std::chrono::milliseconds(std::min<std::int64_t>(limit_ms + limit_ms / 4, 86'400'000)));
  return {};
}

base::Error Database::failure(base::Error error, bool is_commit_unanswered) {
  // Another code: the repeated work knows what is stored.
  if (is_commit_unanswered && error.code == base::ErrorCode::io)
    error.message +=
        "; COMMIT was not answered: what was to be stored may be stored, and the same command again stores it once";
  return error;
}

void Database::roll_back() {
  // A connection in an unknown state is not used again.
  if (session_.may_pass() || !session_.batch("ROLLBACK")) session_.disconnect();
}

bool Database::may_repeat() const {
  // Who was connected before waits for the server; who never was has a wrong URL.
  return session_.may_pass() || (was_connected_ && !session_.is_connected());
}

}  // namespace torchgate::baselines::postgresql
