// SPDX-License-Identifier: Apache-2.0
#include "stats/levels.hpp"

#include <array>
#include <cstddef>

namespace torchgate::stats {
namespace {

struct EstimatorText {
  Estimator estimator;
  std::string_view name;
  std::string_view words;
};

// One row per estimator, in the order of the enumeration (a test checks that).
constexpr std::array estimator_texts{
    EstimatorText{Estimator::process_mean, "process_mean", "geometric mean of the process medians"},
    EstimatorText{
        Estimator::history, "history",
        "mean of the stored run values (from eight runs on without the lowest and the highest), and this run's "
        "value; a run value is the Hodges-Lehmann estimate over the process medians"},
    EstimatorText{Estimator::pairs, "pairs", "Hodges-Lehmann estimate over the interleaved pairs"},
    EstimatorText{Estimator::floor, "floor",
                  "Hodges-Lehmann estimate over the pairs that took turns, of the floor of each process (the 1 % "
                  "quantile of its samples: what a call takes when nothing disturbs it)"},
    EstimatorText{Estimator::typical, "typical",
                  "Hodges-Lehmann estimate over the pairs that took turns, of the typical change of each pair (the "
                  "median over its turns of the ratio of their means)"},
    EstimatorText{Estimator::sample_mean, "sample_mean", "arithmetic mean of the raw samples"},
    EstimatorText{Estimator::run_value, "run_value", "Hodges-Lehmann estimate over the process medians"},
    EstimatorText{Estimator::median, "median", "median over the processes"},
    EstimatorText{Estimator::count, "count", "exact count"},
};
static_assert(estimator_texts.size() == static_cast<std::size_t>(Estimator::count) + 1);

}  // namespace

std::string_view to_string(Estimator estimator) {
  return estimator_texts[static_cast<std::size_t>(estimator)].name;
}

std::string_view describe(Estimator estimator) {
  return estimator_texts[static_cast<std::size_t>(estimator)].words;
}

}  // namespace torchgate::stats
