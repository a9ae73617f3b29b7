// SPDX-License-Identifier: Apache-2.0
// The tensors that an operator was called on, read from the text that a profile has of them: "cuda Float 8x64 strided, Float 64".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/record/profile.hpp"

namespace torchgate::advise {

using Sizes = std::vector<std::int64_t>;

struct OperatorInput {
  bool on_cuda = false;
  std::string_view type;       ///< "Float"; a part of the operator's own text
  std::optional<Sizes> sizes;  ///< empty: a scalar; absent: a list of tensors, a nested tensor, or none

  /// 0 where the sizes are unknown.
  [[nodiscard]] double elements() const;
};

/// In the order of the arguments. A profile has the first three.
std::vector<OperatorInput> inputs_of(const record::OperatorUse& use);

/// Elements of the first tensor: 512 for "Float 8x64, Float 64x64 strided". 0 without one.
double first_elements(const record::OperatorUse& use);

/// Bytes of one element of a floating-point type; absent for other types.
std::optional<double> element_bytes(std::string_view type);

}  // namespace torchgate::advise
