// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/blas_calls.hpp"

#ifdef TORCHGATE_WITH_CUDA
#include <ATen/cuda/tunable/Tunable.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <dlfcn.h>
#endif

#include <atomic>
#include <string_view>

#include "harness/bench/skip.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites {

#ifdef TORCHGATE_WITH_CUDA

namespace {

// The libraries' callbacks are plain function pointers, so their counters have to be global.
std::atomic<std::int64_t> cublas_products{0};
std::atomic<std::int64_t> cublaslt_products{0};

// "I! cuBLAS (v13.2) function cublasStatus_t cublasGemmEx(cublasHandle_t, ...) called:", and lines with the arguments.
void on_cublas_message(const char* message) {
  constexpr std::string_view before_name = "cublasStatus_t cublas";
  const std::string_view text = message == nullptr ? "" : message;
  const auto at = text.find(before_name);
  if (at == std::string_view::npos) return;
  const std::string_view rest = text.substr(at + before_name.size());
  // Gemm, gemm, with a letter for the element type before it and the kind of batch after it.
  if (rest.substr(0, rest.find('(')).find("emm") != std::string_view::npos) ++cublas_products;
}

// The name of the function: "cublasLtMatmul".
void on_cublaslt_message(int /*level*/, const char* function, const char* /*message*/) {
  if (function != nullptr && std::string_view(function).ends_with("Matmul")) ++cublaslt_products;
}

// Not linked by us: LibTorch brings the libraries, which are then in the scope of every symbol.
template <class Function>
Function* find(const char* name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  if (found == nullptr) throw bench::Skip("this LibTorch is built without a shared cuBLAS");
  return found;
}

// Both logs go to the callbacks alone as long as it exists.
class Logs {
 public:
  Logs() {
    constexpr int calls_that_compute = 2;  // cuBLASLt's level "Trace"
    (void)find<decltype(cublasSetLoggerCallback)>("cublasSetLoggerCallback")(&on_cublas_message);
    (void)configure_cublas_(/*logIsOn=*/1, /*logToStdOut=*/0, /*logToStdErr=*/0, /*logFileName=*/nullptr);
    (void)find<decltype(cublasLtLoggerSetCallback)>("cublasLtLoggerSetCallback")(&on_cublaslt_message);
    // Without a file the log is also on the standard output.
    (void)find<decltype(cublasLtLoggerOpenFile)>("cublasLtLoggerOpenFile")("/dev/null");
    (void)set_level_of_cublaslt_(calls_that_compute);
  }
  ~Logs() {
    (void)configure_cublas_(0, 0, 0, nullptr);
    (void)set_level_of_cublaslt_(0);
  }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;

 private:
  decltype(&cublasLoggerConfigure) configure_cublas_ = find<decltype(cublasLoggerConfigure)>("cublasLoggerConfigure");
  decltype(&cublasLtLoggerSetLevel) set_level_of_cublaslt_ =
      find<decltype(cublasLtLoggerSetLevel)>("cublasLtLoggerSetLevel");
};

}  // namespace

BlasCalls blas_calls(const std::function<void()>& work) {
  const Logs logs;
  cublas_products = 0;
  cublaslt_products = 0;
  work();
  return {cublas_products, cublaslt_products};
}

void keep_choices_of_tunable_op(const std::string& path) {
  at::cuda::tunable::getTuningContext()->SetFilename(path);
}

#else

BlasCalls blas_calls(const std::function<void()>& /*work*/) {
  TORCH_CHECK(false, built_without_cuda);
}

void keep_choices_of_tunable_op(const std::string& /*path*/) {
  TORCH_CHECK(false, built_without_cuda);
}

#endif

}  // namespace torchgate::suites
