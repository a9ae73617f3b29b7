// SPDX-License-Identifier: Apache-2.0
// Errors of CUDA and of LibTorch's CUDA functions, as results.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::bench {

/// Clears the error, so that the next call does not return it; an error that lost the device remains.
inline base::Error error_of(cudaError_t code) {
  (void)cudaGetLastError();
  return {base::ErrorCode::io, std::string("CUDA error: ") + cudaGetErrorString(code)};
}

inline base::Result<void> outcome(cudaError_t code) {
  if (code == cudaSuccess) return {};
  return error_of(code);
}

/// LibTorch throws on CUDA errors.
template <class F>
base::Result<void> caught(const F& run) {
  try {
    run();
  } catch (const std::exception& error) {
    (void)cudaGetLastError();
    return base::Error{base::ErrorCode::io, error.what()};
  } catch (...) {
    (void)cudaGetLastError();
    return base::Error{base::ErrorCode::io, "threw an object that is not a std::exception"};
  }
  return {};
}

}  // namespace torchgate::bench
