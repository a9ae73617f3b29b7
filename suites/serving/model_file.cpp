// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/model_file.hpp"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/torch.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

#include "suites/common/temporary_folder.hpp"
#include "suites/models/script.hpp"

namespace torchgate::suites::serving {
namespace {

// The weights are transposed beforehand. The C++ layers do it in each call: aten::t tells the two apart.
torch::jit::Module script_of(const Mlp& network) {
  ScriptModule module("Network");
  std::string source = "def forward(self, x):\n";
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const std::string number = std::to_string(i);
    const torch::nn::Linear& layer = network.layers[i];
    module.add("weight_" + number, layer->weight.t().contiguous());
    module.add("bias_" + number, layer->bias);
    if (i > 0) source += "    x = torch.relu(x)\n";
    source += "    x = torch.addmm(self.bias_" + number + ", x, self.weight_" + number + ")\n";
  }
  return module.defined_by(source + "    return x\n");
}

torch::jit::Module written_and_read(const torch::jit::Module& script) {
  TemporaryFolder folder;
  const std::string path = folder.add("network.pt");
  write_file(path, [&](std::ostream& file) { script.save(file); });
  return torch::jit::load(path);
}

}  // namespace

ModelServer::Model model_from_file(Mlp network) {
  torch::jit::Module loaded = written_and_read(torch::jit::freeze(script_of(network)));
  const torch::Tensor probe = torch::ones({1, features});
  constexpr double relative = 1e-4;  // the sums of a product have another order
  constexpr double absolute = 1e-5;
  TORCH_CHECK(torch::allclose(loaded.forward({probe}).toTensor(), network(probe), relative, absolute),
              "the network in the file is another one");
  return served(
      [loaded = std::move(loaded)](const torch::Tensor& rows) mutable { return loaded.forward({rows}).toTensor(); });
}

}  // namespace torchgate::suites::serving
