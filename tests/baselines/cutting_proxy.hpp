// SPDX-License-Identifier: Apache-2.0
// A TCP port of this machine that leads to a PostgreSQL server, and is cut off at a COMMIT.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace torchgate::baselines::testing {

enum class Cut {
  none,
  before_commit,  ///< the server never sees it
  at_commit,      ///< the server has it, and the connection ends before it answers
  after_commit,   ///< the server has committed, and its answer is lost
  silence         ///< the server has committed; the connection stays, and nothing comes any more
};

/// One connection at a time.
class CuttingProxy {
 public:
  /// To the server with this Unix socket.
  explicit CuttingProxy(std::string socket);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  /// postgresql://USER@.../DATABASE?... through it instead of through the socket.
  [[nodiscard]] std::string through(const std::string& url) const;
  /// Once, at the next COMMIT. FOR_GOOD: connections are refused from then on.
  void cut(Cut where, bool for_good = false);
  /// Whether the cut was made.
  [[nodiscard]] bool has_cut() const { return next_ == Cut::none; }

 private:
  void serve();
  void forward(int client, int server);

  std::string socket_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<Cut> next_{Cut::none};
  std::atomic<bool> for_good_{false};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace torchgate::baselines::testing
