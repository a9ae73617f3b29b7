// SPDX-License-Identifier: Apache-2.0
// Instructions of a call that has next to nothing to do: what LibTorch's dispatcher executes. Callgrind counts them in another process of
// this program; a count is the same on a busy machine, and tells a change of 1 %, which no time of 300 ns does.
#include <valgrind/callgrind.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/temporary_folder.hpp"

namespace torchgate::suites::instructions {
namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;
using torchgate::suites::TemporaryFolder;

constexpr int calls_counted = 1000;
// A call of the dispatcher is hundreds of instructions: fewer, and something else was counted.
constexpr int fewest_per_call = 50;

std::optional<std::string> callgrind_here() {
  if (std::filesystem::exists("/usr/bin/valgrind")) return std::nullopt;
  return "valgrind is not installed (Debian: valgrind)";
}

// One call of the operator, inlined into the loop that is counted.
template <class Call>
void count_calls(const Call& call) {
  constexpr int warm_up = 100;
  for (int i = 0; i < warm_up; ++i) call();
  CALLGRIND_START_INSTRUMENTATION;
  for (int i = 0; i < calls_counted; ++i) call();
  CALLGRIND_STOP_INSTRUMENTATION;
}

void count_operator(const Args& args) {
  Inputs inputs(args);
  torch::Tensor x = inputs.normal({1});
  const torch::Tensor y = inputs.normal({1});
  const std::string op = args.text("op");
  if (op == "add_") count_calls([&] { x.add_(y); });
  if (op == "view") count_calls([&] { (void)x.view({1, 1}); });
  if (op == "empty") count_calls([&] { (void)torch::empty({1}); });
}

double instructions_in(const std::string& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    // "summary:" at the top is 0 where instrumentation was off at the end.
    if (line.starts_with("totals: ")) return std::strtod(line.c_str() + 8, nullptr);
  }
  throw std::runtime_error("callgrind counted nothing: " + file + " has no totals");
}

// In the process under Callgrind the factory counts, and that is all.
Timed counted(const Args& args) {
  if (RUNNING_ON_VALGRIND) {
    count_operator(args);
    throw Skip("counted");
  }
  TemporaryFolder folder;
  const std::string counts = folder.add("callgrind.out");
  const std::string report = folder.add("report.json");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  // Valgrind knows no AVX-512: both libraries choose their kernels by these variables.
  const std::string command =
      "ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2 valgrind --tool=callgrind "
      "--instr-atstart=no --quiet --callgrind-out-file='" +
      counts + "' '" + program +
      "' --torchgate_group=operators/instructions --torchgate_case=operators/instructions/call/op:" + args.text("op") +
      " --torchgate_profile=full '--torchgate_out=" + report + "' 1>&2";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("valgrind failed; its message is above");
  return [instructions = instructions_in(counts)](Recorder& recorder) {
    recorder.put("instructions", instructions);
    return instructions;
  };
}

TORCHGATE_GROUP("instructions") {
  const Axis op = group.axis("op", {"add_", "view", "empty"});
  group.only_full().needs("callgrind", callgrind_here).measures(count("instructions")).gates("instructions");

  group.sweep("call", counted)
      .proves(metric("instructions") >= calls_counted * fewest_per_call)
      // No kernel and no new memory: a view is what the dispatcher itself costs.
      .claims(metric("instructions") <= 1.0 * case_with(op("add_")), op("view", "empty"));
}

}  // namespace
}  // namespace torchgate::suites::instructions
