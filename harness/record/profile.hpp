// SPDX-License-Identifier: Apache-2.0
// Where a call's time goes, observed in an untimed pass: it explains a regression later, and is never used for a verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchgate::record {

/// One operator on one class of inputs, per call of the case.
struct OperatorUse {
  std::string name;    ///< "aten::copy_"
  std::string inputs;  ///< element type and shape of its tensors: "Float 8x64, Float 64x64 strided"; "" if it has none
  double calls = 0;    ///< whole, unless calls of the case differ from each other
  double self_ns = 0;  ///< in it and not in operators that it called; the median of the calls observed

  bool operator==(const OperatorUse&) const = default;
};

/// Host time with operators observed: slower than a timed call, so that only differences of two profiles are meaningful.
struct OperatorProfile {
  std::int64_t passes = 0;             ///< calls observed
  double call_ns = 0;                  ///< one observed call, median; time outside of operators is the program's own
  std::vector<OperatorUse> operators;  ///< largest self time first; each name and inputs once
  std::int64_t left_out = 0;           ///< operators beyond the longest list that is kept
  double left_out_self_ns = 0;         ///< their self time

  bool operator==(const OperatorProfile&) const = default;
};

/// A case with more distinct operators than this keeps the largest; a ResNet-50 training step has about 100.
inline constexpr std::size_t most_operators = 200;

}  // namespace torchgate::record
