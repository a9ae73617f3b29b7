// SPDX-License-Identifier: Apache-2.0
// Hooks of the reducer: how the gradients of a bucket are sent.
#pragma once

#include <torch/torch.h>
#include <torch/csrc/distributed/c10d/comm.hpp>

#include <memory>

namespace torchgate::suites {

/// Sends gradients in 16 bits, as fp16_compress_hook and bf16_compress_hook do in Python. LibTorch's own hook for FP16 widens
/// the result on Gloo's thread, where the peak of memory is not repeatable.
std::unique_ptr<c10d::CommHookInterface> compressing_hook(c10::intrusive_ptr<c10d::ProcessGroup> group,
                                                          torch::Dtype dtype);

/// Sends the largest 1 % of each gradient of more than 1000 elements, as values and indices, and smaller gradients whole.
/// Before that the norm of each gradient is clipped to 1. With error feedback, what was not sent is added to the gradient of
/// the next step. Waits for its messages: no overlap with the backward pass.
std::unique_ptr<c10d::CommHookInterface> sparsifying_hook(c10::intrusive_ptr<c10d::ProcessGroup> group,
                                                          bool error_feedback);

}  // namespace torchgate::suites
