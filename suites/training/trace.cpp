// SPDX-License-Identifier: Apache-2.0
// What a recording of LibTorch's profiler (Kineto) can hold beside operators and their times: the lines of the script that call them, the modules that they
// belong to, and a trace file as chrome://tracing and Perfetto read it.
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/interpreter.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/training/kineto.hpp"

namespace torchgate::suites::trace {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::cannot_write;
using torchgate::suites::Inputs;
using torchgate::suites::runs_until_rewritten;
using torchgate::suites::start_recording;
using torchgate::suites::TemporaryFolder;
namespace profiler = torch::autograd::profiler;

constexpr std::int64_t width = 128;
constexpr std::int64_t rows = 32;
constexpr std::int64_t layers = 2;

enum class Holds { operators, stacks, modules, file };

torch::jit::Module layer(const std::string& type, Inputs& inputs) {
  constexpr double weight_size = 0.1;
  torch::jit::Module module(type);
  module.register_parameter("weight", inputs.normal({width, width}) * weight_size, /*is_buffer=*/false);
  module.register_parameter("bias", inputs.normal({width}), /*is_buffer=*/false);
  module.define(R"(
    def forward(self, x):
      return torch.mm(x, self.weight) + self.bias
  )");
  return module;
}

torch::jit::Module network(Inputs& inputs) {
  torch::jit::Module module("Network");
  module.register_module("first", layer("First", inputs));
  module.register_module("second", layer("Second", inputs));
  module.define(R"(
    def forward(self, x):
      return self.second.forward(torch.relu(self.first.forward(x)))
  )");
  return module;
}

/// What the file that RECORDING is saved in says. Kineto only prints that it cannot write it.
std::string saved(profiler::ProfilerResult& recording) {
  TemporaryFolder folder;
  const std::string path = folder.add("trace.json");
  recording.save(path);
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string trace = text.str();
  const std::size_t end = trace.find_last_not_of(" \n");
  if (end == std::string::npos || trace[end] != '}') throw std::runtime_error(cannot_write(path));
  return trace;
}

/// How often that file names the product.
double products_in_file(profiler::ProfilerResult& recording) {
  const std::string trace = saved(recording);
  const std::string name = "\"aten::mm\"";
  double found = 0;
  for (auto at = trace.find(name); at != std::string::npos; at = trace.find(name, at + name.size())) found += 1;
  return found;
}

/// Products of which the recording says what HOLDS asks for.
double products_with(Holds holds, profiler::ProfilerResult& recording) {
  if (holds == Holds::file) return products_in_file(recording);
  const auto& events = recording.events();
  return static_cast<double>(std::count_if(events.begin(), events.end(), [&](const profiler::KinetoEvent& event) {
    if (event.name() != "aten::mm") return false;
    return holds == Holds::operators || (holds == Holds::stacks ? event.hasStack() : event.hasModuleHierarchy());
  }));
}

Factory recorded(Holds holds) {
  return [holds](const Args& args) -> Timed {
    Inputs inputs(args);
    torch::jit::Module module = network(inputs);
    const Tensor x = inputs.normal({rows, width});
    for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({x});
    return [holds, module, x](Recorder& recorder) mutable {
      start_recording(holds == Holds::stacks, /*with_flops=*/false, holds == Holds::modules);
      Tensor y = module.forward({x}).toTensor();
      const auto recording = profiler::disableProfiler();
      recorder.put("products", products_with(holds, *recording));
      return y;
    };
  };
}

TORCHGATE_GROUP("trace") {
  group.only_full().measures(count("products"));
  group.reference("operators", recorded(Holds::operators)).proves(metric("products") == layers);
  group.variant("stacks", recorded(Holds::stacks)).proves(metric("products") == layers);
  group.variant("modules", recorded(Holds::modules)).proves(metric("products") == layers);
  group.variant("file", recorded(Holds::file))
      .proves(metric("products") == layers)
      .claims(time() >= 1.05 * reference());  // it writes a file
}

}  // namespace
}  // namespace torchgate::suites::trace
