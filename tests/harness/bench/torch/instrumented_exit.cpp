// SPDX-License-Identifier: Apache-2.0
// Writes its results after main(), as code does that a compiler adds.
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "harness/bench/torch/early_exit.hpp"

int main() {
  std::atexit([] {
    constexpr std::string_view results = "its results";
    (void)!write(STDOUT_FILENO, results.data(), results.size());
  });
  torchgate::bench::exit_without_libraries();
}
