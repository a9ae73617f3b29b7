// SPDX-License-Identifier: Apache-2.0
#include "harness/import/formats.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/import/action_benchmark.hpp"
#include "harness/import/catch2_console.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/go_text.hpp"
#include "harness/import/google_benchmark.hpp"
#include "harness/import/google_benchmark_csv.hpp"
#include "harness/import/hyperfine.hpp"
#include "harness/import/input_text.hpp"
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
  const auto text = text_in(path);
  return text ? Read(*text, path.string()) : Processes(text.error());
}

Processes read_nvbench_file(const fs::path& path) {
  const auto text = text_in(path);
  return text ? read_nvbench(*text, path.string(), path.parent_path()) : Processes(text.error());
}

}  // namespace

std::span<const Format> formats() {
  static constexpr std::array table{
      Format{"Google Benchmark JSON",
             "--benchmark_out=FILE --benchmark_out_format=json",
             &is_google_benchmark,
             &read_google_benchmark_file,
             {"`run_name` without how it was run", "`context.executable`",
              "`family_index`, `per_family_instance_index`; before version 1.6 nothing"}},
      Format{"Google Benchmark CSV",
             "",
             &is_google_benchmark_csv,
             &whole_file<&read_google_benchmark_csv>,
             {"`name` without how it was run", "the line `Running PROGRAM`, if it is there", "nothing"}},
      Format{"NVBench JSON",
             "--json FILE",
             &is_nvbench,
             &read_nvbench_file,
             {"benchmark and state", "`meta.argv`", "their order"}},
      Format{"pytest-benchmark JSON",
             "--benchmark-json=FILE",
             &is_pytest_benchmark,
             &whole_file<&read_pytest_benchmark>,
             {"`fullname`, else `name`", "`commit_info.project`", "their order"}},
      Format{"pyperf JSON",
             "-o FILE",
             &is_pyperf,
             &whole_file<&read_pyperf>,
             {"`name`", "`timeit_stmt` or `command`", "an error: one file has each name once"}},
      Format{"hyperfine JSON",
             "--export-json FILE",
             &is_hyperfine,
             &whole_file<&read_hyperfine>,
             {"`command`", "the command itself", "their order"}},
      Format{"Catch2 XML",
             "",
             &is_catch2_xml,
             &whole_file<&read_catch2_xml>,
             {"test case, sections, benchmark", "`name` of the outermost tag", "their order"}},
      Format{"Catch2 console output",
             "",
             &is_catch2_console,
             &whole_file<&read_catch2_console>,
             {"test case, sections, benchmark", "the line `PROGRAM is a Catch ... host application.`", "their order"}},
      Format{"Criterion JSON or folder",
             "",
             &is_criterion,
             &read_criterion,
             {"`full_id`, else the folders below `criterion`", "nothing", "their order"}},
      Format{"github-action-benchmark data",
             "",
             &is_action_benchmark,
             &whole_file<&read_action_benchmark>,
             {"suite and name", "nothing", "their order"}},
      Format{"Go benchmark text",
             "",
             &is_go_text,
             &read_go_file,
             {"package and name with GOMAXPROCS", "`pkg`", "lines of one name are samples of one benchmark"}},
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
