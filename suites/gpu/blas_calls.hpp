// SPDX-License-Identifier: Apache-2.0
// Which of NVIDIA's libraries is asked for matrix products. In a build without CUDA everything throws.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace torchgate::suites {

/// Messages of each library's own log that are about a product. cuBLAS may leave the work to cuBLASLt and then both have one; cuBLASLt does not
/// call cuBLAS.
struct BlasCalls {
  std::int64_t cublas = 0;
  std::int64_t cublaslt = 0;
};

/// Those while `work` runs. Throws bench::Skip if the libraries are not shared objects of this process. One at a time.
BlasCalls blas_calls(const std::function<void()>& work);

/// TunableOp writes what it chooses into this file, a line for each product, and flushes it. To be called before the first product.
void keep_choices_of_tunable_op(const std::string& path);

}  // namespace torchgate::suites
