// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace torchgate::suites {

/// Steps of the case demo/solver/refine: 10, or 11 in the build that is slower. In a file of its own, so that the two builds share
/// all others.
extern const int refinement_steps;

}  // namespace torchgate::suites
