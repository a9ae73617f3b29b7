// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds TARGET FOLDER: writes what TARGET starts from into FOLDER, for libFuzzer (ci/scripts/fuzz.sh).
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds TARGET FOLDER\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[2];
    std::filesystem::create_directories(folder);
    for (const auto& seed : torchgate::fuzz::seeds_of(argv[1])) {
      std::ofstream file(folder / seed.name, std::ios::binary);
      file << seed.bytes;
      if (!file.flush()) throw std::runtime_error((folder / seed.name).string() + ": cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
