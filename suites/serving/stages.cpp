// SPDX-License-Identifier: Apache-2.0
// ResNet-18 from the file of its weights to a batch in INT8, stage by stage: each has the ones before it, and is compared with the one before. The
// policy limits time and memory of the last one: `budget = { time = "100 ms", peak_bytes = "4 GB" }` (ci/policy/README.md).
#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/models/resnet18.hpp"
#include "suites/models/script.hpp"

namespace torchgate::suites::stages {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t images_per_call = 2;
constexpr auto planes = torch::MemoryFormat::Contiguous;
constexpr auto pixels = torch::MemoryFormat::ChannelsLast;

/// Random images, in requests of so many.
std::vector<Tensor> requests_of(const Args& args, torch::MemoryFormat format, std::int64_t images_per_request = 1) {
  return Inputs(args)
      .normal({images_per_call, ResNet18::channels, ResNet18::size, ResNet18::size})
      .contiguous(format)
      .split(images_per_request);
}

// --- networks -----------------------------------------------------------------------------------------------------------

// A file is what a server starts with: the weights are written, and every tensor is replaced with what was read.
ResNet18 from_file() {
  ResNet18 network;
  const std::vector<Tensor> weights = network.tensors();
  TemporaryFolder folder;
  const std::string path = folder.add("resnet18.pt");
  write_file(path, [&](std::ostream& file) { torch::save(weights, file); });
  std::vector<Tensor> stored;
  torch::load(stored, path);
  TORCH_CHECK(stored.size() == weights.size(), "the file has another number of tensors");
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].set_data(stored[i]);
  return network;
}

ResNet18 with_folded_norms() {
  ResNet18 network = from_file();
  network.fold();
  return network;
}

ResNet18 with_channels_last() {
  ResNet18 network = with_folded_norms();
  network.to(torch::kFloat, pixels);
  return network;
}

// --- stages -------------------------------------------------------------------------------------------------------------

struct Stage {
  std::function<Tensor(const Tensor&)> answers;  ///< of the images of a request
  std::int64_t parameter_bytes = 0;
};

std::int64_t bytes_of(ResNet18& network) {
  std::int64_t sum = 0;
  for (const Tensor& tensor : network.tensors()) sum += static_cast<std::int64_t>(tensor.nbytes());
  return sum;
}

Stage eager(ResNet18 network) {
  const std::int64_t bytes = bytes_of(network);
  return {[network = std::move(network)](const Tensor& images) mutable { return network(images); }, bytes};
}

Stage quantized() {
  constexpr std::int64_t calibration_images = 2;  // not those that are measured
  use_quantized_engine("X86");
  const ResNet18 network = with_channels_last();
  const Tensor seen = torch::randn({calibration_images, ResNet18::channels, ResNet18::size, ResNet18::size});
  const QuantizedResNet18 packed(network, seen.contiguous(pixels));
  return {[packed](const Tensor& images) { return packed(images); }, packed.parameter_bytes()};
}

Timed calls_of(Stage stage, std::vector<Tensor> requests) {
  return [stage = std::move(stage), requests = std::move(requests)](Recorder& recorder) {
    std::vector<Tensor> all;
    for (const Tensor& images : requests) all.push_back(stage.answers(images));
    recorder.put("parameter_bytes", static_cast<double>(stage.parameter_bytes));
    return torch::cat(all);
  };
}

Timed loaded(const Args& args) {
  return calls_of(eager(from_file()), requests_of(args, planes));
}

Timed folded(const Args& args) {
  return calls_of(eager(with_folded_norms()), requests_of(args, planes));
}

Timed channels_last(const Args& args) {
  ResNet18 network = with_channels_last();
  const std::vector<Tensor> requests = requests_of(args, pixels);
  // The comparison of outputs ignores the format.
  if (!network.features(requests.front()).is_contiguous(pixels))
    throw std::logic_error("a layer puts out another memory format than it was given");
  return calls_of(eager(network), requests);
}

// In planes: the layers of oneDNN have a layout of their own, and of images whose channels come last each call took 1.9 times as long.
Timed frozen(const Args& args) {
  ResNet18 network = with_folded_norms();
  const std::int64_t bytes = bytes_of(network);  // constants of the program from here on
  const std::vector<Tensor> requests = requests_of(args, planes);
  torch::jit::Module script = network.script();
  return calls_of({ScriptCalls(torch::jit::optimize_for_inference(script), {requests.front()}), bytes}, requests);
}

Timed int8(const Args& args) {
  return calls_of(quantized(), requests_of(args, pixels));
}

Timed batched(const Args& args) {
  return calls_of(quantized(), requests_of(args, pixels, images_per_call));
}

// Of one image: 20 convolutions, 9 of which have nothing but ReLU behind them; 8 residuals are added.
constexpr std::int64_t convolutions = 20;
constexpr std::int64_t with_relu = 9;
constexpr std::int64_t additions = 8;

constexpr double fp32_error = 1e-5;
constexpr double int8_error = 1e-1;  // errors add up over 20 layers; activations of 7 bits without VNNI

// Calls take 10 to 100 ms: few samples are enough.
TORCHGATE_GROUP("stages") {
  const OnlyWith with_vnni{"avx512_vnni"};
  group.items([](const Args&) { return static_cast<double>(images_per_call); })
      .samples(5)
      .only_full()
      .measures(bytes("parameter_bytes"))
      .gates("parameter_bytes");

  group.reference("loaded", loaded).proves(calls("aten::batch_norm") == convolutions * images_per_call);
  group.variant("folded", folded)
      .within(fp32_error)
      .proves(calls("aten::batch_norm") == 0)
      .proves(calls("aten::conv2d") == convolutions * images_per_call)
      .claims(metric("operator_calls") <= 0.75 * reference())
      .claims(metric("allocated_bytes") <= 0.95 * reference());
  group.variant("channels_last", channels_last)
      .within(fp32_error)
      .proves(calls("aten::conv2d") == convolutions * images_per_call)
      .claims(metric("allocated_bytes") <= 0.9 * variant_named("folded"));
  group.variant("frozen", frozen)
      .within(fp32_error)
      .proves(calls("aten::conv2d") == 0)
      .claims(metric("operator_calls") <= 0.5 * variant_named("channels_last"));
  group.variant("int8", int8)
      .within(int8_error)
      .needs("qengine:X86")
      .proves(calls("quantized::conv2d_relu") == with_relu * images_per_call)
      .proves(calls("quantized::conv2d") == (convolutions - with_relu) * images_per_call)
      .proves(calls("quantized::add_relu") == additions * images_per_call)
      .claims(metric("parameter_bytes") <= 0.3 * variant_named("frozen"))
      .claims(metric("peak_bytes") <= 0.4 * variant_named("frozen"), {}, with_vnni)
      .claims(time() <= 0.5 * variant_named("frozen"), {}, with_vnni);
  group.variant("batched", batched)
      .within(int8_error)
      .needs("qengine:X86")
      .proves(calls("quantized::conv2d_relu") == with_relu)
      .claims(metric("operator_calls") <= 0.6 * variant_named("int8"))
      .claims(metric("allocations") <= 0.6 * variant_named("int8"))
      .claims(metric("operator_calls") <= 0.5 * reference())
      .claims(time() <= 0.5 * reference(), {}, with_vnni);
}

}  // namespace
}  // namespace torchgate::suites::stages
