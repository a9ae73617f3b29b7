// SPDX-License-Identifier: Apache-2.0
// Several processes of one suite that measure a group together: one job, as torchrun would start it on one machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/report_file.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// How long the other ranks may run after one has failed: long enough to notice it themselves (a closed connection is
/// noticed at once) and to report it, short compared with the time limit of a group.
inline constexpr std::chrono::milliseconds rank_patience{5000};

/// The exit code of a suite process that ended only because it lost another rank (harness/bench/program/suite_program.cpp): never
/// the cause.
inline constexpr int exit_lost_rank = 3;

/// COMMAND for each rank, with the variables that torchrun sets: RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE,
/// MASTER_ADDR (127.0.0.1) and MASTER_PORT. Those of a job that torchgate itself belongs to are removed.
std::vector<process::Command> rank_commands(const process::Command& command, std::int64_t ranks, int port,
                                            std::optional<int> cpu = std::nullopt);

/// The CPU that all ranks of a launch share where CPUS are fewer than their threads (three a rank: the one that calls, Gloo's, and
/// autograd's); absent where there are enough. Threads that take turns on too few CPUs wait for whole time slices of the scheduler, of
/// which a process has more and the next less: times of the suite `distributed` differed by 50 to 70 % between processes on two CPUs,
/// and differ by 0.2 to 0.5 % on one. What is measured then is the work of all ranks together.
std::optional<int> shared_rank_cpu(std::int64_t ranks, const std::vector<int>& cpus);

/// A port at which ranks may find each other. io: there is none.
base::Result<int> port_for_ranks();

/// The answer of ranks of COMMAND with these OUTCOMES, of which rank 0 has written FILE: that of the cause, as of ask_ranks(). REQUIRES: at least one.
SuiteAnswer answer_of_ranks(const process::Command& command, const std::vector<process::Outcome>& outcomes,
                            const ReportFile& file);

/// Runs RANKS processes of COMMAND to their end; rank 0 writes the report. With one rank it is ask_suite(). If several
/// fail, the answer is that of the cause, with its rank: a signal before an exit code before a time limit, and each
/// of them before those that only lost the others. CPU time is the sum, peak memory that of the largest.
SuiteAnswer ask_ranks(const process::Command& command, std::int64_t ranks, const std::filesystem::path& report_file,
                      std::chrono::milliseconds patience = rank_patience);

}  // namespace torchgate::launch
