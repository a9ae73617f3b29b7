// SPDX-License-Identifier: Apache-2.0
// The sources of the working directory, built against two LibTorch versions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ci/workflow/build/libtorch_root.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Below the working directory: a build folder for each LibTorch, kept for the next call. Its names are equally long, since the length of a program's
/// path can change times (Mytkowicz et al., ASPLOS 2009).
inline constexpr const char* libtorch_builds_folder = ".torchgate/libtorch";

struct LibtorchBuild {
  std::optional<std::string>
      command;  ///< {dir} is the build folder; absent: in a checkout of torchgate, its preset `release`
  std::vector<std::string> suites;  ///< relative to the build folder; empty: suites/bin of torchgate
};

/// Builds before and after. The command runs in the working directory, and LibTorch is in its environment: TORCHGATE_TORCH_ROOT and Torch_ROOT are the
/// folder, and CMAKE_PREFIX_PATH begins with it. Errors: bad_input (no command known, no suites, a build fails), io, interrupted.
base::Result<std::vector<launch::SideRequest>> build_against(const std::array<LibtorchRoot, 2>& roots,
                                                             const LibtorchBuild& build, Narrator& narrator);

}  // namespace torchgate::workflow
