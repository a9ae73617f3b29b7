// SPDX-License-Identifier: Apache-2.0
// Records of PyTorch's OSS benchmark database, version 3 (pytorch/test-infra, oss_ci_benchmark_v3), as its upload action takes them.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// A list with one record per case of the new side: the values of its processes, in the metric's unit. Workflow, job and runners are
/// filled in by the upload; what torchgate does not know is left out.
std::string render_pytorch(const Report& report);

}  // namespace torchgate::reports
