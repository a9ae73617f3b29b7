// SPDX-License-Identifier: Apache-2.0
// Which numbers at the end of Go's names are numbers of CPUs: "-8" of "p.Sum-8" is, "-1000" of "p.Sum/n-1000" may be an argument.
#pragma once

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/record/case.hpp"

namespace torchgate::gate {

/// The suffixes of one side, by package. `go test` appends "-N" to all names of a process, unless GOMAXPROCS is 1. A function of Go has no hyphen in its name: where a
/// package has results of functions themselves ("p.Sum-8", "p.Sum"), their suffixes are all there are. Where it has results of b.Run alone, a suffix is
/// one if all of them have it: different ones are arguments.
class GoCpus {
 public:
  /// SIDE: all cases of it that are known; they must outlive this.
  explicit GoCpus(const std::vector<const record::Case*>& side);

  /// "example.org/p.Sum-8" without "-8"; empty: of another tool.
  [[nodiscard]] std::string_view without_cpus(const record::Case& definition) const;

 private:
  struct Package {
    std::set<std::string_view> of_functions;  // suffixes; "": none
    std::set<std::string_view> of_all;
  };
  std::unordered_map<std::string_view, Package> packages_;  // by the group
};

}  // namespace torchgate::gate
