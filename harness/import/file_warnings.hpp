// SPDX-License-Identifier: Apache-2.0
// Warnings of all files of a run.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace torchgate::import {

/// What several files have a warning about is one warning, "b0.json and 2 more files: no date", so that no other is lost behind it.
class FileWarnings {
 public:
  /// WARNING is about FILE where it begins with its name, "b0.json: no date".
  void add(const std::string& file, const std::string& warning);
  /// Appends them in the order in which they were first added.
  void append_to(std::vector<std::string>& warnings) const;

 private:
  struct Known {
    std::string what;
    std::set<std::string> files;  // or none: it names none
  };
  std::vector<Known> all_;
  std::map<std::pair<bool, std::string>, std::size_t> places_;  // by whether it names a file, and what it says
};

}  // namespace torchgate::import
