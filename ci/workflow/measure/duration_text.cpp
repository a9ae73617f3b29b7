// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/duration_text.hpp"

#include <fmt/format.h>

namespace torchgate::workflow {

std::string duration_text(std::chrono::duration<double> duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  return seconds < 60 ? fmt::format("{} s", seconds) : fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

}  // namespace torchgate::workflow
