// SPDX-License-Identifier: Apache-2.0
#include "suites/training/kineto.hpp"

#include <stdlib.h>

#include <set>

namespace torchgate::suites {
namespace {

// Kineto reads it once, when the first recording is prepared.
void silence_kineto() {
  constexpr const char* nothing = "99";  // Kineto's levels end at 5
  static const int is_set = ::setenv("KINETO_LOG_LEVEL", nothing, /*overwrite=*/0);
  static_cast<void>(is_set);
}

}  // namespace

void start_recording(bool with_stack, bool with_flops, bool with_modules) {
  namespace profiler = torch::autograd::profiler;
  silence_kineto();
  const profiler::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO, /*report_input_shapes=*/true,
                                        /*profile_memory=*/false, with_stack, with_flops, with_modules);
  const std::set<torch::profiler::impl::ActivityType> activities{torch::profiler::impl::ActivityType::CPU};
  profiler::prepareProfiler(config, activities);
  profiler::enableProfiler(config, activities);
}

}  // namespace torchgate::suites
