// SPDX-License-Identifier: Apache-2.0
// Products of matrices and convolutions in an operator profile.
#pragma once

#include <optional>

#include "ci/advise/operator_inputs.hpp"

namespace torchgate::advise {

/// Of the operators that compute products, without those that only call them (linear, conv2d).
struct ProductUse {
  double calls = 0;
  double self_ns = 0;
};

ProductUse products_of(const record::OperatorProfile& profile);

struct Operands {
  Sizes left;
  Sizes right;
};

/// Of mm() and addmm(); absent for other operators.
std::optional<Operands> operands_of(const record::OperatorUse& use);

/// Rows of the result of a product with a matrix of weights, which is read once for all of them. Absent for other operators, convolutions
/// among them.
std::optional<double> rows_of(const record::OperatorUse& use);

}  // namespace torchgate::advise
