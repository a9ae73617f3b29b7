// SPDX-License-Identifier: Apache-2.0
// The processes that measure a group together, and the little they say to each other outside of what is timed. An ordinary
// suite process is a world of its own. What the benchmark itself communicates is not its business.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchgate::bench {

/// Another rank ended, stays silent, or does not speak our language: nothing more can be measured together.
class RankLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another rank is done with what we are still doing: its own work has failed. Ends the case here too; the rank that
/// failed says why when the ranks agree on the result (rank_agreement.hpp).
class RankAhead : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class World {
 public:
  virtual ~World() = default;
  [[nodiscard]] virtual std::int64_t rank() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;

  /// Waits until all ranks are here; nobody is late by more than a message takes (some 50 us on one machine).
  void barrier();
  /// Every rank's numbers, by rank.
  std::vector<std::vector<double>> all_of(const std::vector<double>& mine);
  /// The largest of all ranks' numbers: ranks that decide by it decide alike.
  double largest(double mine);
  /// What rank 0 says.
  std::string from_first(const std::string& text);

  /// What a message is about. Ranks meet in the same order as long as all is well; one whose case has failed goes ahead to
  /// the result.
  enum class Topic : char { measuring = 'm', result = 'r' };
  struct Met {
    bool together = true;            ///< all ranks came for the same
    std::vector<std::string> texts;  ///< by rank
  };
  /// The one way in which ranks talk: everybody gives a text and gets all. Throws RankLost.
  Met meet(Topic topic, const std::string& text);

 protected:
  /// One text of each rank, by rank. Throws RankLost.
  virtual std::vector<std::string> exchange(const std::string& mine) = 0;
};

/// One rank, which is always alone.
World& solo_world();

/// The world of this process: solo until join_this_world().
World& this_world();
/// Once, before anything is measured.
void join_this_world(std::unique_ptr<World> world);

}  // namespace torchgate::bench
