// SPDX-License-Identifier: Apache-2.0
// Requirements of cases that the harness does not know by name: .needs("two CPUs", two_cpus).
#pragma once

#include <optional>
#include <string>

#include "harness/bench/group.hpp"

namespace torchgate::suites {

/// Whether two threads can run at the same time: on two cores, and without a control group that gives less time.
std::optional<std::string> two_cpus();

/// For claims about times in BF16: where the CPU multiplies it at least as fast as FP32. Intel CPUs with AMX multiply it there and have AVX512-BF16 at
/// half the rate: where a virtual machine hides AMX, layers in BF16 take 1.1 to 1.9 times as long as in FP32 (suites/precision/README.md).
bench::OnlyWith bf16_at_full_rate();

/// Whether this LibTorch is older than 2.15: for claims that hold up to then, and cases that 2.15 has no kernel for.
std::optional<std::string> libtorch_before_2_15();

/// For claims that hold since LibTorch 2.15.
bench::OnlyWith libtorch_2_15_or_newer();

}  // namespace torchgate::suites
