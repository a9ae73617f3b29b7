// SPDX-License-Identifier: Apache-2.0
// What fuzzing starts from: the fixtures and golden files that the other tests have, runs made in code, and the inputs in
// tests/fuzz/seeds and tests/fuzz/regressions.
#pragma once

#include <string>
#include <vector>

namespace torchgate::fuzz {

struct Seed {
  std::string name;  ///< for messages and as a file's name
  std::string bytes;
};

/// All of TARGET, the regressions too. Throws std::runtime_error where a file that is named here is gone.
std::vector<Seed> seeds_of(const std::string& target);

}  // namespace torchgate::fuzz
