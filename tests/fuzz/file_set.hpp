// SPDX-License-Identifier: Apache-2.0
// A folder of files as one input: "name \n content", with a part_separator between the files.
#pragma once

#include <filesystem>
#include <string_view>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::fuzz {

/// A folder of this process. libFuzzer ends without destructors: fuzz.sh sets TMPDIR to a folder that it removes.
class ScratchFolder {
 public:
  /// Empties the folder and writes the files of INPUT. Names that are not plain relative paths are left out.
  void fill(std::string_view input) const;
  /// Makes NAME hold BYTES.
  [[nodiscard]] std::filesystem::path write(std::string_view name, std::string_view bytes) const;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  base::testing::TemporaryFolder folder_;
};

}  // namespace torchgate::fuzz
