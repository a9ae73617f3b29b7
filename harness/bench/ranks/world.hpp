// SPDX-License-Identifier: Apache-2.0
// The processes that measure a group together, and their communication outside of the timed code. An ordinary
// suite process is a world with one rank. The communication of the benchmark itself is separate.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchgate::bench {

/// Another rank ended, does not respond, or sent an invalid message: the ranks cannot measure together any more.
class RankLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another rank left the current case early because its own work failed. Ends the case here too; the rank that
/// failed reports the reason when the ranks agree on the result (rank_agreement.hpp).
class RankAhead : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class World {
 public:
  virtual ~World() = default;
  [[nodiscard]] virtual std::int64_t rank() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;

  /// Waits until all ranks are here; they then differ by at most the time of a message (about 50 us on one machine).
  void barrier();
  /// Every rank's numbers, by rank.
  std::vector<std::vector<double>> all_of(const std::vector<double>& mine);
  /// The largest of all ranks' numbers, so that all ranks make the same decisions.
  double largest(double mine);
  /// Every rank's text, by rank.
  std::vector<std::string> texts_of_all(const std::string& mine);
  /// The value of rank 0.
  std::string from_first(const std::string& text);

  /// The topic of a message. Ranks exchange messages in the same order; a rank whose case has failed skips ahead to
  /// the result.
  enum class Topic : char { measuring = 'm', result = 'r' };
  struct Met {
    bool together = true;            ///< all ranks sent the same topic
    std::vector<std::string> texts;  ///< by rank
  };
  /// The only communication of the ranks: each passes a text and gets those of all. Throws RankLost.
  Met meet(Topic topic, const std::string& text);

 protected:
  /// One text of each rank, by rank. Throws RankLost.
  virtual std::vector<std::string> exchange(const std::string& mine) = 0;
};

/// A world with one rank.
World& solo_world();

/// The world of this process: solo until join_this_world().
World& this_world();
/// Once, before anything is measured.
void join_this_world(std::unique_ptr<World> world);

}  // namespace torchgate::bench
