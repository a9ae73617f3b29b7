// SPDX-License-Identifier: Apache-2.0
#include "harness/import/formats.hpp"

#include <algorithm>
#include <array>

#include "harness/import/google_benchmark.hpp"

namespace torchgate::import {

std::span<const Format> formats() {
  static constexpr std::array table{
      Format{"Google Benchmark JSON", &is_google_benchmark, &read_google_benchmark_file},
  };
  return table;
}

const Format* format_of(std::string_view head) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& format) { return format.recognises(head); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace torchgate::import
