// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's JSON, in pieces of an odd size, and the run that is made of it.
#include "harness/import/google_benchmark.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "harness/import/formats.hpp"
#include "harness/import/run_of_processes.hpp"
#include "harness/record/codec.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

base::TextSource in_pieces(std::string_view text) {
  constexpr std::size_t piece = 977;
  return [text](std::span<char> space) mutable -> base::Result<std::size_t> {
    const std::size_t taken = std::min({text.size(), space.size(), piece});
    std::memcpy(space.data(), text.data(), taken);
    text.remove_prefix(taken);
    return taken;
  };
}

}  // namespace

TORCHGATE_FUZZ_TARGET(google_benchmark) {
  (void)import::format_of(input.substr(0, import::head_bytes));
  auto process = import::read_google_benchmark(in_pieces(input), "input");
  if (!process) return fuzz::require(!process.error().message.empty(), "an error has a message");
  process->file_changed = "2026-01-01T00:00:00.000Z";
  const auto run = import::run_of_processes({{*std::move(process)}}, "0.1.0");
  if (!run) return;
  fuzz::accepted();
  const auto again = record::run_from_json(record::to_json(*run), "written back");
  fuzz::require(again.ok(), "an imported run can be stored: " + (again ? "" : again.error().message));
}
