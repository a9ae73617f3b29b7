// SPDX-License-Identifier: Apache-2.0
// The main function of a suite. Started by torchgate it lists or measures groups and writes a report
// (schema torchgate.process/1); started by hand it is a Google Benchmark program, and takes all of its flags.
#pragma once

#include <memory>
#include <string>

#include "harness/bench/run/backend.hpp"

namespace torchgate::bench {

/// Exit code of the process: 0 also when a case failed (its result says so), 2 for bad arguments or a group that makes
/// no sense, 3 when it lost another rank of its job.
///
/// Where the environment says that this is one of several ranks (world_environment.hpp), and what is to be measured has
/// groups with ranks(), the ranks measure together; rank 0 writes and prints, the others only complain.
int run_suite(int argc, char** argv, const std::string& suite, std::unique_ptr<Backend> backend);

}  // namespace torchgate::bench

/// Defines main() for a suite without LibTorch. Suites with LibTorch use TORCHGATE_TORCH_SUITE of torch/suite.hpp.
#define TORCHGATE_PLAIN_SUITE(name)                                                              \
  int main(int argc, char** argv) {                                                              \
    return ::torchgate::bench::run_suite(argc, argv, name, ::torchgate::bench::plain_backend()); \
  }
