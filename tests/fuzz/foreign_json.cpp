// SPDX-License-Identifier: Apache-2.0
// JSON of NVBench, pytest-benchmark, pyperf, hyperfine, Criterion, github-action-benchmark: by each reader, whatever it is.
#include <tuple>
#include <utility>

#include "harness/import/action_benchmark.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/hyperfine.hpp"
#include "harness/import/nvbench.hpp"
#include "harness/import/pyperf.hpp"
#include "harness/import/pytest_benchmark.hpp"
#include "tests/fuzz/foreign.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(foreign_json) {
  (void)import::format_of(input.substr(0, import::head_bytes));
  fuzz::require_storable(import::read_nvbench(input, "input", "/nonexistent"));
  fuzz::require_storable(import::read_pytest_benchmark(input, "input"));
  fuzz::require_storable(import::read_pyperf(input, "input"));
  fuzz::require_storable(import::read_hyperfine(input, "input"));
  fuzz::require_storable(import::read_action_benchmark(input, "input"));
  for (const auto& [benchmark, estimates, sample] :
       {std::tuple(input, std::string_view("{\"mean\":{\"point_estimate\":1}}"), std::string_view()),
        std::tuple(std::string_view(), input, std::string_view()),
        std::tuple(std::string_view(), std::string_view(), input)}) {
    auto one = import::read_criterion_benchmark(benchmark, estimates, sample, "input", "name");
    if (!one) continue;
    import::ImportedProcess process;
    process.file = "input";
    process.tool = "criterion";
    process.cases.push_back(*std::move(one));
    std::vector<import::ImportedProcess> processes;
    processes.push_back(std::move(process));
    fuzz::require_storable(std::move(processes));
  }
}
