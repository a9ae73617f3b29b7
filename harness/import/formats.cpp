// SPDX-License-Identifier: Apache-2.0
#include "harness/import/formats.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/base/atomic_file.hpp"
#include "harness/import/action_benchmark.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/catch2_console.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/go_text.hpp"
#include "harness/import/google_benchmark.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "harness/import/hyperfine.hpp"
#include "harness/import/nvbench.hpp"
#include "harness/import/pyperf.hpp"
#include "harness/import/pytest_benchmark.hpp"

namespace torchgate::import {
namespace {

using Processes = base::Result<std::vector<ImportedProcess>>;
namespace fs = std::filesystem;

// A reader of a whole text, as one of a file.
template <Processes (*Read)(std::string_view, const std::string&)>
Processes whole_file(const fs::path& path) {
  const auto text = base::read_file(path, most_file_bytes);
  return text ? Read(*text, path.string()) : Processes(text.error());
}

Processes read_nvbench_file(const fs::path& path) {
  const auto text = base::read_file(path, most_file_bytes);
  return text ? read_nvbench(*text, path.string(), path.parent_path()) : Processes(text.error());
}

}  // namespace

std::span<const Format> formats() {
  static constexpr std::array table{
      Format{"Google Benchmark JSON", &is_google_benchmark, &read_google_benchmark_file},
      Format{"Google Benchmark CSV", &is_google_benchmark_csv, &whole_file<&read_google_benchmark_csv>},
      Format{"NVBench JSON", &is_nvbench, &read_nvbench_file},
      Format{"pytest-benchmark JSON", &is_pytest_benchmark, &whole_file<&read_pytest_benchmark>},
      Format{"pyperf JSON", &is_pyperf, &whole_file<&read_pyperf>},
      Format{"hyperfine JSON", &is_hyperfine, &whole_file<&read_hyperfine>},
      Format{"Catch2 XML", &is_catch2_xml, &whole_file<&read_catch2_xml>},
      Format{"Catch2 console output", &is_catch2_console, &whole_file<&read_catch2_console>},
      Format{"Criterion JSON or folder", &is_criterion, &read_criterion},
      Format{"github-action-benchmark data", &is_action_benchmark, &whole_file<&read_action_benchmark>},
      Format{"Go benchmark text", &is_go_text, &read_go_file},
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
