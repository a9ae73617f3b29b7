// SPDX-License-Identifier: Apache-2.0
// The main function of a suite. Started by torchgate it lists or measures groups and writes a report
// (schema torchgate.process/1); started by hand it is a Google Benchmark program, and takes all of its flags.
#pragma once

#include <memory>
#include <string>

#include "harness/bench/run/backend.hpp"

namespace torchgate::bench {

/// Exit code of the process: 0 also if a case failed (see its result), 2 for invalid arguments or an invalid
/// group, 3 if it lost another rank of its job.
///
/// If the environment defines several ranks (world_environment.hpp), and groups with ranks() are to be measured, the
/// ranks measure together; rank 0 writes and prints, the others print errors only.
int run_suite(int argc, char** argv, const std::string& suite, std::unique_ptr<Backend> backend);

}  // namespace torchgate::bench

/// Defines main() of a suite without LibTorch; torchgate_suite() of CMake does it. Suites with LibTorch have
/// TORCHGATE_TORCH_SUITE of torch/torch_backend.hpp.
#define TORCHGATE_PLAIN_SUITE(name)                                                              \
  int main(int argc, char** argv) {                                                              \
    return ::torchgate::bench::run_suite(argc, argv, name, ::torchgate::bench::plain_backend()); \
  }
