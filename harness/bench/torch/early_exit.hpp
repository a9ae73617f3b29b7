// SPDX-License-Identifier: Apache-2.0
// The end of a process without the destructors of libraries.
#pragma once

namespace torchgate::bench {

/// For the first line of main(): exit() then destroys what was created after this call, flushes stdio and iostreams, and ends the process. What
/// libraries created while they were loaded is left to the kernel: LibTorch deregisters its operators one by one, which takes as long as a third
/// of loading it. Where a variable loads a profiler (LD_PRELOAD, LD_AUDIT, CUDA_INJECTION64_PATH, NVTX_INJECTION64_PATH), or the program was
/// built for coverage, profiles or with a sanitizer, everything is destroyed, because their results are written then.
void exit_without_libraries();

}  // namespace torchgate::bench
