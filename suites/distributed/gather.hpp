// SPDX-License-Identifier: Apache-2.0
// All-gather of one tensor.
#pragma once

#include <torch/types.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

namespace torchgate::suites {

/// The parts of all ranks, of equal shape, one after the other along their first dimension. Waits for them. The operator c10d::_allgather_base_:
/// ProcessGroup's function of that name is deprecated in LibTorch 2.15, and 2.11 does not have its successor.
torch::Tensor gathered(const c10::intrusive_ptr<c10d::ProcessGroup>& group, torch::Tensor part);

}  // namespace torchgate::suites
