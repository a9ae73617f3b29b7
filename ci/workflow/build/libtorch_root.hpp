// SPDX-License-Identifier: Apache-2.0
// Installed LibTorch versions: which one `--vary libtorch=VERSION_OR_DIR` names, and which one it is compared with.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// A folder with include/ and lib/.
struct LibtorchRoot {
  std::filesystem::path folder;        ///< absolute, without links
  std::optional<std::string> version;  ///< of its headers, or of its file build-version; absent: neither says it
};

/// "LibTorch 2.11.0", or with its folder where the version is not known.
std::string libtorch_words(const LibtorchRoot& root);

/// Where LibTorch versions are, beside those that the user names by their folders.
struct LibtorchPlaces {
  std::filesystem::path installed;     ///< of ci/scripts/setup.sh, with folders libtorch-VERSION-cpu or -full
  std::optional<std::string> current;  ///< what builds use by default: the variable TORCHGATE_TORCH_ROOT
};

/// TORCHGATE_DEPS_DIR or .deps, and TORCHGATE_TORCH_ROOT, of this process.
LibtorchPlaces libtorch_places();

/// An existing folder (or its parent: `torch` of a wheel, `libtorch` of the official zip), else a version in the installed ones. bad_input:
/// neither; the message has the command that installs it.
base::Result<LibtorchRoot> find_libtorch(const std::string& version_or_folder, const LibtorchPlaces& places);

/// Before and after. Of two that are NAMED: in their order. Of one: with the current one, or without it with the newest other one that is
/// installed; the older version is before. bad_input: none or more than two are named, there is none to compare with, both are the same folder.
base::Result<std::array<LibtorchRoot, 2>> libtorch_sides(const std::vector<std::string>& named,
                                                         const LibtorchPlaces& places);

}  // namespace torchgate::workflow
