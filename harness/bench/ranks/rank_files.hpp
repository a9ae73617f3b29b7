// SPDX-License-Identifier: Apache-2.0
// The files that several ranks read together.
#pragma once

#include "harness/bench/files/files_read.hpp"
#include "harness/bench/ranks/world.hpp"

namespace torchgate::bench {

/// Called by all ranks of WORLD: the files of all of them, or unknown if one of them does not know its own.
FilesRead files_read_by(World& world, const FilesRead& mine);

}  // namespace torchgate::bench
