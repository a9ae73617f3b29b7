// SPDX-License-Identifier: Apache-2.0
// How the cases of a run were set up in each of its files: the samples of one case are of one set-up.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

class FirstSetups {
 public:
  /// Into DEFINITION the parameters and the device of EACH of FILE, where it is the first measured case of its name; else why they are other ones
  /// than in that: "n is 1024 in a.json and 256 in b.json". EACH and FILE must outlive this.
  void take(const ImportedCase& each, const std::string& file, record::Case& definition);

 private:
  struct First {
    const ImportedCase* measured;
    const std::string* file;
  };
  std::unordered_map<std::string_view, First> first_;  // by the name of the case
};

}  // namespace torchgate::import
