// SPDX-License-Identifier: Apache-2.0
// What every recording by LibTorch's profiler (Kineto) of this suite begins with.
#pragma once

#include <torch/csrc/autograd/profiler_kineto.h>

namespace torchgate::suites {

/// Starts a recording of the CPU, with the shapes of all inputs. KINETO_LOG_LEVEL is set to "nothing" unless it is set: LibTorch 2.15 prints two lines
/// per recording otherwise, in the timed call.
void start_recording(bool with_stack, bool with_flops, bool with_modules);

}  // namespace torchgate::suites
