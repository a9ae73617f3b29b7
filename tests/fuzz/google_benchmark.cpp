// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's JSON, in pieces of an odd size, and the run that is made of one file or two.
#include "harness/import/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/import/formats.hpp"
#include "harness/import/programs.hpp"
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
  std::vector<std::vector<import::ImportedProcess>> files;
  for (const std::string_view part : fuzz::parts_of(input, 2)) {
    auto process = import::read_google_benchmark(in_pieces(part), "input");
    if (!process) return fuzz::require(!process.error().message.empty(), "an error has a message");
    process->file_changed = "2026-01-01T00:00:00.000Z";
    files.push_back({*std::move(process)});
  }
  auto run = import::run_of_processes(files, "0.1.0");
  if (!run) return;
  fuzz::accepted();
  std::set<std::string> names;
  for (const record::Case& each : run->cases)
    fuzz::require(names.insert(each.name).second, "a run has each name once: " + each.name);
  if (auto first = import::run_of_processes({files.front()}, "0.1.0")) {
    import::align_names(std::array{&*run, &*first});
    names.clear();
    for (const record::Case& each : run->cases)
      fuzz::require(names.insert(each.name).second, "a compared run has each name once: " + each.name);
  }
  const auto again = record::run_from_json(record::to_json(*run), "written back");
  fuzz::require(again.ok(), "an imported run can be stored: " + (again ? "" : again.error().message));
}
