// SPDX-License-Identifier: Apache-2.0
// Sites as a store gives them, for the tests of their pages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/site/site_model.hpp"

namespace torchgate::reports::models {

/// From run RUN on, the case takes FACTOR times as long as before it.
struct LevelStep {
  std::size_t run = 0;
  double factor = 1;
};

/// "2026-01-01T03:15:00.000Z" plus DAYS.
std::string site_time(std::size_t days);
/// The commit of the run of that day.
std::string site_commit(std::size_t day);

/// A time of 200 µs, measured once a day from 2026-01-01 on: RUNS runs, with the changes that STEPS are.
History stepped_history(const std::string& case_name, const std::vector<LevelStep>& steps, std::size_t runs = 60);

/// Of 200 runs: 20 % slower from run 40 on, then faster from run to run, and at the old level from run RECOVERED_AT on, without another change.
History slow_recovery(std::size_t recovered_at);

/// One host with these histories.
Site site_with(std::vector<History> histories);

/// Slower cases in each state, faster ones, a waiver, a pin, a release, another LibTorch, a case with too few runs, commits of a repository
/// with an address.
Site example_site();
/// Nothing changed.
Site quiet_site();
/// Names and messages that try to be markup, and changes at runs that do not exist.
Site hostile_site();

}  // namespace torchgate::reports::models
