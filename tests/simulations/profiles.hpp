// SPDX-License-Identifier: Apache-2.0
// How noisy a simulated machine is. The numbers are those of the simulator in Python that the procedure was
// designed with, so that the rates can be compared with its own. All are standard deviations of log time, or probabilities.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace torchgate::simulations {

struct Range {
  double low;
  double high;
};

struct Profile {
  std::string_view name;
  double day;            ///< SD of the machine's level from run to run, shared by all cases
  Range run;             ///< SD from run to run of a case's own, drawn per case (log-uniform), as the next two
  Range process;         ///< SD from process to process: layout, heap, clock
  Range iteration;       ///< SD of iterations inside a process
  double disturbance;    ///< chance that other load slows a process (or a whole run) by 2-12 %
  double burst;          ///< chance that a stretch of a process is slower by 5-30 %
  double spike;          ///< chance of a single slow iteration
  double bimodal_share;  ///< share of the cases with two modes
};

/// A quiet dedicated box, an ordinary shared CI machine, a bad shared one.
inline constexpr std::array profiles{
    Profile{"quiet", 0.002, {0.0005, 0.004}, {0.001, 0.008}, {0.003, 0.03}, 0.01, 0.01, 0.003, 0.10},
    Profile{"ci", 0.010, {0.001, 0.010}, {0.002, 0.025}, {0.005, 0.08}, 0.03, 0.05, 0.010, 0.15},
    Profile{"noisy", 0.030, {0.003, 0.030}, {0.005, 0.060}, {0.02, 0.15}, 0.06, 0.10, 0.020, 0.20},
};

std::optional<Profile> find_profile(std::string_view name);

/// In which order processes run: round robin over cases, so that a disturbance hits single processes of many cases; or
/// all processes of a case back to back, so that it hits all of one.
enum class Schedule { round_robin, sequential };

/// What `calibrate` would measure on such a machine: the SD of a run's level as a case sees it, day and case together.
double run_to_run_sd(const Profile& profile);

}  // namespace torchgate::simulations
