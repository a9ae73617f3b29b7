// SPDX-License-Identifier: Apache-2.0
// Private to baselines: transactions that are repeated when the connection is lost or the server restarts.
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

#include "baselines/postgresql/database_session.hpp"

namespace torchgate::baselines::postgresql {

class Database {
 public:
  explicit Database(DatabaseUrl url, std::chrono::milliseconds repeat) : session_(std::move(url)), repeat_(repeat) {}

  /// WORK(session) in a transaction: all that it wrote is there, and on the disk of the server, or nothing. Where a failure may pass,
  /// everything is done again, with waits that double, for that time from the first failure on; then the last error. So WORK may run several times, also
  /// after a commit whose answer was lost.
  template <class Work>
  auto transact(Work work) -> std::invoke_result_t<Work, Session&> {
    Patience patience(repeat_);
    bool is_commit_unanswered = false;
    while (true) {
      session_.expect_no_failure();
      auto begun = begin();
      if (!begun) {
        if (!patience.wait(may_repeat())) return failure(begun.error(), is_commit_unanswered);
        continue;
      }
      auto result = work(session_);
      if (!result) {
        const bool again = may_repeat();
        roll_back();
        if (!patience.wait(again)) return failure(result.error(), is_commit_unanswered);
        continue;
      }
      auto committed = session_.commit();
      if (committed) return result;
      is_commit_unanswered = is_commit_unanswered || session_.is_unanswered();
      if (!patience.wait(may_repeat())) return failure(committed.error(), is_commit_unanswered);
    }
  }

  [[nodiscard]] const DatabaseUrl& url() const { return session_.url(); }

 private:
  class Patience {
   public:
    explicit Patience(std::chrono::milliseconds limit) : limit_(limit) {}
    /// Waits and returns true, or returns false: it is not worth it, or it took too long.
    bool wait(bool may_pass);

   private:
    std::chrono::milliseconds limit_;
    // Since the first failure: a statement may have waited for a long time before.
    std::optional<std::chrono::steady_clock::time_point> until_;
    std::chrono::milliseconds pause_{50};
  };

  base::Result<void> begin();
  void roll_back();
  static base::Error failure(base::Error error, bool is_commit_unanswered);
  [[nodiscard]] bool may_repeat() const;

  Session session_;
  std::chrono::milliseconds repeat_;
  bool was_connected_ = false;
};

}  // namespace torchgate::baselines::postgresql
