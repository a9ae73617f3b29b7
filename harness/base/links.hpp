// SPDX-License-Identifier: Apache-2.0
// Whether a symbolic link is opened.
#pragma once

namespace torchgate::base {

/// Symbolic links as the last part of a path: followed for a file that a person named, refused for one that was found beside
/// another file, since its sender could link to any file of this machine.
enum class Links { followed, refused };

}  // namespace torchgate::base
