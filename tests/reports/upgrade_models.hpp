// SPDX-License-Identifier: Apache-2.0
// Another LibTorch, and a matrix of versions, as the gate would fill them.
#pragma once

#include "reports/matrix.hpp"
#include "reports/report.hpp"

namespace torchgate::reports::models {

/// Pairs of two LibTorch builds: times, operators, results and the build changed.
Report libtorch_upgrade();
/// Of suites of which nothing but the time is recorded.
Report upgrade_without_records();
/// Two versions compared with a reference: one slower case, one that a version lacks, three the same.
Matrix two_versions();

}  // namespace torchgate::reports::models
