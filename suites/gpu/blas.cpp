// SPDX-License-Identifier: Apache-2.0
// Which library multiplies two matrices: cuBLAS, cuBLASLt, or what TunableOp has measured to be the fastest.
#include <ATen/Context.h>

#include <fstream>
#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/gpu/blas_calls.hpp"
#include "suites/gpu/operands.hpp"

namespace torchgate::suites::blas {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// A file of this process. The reference's own process has no such variable; where `tunable` alone is started by hand (--torchgate_case), the
// reference is computed in its process, and tuned too.
const std::string& choices_of_tunable_op() {
  static TemporaryFolder folder;
  static const std::string path = [] {
    std::string added = folder.add("choices.csv");
    keep_choices_of_tunable_op(added);
    return added;
  }();
  return path;
}

// "GemmTunableOp_BFloat16_NN,nn_2048_2048_2048_...,Default,0.03" for each product, after lines about versions.
std::int64_t products_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t products = 0;
  for (std::string line; std::getline(file, line);) products += line.starts_with("GemmTunableOp") ? 1 : 0;
  return products;
}

// Without a bias: LibTorch gives a product with one to cuBLASLt, whichever library is preferred.
auto product(const Args& args) {
  (void)choices_of_tunable_op();
  Factors factors(args);
  factors.to(torch::kBFloat16);
  return [factors] { return torch::mm(factors.left, factors.right); };
}

// What the libraries log is counted when the case is built, so that its calls are not slowed down by it.
Timed by_library(const Args& args, at::BlasBackend backend) {
  at::globalContext().setBlasPreferredBackend(backend);
  const auto multiply = product(args);
  (void)multiply();  // not in the log: what the first product of a process does beside itself
  const BlasCalls made = blas_calls([&] { (void)multiply(); });
  return [multiply, made](Recorder& recorder) {
    Tensor result = multiply();
    recorder.put("cublas_products", static_cast<double>(made.cublas));
    recorder.put("cublaslt_products", static_cast<double>(made.cublaslt));
    return result;
  };
}

Timed cublas(const Args& args) {
  return by_library(args, at::BlasBackend::Cublas);
}

Timed cublaslt(const Args& args) {
  return by_library(args, at::BlasBackend::Cublaslt);
}

Timed tunable(const Args& args) {
  const auto multiply = product(args);
  (void)multiply();  // measures the candidates, if no product like it has been measured
  return [multiply, products = products_in(choices_of_tunable_op())](Recorder& recorder) {
    Tensor result = multiply();
    recorder.put("tuned_products", static_cast<double>(products));
    return result;
  };
}

constexpr double bf16_error = 1e-2;

// What is chosen may differ from process to process, and with it the last bits: the error is not a metric.
std::optional<std::string> equal_but_for_rounding(const Output& expected, const Output& found) {
  if (compare(expected, found, within(bf16_error), "cublas").within) return std::nullopt;
  return "the product differs by more than rounding errors of BF16";
}

TORCHGATE_GROUP("blas") {
  group.axis("device", {"cuda"});
  group.reference("cublas", cublas)
      .measures(count("cublas_products"))
      .measures(count("cublaslt_products"))
      .proves(metric("cublas_products") >= 1);
  group.variant("cublaslt", cublaslt)
      .within(bf16_error)
      .measures(count("cublas_products"))
      .measures(count("cublaslt_products"))
      .proves(metric("cublas_products") == 0)
      .proves(metric("cublaslt_products") >= 1);
  group.variant("tunable", tunable)
      .quick(none)
      .checks(equal_but_for_rounding)
      .environment("PYTORCH_TUNABLEOP_ENABLED", "1")
      .measures(count("tuned_products"))
      .proves(metric("tuned_products") == 1)
      .claims(time() <= 1.1 * reference());
}

}  // namespace
}  // namespace torchgate::suites::blas
