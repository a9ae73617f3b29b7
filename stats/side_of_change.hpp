// SPDX-License-Identifier: Apache-2.0
// What:    to which side of a known change a build belongs: that before it or that after it, from its interleaved pairs with the build
//          before. A sequential test that may end after any pair.
// Assumes: the change is one step, so that the log differences of the pairs lie around 0 or around `change`; noise with one mode, the same for
//          all builds. A build in between is called by what it is nearer to, and takes more pairs.
// Source:  [wald-1945]: the sum of log likelihood ratios against the limit ln((1 - alpha) / alpha), for a wrong answer in at most about alpha of
//          the builds, whenever the test ends. The likelihood is that of Student's t with 4 degrees of freedom [lange-1989]: a pair that
//          is far from both sides says nothing, where in a normal likelihood it would outvote all others. The scale comes from the
//          pairs that showed the change, and from the build's own where those spread more.
//          Not used: a test against the middle of the change, which also answers for a build that is anywhere. With normal noise it takes
//          (2 x 2.58 sd / change)^2 pairs for the same risk, and this one 2 x 5.29 (sd / change)^2 in the mean: 2.5 times fewer.
// Checked: tests/stats/side_of_change_test.cpp, by hand, and by its rate of wrong sides on drawn pairs; whole bisections on recorded
//          pairs: tests/stats/bisection_rates_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace torchgate::stats {

enum class SideOfChange : std::uint8_t { before, after, undecided };

/// The change, as pairs of the build before and the build after showed it. Log values, larger is worse.
struct KnownChange {
  double change = 0.0;  ///< not 0
  double scale = 0.0;   ///< of a pair: spread_of_pairs() of those pairs
};

struct SideOptions {
  double alpha = 0.005;    ///< risk of the wrong side, of one build: 5 % over a bisection of ten steps
  std::size_t fewest = 4;  ///< pairs before the first answer: fewer cannot show that they vary more than the scale says
  std::size_t most = 24;   ///< pairs after which the build stays undecided
};

struct PlacedBuild {
  SideOfChange side = SideOfChange::undecided;
  double evidence = 0.0;  ///< log likelihood ratio: positive for after, negative for before
  double limit = 0.0;     ///< that it has to reach
  std::size_t pairs = 0;
  bool done = false;  ///< an answer, or the last pair
};

/// Scale of Student's t with 4 degrees of freedom around the median of these differences, by their median absolute deviation. None below
/// four values, or where one is not finite. Never below one in a million.
std::optional<double> spread_of_pairs(std::span<const double> differences);

/// Log likelihood of DIFFERENCES under `after` less that under `before`. 0 without any, or where one is not finite.
double evidence_for_after(std::span<const double> differences, const KnownChange& known);

/// Judges all of DIFFERENCES (build - before, log values), as the procedure does where no shorter beginning ended it. REQUIRES: known.change
/// is not 0 and known.scale is positive.
PlacedBuild place_build(std::span<const double> differences, const KnownChange& known, const SideOptions& options = {});

}  // namespace torchgate::stats
