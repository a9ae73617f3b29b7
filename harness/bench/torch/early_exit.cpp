// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/early_exit.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

// Of what a compiler can build into a program to write its results at the end, there only where it is.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
[[gnu::weak]] void __gcov_exit();                             // g++ --coverage
[[gnu::weak]] int __llvm_profile_write_file();                // clang++ -fprofile-instr-generate
[[gnu::weak]] void __gmon_start__();                          // -pg
[[gnu::weak]] void __sanitizer_set_report_path(const char*);  // -fsanitize=, such as the leaks of address
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace torchgate::bench {
namespace {

bool is_instrumented() {
  return __gcov_exit != nullptr || __llvm_profile_write_file != nullptr || __gmon_start__ != nullptr ||
         __sanitizer_set_report_path != nullptr;
}

/// By the variables that profilers are loaded with.
bool is_profiled() {
  constexpr std::array variables{"LD_PRELOAD", "LD_AUDIT", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
  return std::any_of(variables.begin(), variables.end(), [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

void end_now(int status, void* /*unused*/) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

void exit_without_libraries() {
  // What is registered last is called first: before this, the destructors of all objects that are created from now on.
  if (!is_profiled() && !is_instrumented()) on_exit(end_now, nullptr);
}

}  // namespace torchgate::bench
