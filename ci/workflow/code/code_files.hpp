// SPDX-License-Identifier: Apache-2.0
// The executables and libraries of two sides, paired, and the functions that differ between them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/code/comparison.hpp"
#include "harness/launch/count/count.hpp"
#include "harness/launch/object_hashes.hpp"
#include "harness/launch/request.hpp"

namespace torchgate::workflow {

class CodeFiles {
 public:
  /// Of the sides of REQUEST, whose suites are executables or folders of them. not_found: no decoder of instructions is installed;
  /// bad_input: a side has no executable (any more).
  static base::Result<CodeFiles> open(const launch::Request& request);

  /// The functions that both sides of a case executed: which of them differ. Counts of instructions and the name of the case are left out.
  record::CodeComparison compare(const launch::CountedCase& before, const launch::CountedCase& after);

  /// Whether a file of this name was compared function by function.
  [[nodiscard]] bool has_compared(const std::string& file_name) const;

 private:
  /// A file of each side that are compared with each other; empty: the side has none.
  struct Pair {
    std::string before;
    std::string after;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 reports the implicit 0 of a defaulted comparison
    auto operator<=>(const Pair&) const = default;
  };
  /// Two files with other content.
  struct Compared {
    std::string unknown;  ///< why they cannot be compared
    std::unique_ptr<code::ElfImage> before;
    std::unique_ptr<code::ElfImage> after;
    std::unique_ptr<code::Comparison> comparison;
    std::optional<code::Changes> changes;
  };
  struct Executed {
    std::set<std::string> calls;
    std::set<std::string> set_up;
  };

  CodeFiles() = default;
  bool are_same(const Pair& pair);
  std::vector<Pair> paired(const std::set<std::string>& before, const std::set<std::string>& after,
                           std::string& several) const;
  void compare_files(const Pair& pair, const Executed& executed_before, const Executed& executed_after,
                     record::CodeComparison& code);
  void add_unexecuted(Compared& files, const std::string& object, const Executed& executed,
                      record::CodeComparison& code);
  base::Result<void> open_images(const Pair& pair, Compared& files);
  void open_all(const std::vector<Pair>& pairs);

  const code::Decoder* decoder_ = nullptr;
  std::set<std::string> executables_;
  launch::ObjectHashes hashes_;
  std::map<Pair, Compared> compared_;
  std::set<std::string, std::less<>> changed_variables_;  ///< of all files in it
};

}  // namespace torchgate::workflow
