// SPDX-License-Identifier: Apache-2.0
// LibTorch's global settings, so that a case that changes one does not change how the next case is measured.
#pragma once

#include <functional>
#include <vector>

namespace torchgate::bench {

/// Keeps the settings that LibTorch has when it is constructed:
///
/// - of the process: intra-op threads, default dtype, deterministic algorithms, precision of FP32 work (matmul, cuDNN's
///   TF32, every pair of backend and operation), cuDNN, oneDNN and NNPACK switches, cuBLAS reductions and SM carve-out,
///   backends of attention and their order, linear algebra and BLAS backends, quantization engine, sparse invariants,
///   TorchScript's executor and fusers;
/// - of this thread: gradient, inference and other autograd modes, dispatch keys, autocast (state, dtype, cache), flushing
///   of denormals.
///
/// Not kept: inter-op threads, which LibTorch lets a program set only once; the allocator; the current CUDA device and
/// stream; the modes of other threads (a worker thread that starts while denormals are flushed keeps flushing them).
class LibrarySettings {
 public:
  LibrarySettings();
  /// Sets what has been changed since then. On the thread that constructed it.
  void restore() const;

 private:
  /// restore() calls `set` with the present value of `get` whenever it has changed.
  template <class Get, class Set>
  void keep(Get get, Set set);
  /// A pair of functions of at::Context.
  template <class Get, class Set>
  void keep_in_context(Get get, Set set);
  void keep_thread_state();
  void keep_autocast();
  void keep_threads();
  void keep_float32_precision();
  void keep_cuda_libraries();
  void keep_attention();
  void keep_others();
  void keep_script();

  std::vector<std::function<void()>> restorers_;
};

}  // namespace torchgate::bench
