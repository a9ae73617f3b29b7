// SPDX-License-Identifier: Apache-2.0
// LibTorch as the library under measurement.
#pragma once

#include <memory>

#include "harness/bench/program/suite_program.hpp"  // IWYU pragma: export
#include "harness/bench/run/backend.hpp"
#include "harness/bench/torch/early_exit.hpp"  // IWYU pragma: export

namespace torchgate::bench {

/// Knows the requirements "cuda", "qengine:NAME" (X86, ONEDNN, FBGEMM, QNNPACK), "operator:NAME" and CPU features. Restores LibTorch's global
/// settings (library_settings.hpp) before each case is built.
std::unique_ptr<Backend> torch_backend();

}  // namespace torchgate::bench

/// Defines main() of a suite with LibTorch; torchgate_suite() of CMake does it. Once, in one file of the suite.
#define TORCHGATE_TORCH_SUITE(name)                                                              \
  int main(int argc, char** argv) {                                                              \
    ::torchgate::bench::exit_without_libraries();                                                \
    return ::torchgate::bench::run_suite(argc, argv, name, ::torchgate::bench::torch_backend()); \
  }
