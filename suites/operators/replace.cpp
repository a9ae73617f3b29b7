// SPDX-License-Identifier: Apache-2.0
// Replacing operators: the same result from one product instead of many, from one operator instead of two, from a value
// that is kept instead of computed again, from one set of weights instead of two.
#include <functional>
#include <set>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::replace {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

struct Work {
  std::function<std::vector<Tensor>()> call;
  std::vector<Tensor> parameters;
};

/// Bytes of all parameters; a tensor that is registered twice counts once.
double bytes_of(const std::vector<Tensor>& parameters) {
  std::set<const void*> seen;
  double bytes = 0;
  for (const Tensor& parameter : parameters) {
    if (seen.insert(parameter.data_ptr()).second) bytes += static_cast<double>(parameter.nbytes());
  }
  return bytes;
}

// --- bmm: small products, one call each or one call for all ---------------------------------------------------------------

Work products(const Args& args, bool replaced) {
  constexpr std::int64_t products = 64;
  constexpr std::int64_t size = 16;
  Inputs inputs(args);
  const Tensor left = inputs.normal({products, size, size});
  const Tensor right = inputs.normal({products, size, size});
  if (replaced) return {[=] { return std::vector{torch::bmm(left, right)}; }, {right}};
  return {[=] {
            std::vector<Tensor> results;
            for (std::int64_t i = 0; i < left.size(0); ++i) results.push_back(torch::mm(left[i], right[i]));
            return std::vector{torch::stack(results)};
          },
          {right}};
}

// --- addmm: a product and its bias ----------------------------------------------------------------------------------------

Work product_and_bias(const Args& args, bool replaced) {
  constexpr std::int64_t rows = 256;
  constexpr std::int64_t width = 128;
  Inputs inputs(args);
  const Tensor x = inputs.normal({rows, width});
  const Tensor weight = inputs.normal({width, width});
  const Tensor bias = inputs.normal({width});
  if (replaced) return {[=] { return std::vector{torch::addmm(bias, x, weight)}; }, {weight, bias}};
  return {[=] { return std::vector{torch::mm(x, weight) + bias}; }, {weight, bias}};
}

// --- recompute: two results of the same features --------------------------------------------------------------------------

Work two_heads(const Args& args, bool replaced) {
  constexpr std::int64_t rows = 64;
  constexpr std::int64_t width = 256;
  Inputs inputs(args);
  const Tensor x = inputs.normal({rows, width});
  const Tensor weight = inputs.normal({width, width});
  const auto features = [=] { return torch::relu(torch::mm(x, weight)); };
  const auto mean_and_largest = [](const Tensor& of_mean, const Tensor& of_largest) {
    return std::vector{of_mean.mean(0), of_largest.amax(0)};
  };
  if (replaced) {
    return {[=] {
              const Tensor kept = features();
              return mean_and_largest(kept, kept);
            },
            {weight}};
  }
  return {[=] { return mean_and_largest(features(), features()); }, {weight}};
}

// --- shared: two towers, each with an encoder of its own or both with the same one ----------------------------------------

Work two_towers(const Args& args, bool replaced) {
  constexpr std::int64_t rows = 32;
  constexpr std::int64_t width = 128;
  const Mlp encoder({width, width, width}, args);
  Mlp other = encoder;  // handles of the same modules
  if (!replaced) {
    // What Module::clone() does: it copies the parameters, and ends the sharing.
    for (auto& layer : other.layers)
      layer = torch::nn::Linear(std::dynamic_pointer_cast<torch::nn::LinearImpl>(layer->clone()));
  }
  std::vector<Tensor> parameters;
  for (const Mlp& each : {encoder, other}) {
    const std::vector<Tensor> of_one = each.parameters();
    parameters.insert(parameters.end(), of_one.begin(), of_one.end());
  }
  Inputs inputs(args);
  const Tensor query = inputs.normal({rows, width});
  const Tensor document = inputs.normal({rows, width});
  return {[=]() mutable {
            Mlp of_query = encoder;
            return std::vector{of_query(query), other(document)};
          },
          parameters};
}

Factory work(bool replaced) {
  return [replaced](const Args& args) -> Timed {
    const std::string op = args.text("op");
    const auto make = op == "bmm"         ? products
                      : op == "addmm"     ? product_and_bias
                      : op == "recompute" ? two_heads
                                          : two_towers;
    Work work = make(args, replaced);
    return [call = std::move(work.call), bytes = bytes_of(work.parameters)](Recorder& recorder) {
      recorder.put("parameter_bytes", bytes);
      return call();
    };
  };
}

TORCHGATE_GROUP("replace") {
  const Axis op = group.axis("op", {"bmm", "addmm", "recompute", "shared"});
  group.devices().quick(op("bmm", "shared")).measures(bytes("parameter_bytes")).gates("parameter_bytes");

  group.reference("as_written", work(false));
  group.variant("replaced", work(true))
      .proves(calls("aten::bmm") == 1, op("bmm"))
      .proves(calls("aten::mm") == 0, op("bmm"))
      .claims(time() <= 0.3 * reference(), where(cpu, op("bmm")))
      .proves(calls("aten::addmm") == 1, op("addmm"))
      .proves(calls("aten::add") == 0, op("addmm"))
      .claims(metric("allocated_bytes") <= 0.6 * reference(), where(cpu, op("addmm")))
      .proves(calls("aten::mm") == 1, op("recompute"))
      .claims(time() <= 0.7 * reference(), where(cpu, op("recompute")))
      .proves(calls("aten::addmm") == 4, op("shared"))
      .claims(metric("parameter_bytes") <= 0.6 * reference(), where(cpu, op("shared")));
}

}  // namespace
}  // namespace torchgate::suites::replace
