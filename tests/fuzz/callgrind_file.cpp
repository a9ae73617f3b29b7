// SPDX-License-Identifier: Apache-2.0
// What Callgrind and a Google Benchmark program leave behind. The program under test can write into that folder.
#include "harness/launch/count/callgrind_file.hpp"

#include <string>

#include "ci/gate/instructions/function_name.hpp"
#include "harness/launch/foreign/benchmark_count.hpp"
#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

void read_part(std::string_view text) {
  const auto part = launch::read_callgrind(text, "input");
  if (!part) return fuzz::require(!part.error().message.empty(), "an error has a message");
  fuzz::accepted();
  std::uint64_t sum = 0;
  for (const auto& [function, instructions] : part->functions) {
    sum += instructions;
    fuzz::require(gate::readable_function_name(function.name).size() <= 2 * function.name.size() + 40,
                  "a readable name is about as long as the name");
  }
  fuzz::require(sum == part->total, "the functions add up to the total");
}

}  // namespace

// A part of Callgrind; or, with a separator, the program's report and two parts.
TORCHGATE_FUZZ_TARGET(callgrind_file) {
  const auto parts = fuzz::parts_of(input, 3);
  read_part(parts.front());
  if (parts.size() < 3) return;
  static const fuzz::ScratchFolder folder;
  (void)folder.write("report.json", parts[0]);
  (void)folder.write("part.1.1", parts[1]);
  (void)folder.write("part.1.2", parts[2]);
  const launch::ProcessCount count = launch::read_benchmark_count(folder.path(), 1);
  fuzz::require(count.per_call.has_value() == count.unknown.empty(), "a count, or the reason why there is none");
  if (count.per_call) fuzz::accepted();
}
