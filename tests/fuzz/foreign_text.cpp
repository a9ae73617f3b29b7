// SPDX-License-Identifier: Apache-2.0
// Text of Go's benchmarks, Catch2 (XML and console) and Google Benchmark's CSV: by each reader, whatever it is.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "harness/base/utf8_text.hpp"
#include "harness/import/catch2_console.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/go_text.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "harness/import/unknown_file.hpp"
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

std::string through(const base::TextSource& source) {
  std::string all;
  for (std::string space(53, '\0');;) {
    const auto count = source(std::span(space));
    if (!count || *count == 0) return all;
    all += space.substr(0, *count);
  }
}

}  // namespace

TORCHGATE_FUZZ_TARGET(foreign_text) {
  const std::string whole = base::utf8_of(std::string(input));
  fuzz::require(through(base::utf8_of(lines_in_pieces(input))) == whole,
                "an encoding is read alike whole and in pieces");
  const std::string_view head = std::string_view(whole).substr(0, import::head_bytes);
  if (import::format_of(head) == nullptr)
    fuzz::require(!import::unknown_file("input", head).message.empty(), "what is unknown has a message");
  input = whole;
  fuzz::require_storable(import::read_go_text(lines_in_pieces(input), "input"));
  fuzz::require_storable(import::read_catch2_xml(input, "input"));
  fuzz::require_storable(import::read_catch2_console(input, "input"));
  fuzz::require_storable(import::read_google_benchmark_csv(input, "input"));
}
