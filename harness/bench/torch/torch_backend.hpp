// SPDX-License-Identifier: Apache-2.0
// LibTorch as the library under measurement.
#pragma once

#include <memory>

#include "harness/bench/run/backend.hpp"

namespace torchgate::bench {

/// Knows the requirements "cuda", "qengine:NAME" (X86, ONEDNN, FBGEMM, QNNPACK) and CPU features. Restores LibTorch's global
/// settings (library_settings.hpp) before each case is built.
std::unique_ptr<Backend> torch_backend();

}  // namespace torchgate::bench
