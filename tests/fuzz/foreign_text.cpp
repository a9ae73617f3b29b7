// SPDX-License-Identifier: Apache-2.0
// Text of Go's benchmarks, Catch2 (XML and console) and Google Benchmark's CSV: by each reader, whatever it is.
#include <algorithm>
#include <cstring>
#include <span>

#include "harness/import/catch2_console.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/go_text.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "tests/fuzz/foreign.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

base::TextSource lines_in_pieces(std::string_view text) {
  constexpr std::size_t piece = 61;
  return [text](std::span<char> space) mutable -> base::Result<std::size_t> {
    const std::size_t taken = std::min({text.size(), space.size(), piece});
    std::memcpy(space.data(), text.data(), taken);
    text.remove_prefix(taken);
    return taken;
  };
}

}  // namespace

TORCHGATE_FUZZ_TARGET(foreign_text) {
  (void)import::format_of(input.substr(0, import::head_bytes));
  fuzz::require_storable(import::read_go_text(lines_in_pieces(input), "input"));
  fuzz::require_storable(import::read_catch2_xml(input, "input"));
  fuzz::require_storable(import::read_catch2_console(input, "input"));
  fuzz::require_storable(import::read_google_benchmark_csv(input, "input"));
}
