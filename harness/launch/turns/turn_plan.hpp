// SPDX-License-Identifier: Apache-2.0
// What the two processes of a pair that takes turns are told, one line after the other: which case, whose turn, when it is enough. Pure:
// lines in, lines out.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/splitmix64.hpp"

namespace torchgate::launch {

/// What a suite process says first; another version would have another number.
inline constexpr std::string_view turns_greeting = "turns 1";

struct TurnLimits {
  /// Neighbours come and go in stretches of 10 to 500 ms, so that two turns of 8 ms next to each other mostly meet the same; a turn has to be
  /// long compared with what a change of process costs (about 0.1 ms).
  std::chrono::nanoseconds turn = std::chrono::milliseconds(8);
  /// Each side: their 1 % quantile and the median of their turns are stable from about this many on.
  std::int64_t fewest = 16;
  /// Where the calls are so long that this many do not fit into the case's budget.
  std::int64_t fewest_of_long = 5;
  /// Until both sides have so many samples near their floor ...
  std::int64_t near_floor = 6;
  /// ... or have had so many turns. More make a pair no more precise on a machine whose speed drifts (stats/README.md, "The same CPU"): the next pair is
  /// worth more than they are.
  std::int64_t most = 24;
};

/// A case of the pair, and which side has it.
struct TurnCase {
  std::string name;
  std::array<bool, 2> on_side{true, true};
};

class TurnPlan {
 public:
  /// SEED: of the coins that say who comes first; the cases come in the order given.
  TurnPlan(std::vector<TurnCase> cases, std::uint64_t seed, TurnLimits limits = {});

  enum class Word { begin_case, turn, end };
  struct Ask {
    std::size_t side = 0;
    Word word = Word::begin_case;
    std::string line;
    std::size_t case_index = 0;
    std::int64_t round = 0;  ///< of the case, from 0 on
  };
  /// What to say now, and to whom; each is answered before the next one. Absent: all cases are complete.
  std::optional<Ask> next();

  /// The answer LINE of the side that was asked last. bad_input: it is not an answer to that question.
  base::Result<void> answered(std::string_view line);

  /// Where it is, for messages: "in turn 5 of fusion/conv_bn/..."; empty before the first case.
  [[nodiscard]] std::string place() const;

 private:
  enum class State { absent, waiting, preparing, ready, working, ending, later, done };
  struct Side {
    State state = State::absent;
    std::int64_t near_floor = 0;
    std::int64_t spent_ns = 0;
    std::int64_t budget_ns = 0;
    bool was_later = false;  ///< a second time it would be no answer
  };

  void begin_case();
  void begin_round();
  bool begin_again();
  std::optional<Ask> ask(std::size_t side, Word word, std::string line);
  [[nodiscard]] bool any(State state) const;
  [[nodiscard]] bool enough() const;

  std::vector<TurnCase> cases_;
  TurnLimits limits_;
  SplitMix64 random_;
  std::size_t case_ = 0;
  std::array<Side, 2> sides_;
  std::array<std::size_t, 2> order_{0, 1};  // of this round
  std::size_t place_in_round_ = 0;
  std::int64_t rounds_ = 0;  // complete ones of this case
  bool ending_ = false;
  std::size_t asked_ = 0;
};

}  // namespace torchgate::launch
