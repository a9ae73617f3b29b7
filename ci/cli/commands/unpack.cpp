// SPDX-License-Identifier: Apache-2.0
#include "ci/github/unpack.hpp"

#include <fmt/format.h>

#include "ci/cli/commands/commands.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::cli {

ExitCode unpack_command(const UnpackCommand& command, const Console& console) {
  const auto unpacked = github::unpack(command.artifact, command.folder);
  if (!unpacked) return console.fail(unpacked.error());
  console.out << fmt::format("{}: {}, {}\n", command.folder, base::counted(unpacked->files, "file", "files"),
                             base::counted(unpacked->bytes, "byte", "bytes"));
  return ExitCode::ok;
}

}  // namespace torchgate::cli
