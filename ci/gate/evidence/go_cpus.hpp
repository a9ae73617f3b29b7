// SPDX-License-Identifier: Apache-2.0
// Which numbers at the end of Go's names are numbers of CPUs: "-8" of "p.Sum-8" is, "-1000" of "p.Sum/n-1000" may be an argument. And how
// many calls of a case run at the same time.
#pragma once

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/record/case.hpp"

namespace torchgate::gate {

/// The suffixes of one side, by package. `go test` appends "-N" to all names of a process, unless GOMAXPROCS is 1. A function of Go has no hyphen in its name: where a
/// package has results of functions themselves ("p.Sum-8", "p.Sum"), their suffixes are all there are. Where it has results of b.Run alone, a suffix is
/// one if all of them have it: different ones are arguments. One name on its own, or a number that no machine has, leaves it open.
class GoCpus {
 public:
  /// SIDE: all cases of it that are known; they must outlive this.
  explicit GoCpus(const std::vector<const record::Case*>& side);

  /// "example.org/p.Sum-8" without "-8", also where that is open; empty: of another tool.
  [[nodiscard]] std::string_view without_cpus(const record::Case& definition) const;

  /// Whether the number at the end of its name is one of CPUs and cannot be an argument, or there is no number.
  [[nodiscard]] bool knows(const record::Case& definition) const;

  /// The 8 of "example.org/p.Sum-8", where it is known to be the number of CPUs; else 1.
  [[nodiscard]] int cpus(const record::Case& definition) const;

 private:
  struct Package {
    std::set<std::string_view> of_functions;  // suffixes; "": none
    std::set<std::string_view> of_all;
    bool several = false;  // names
  };
  [[nodiscard]] const Package* package_of(const record::Case& definition) const;

  std::unordered_map<std::string_view, Package> packages_;  // by the group
};

/// How many calls of a case run at the same time: tools divide its time by that, so it may be below a clock cycle. From "/threads:4" of Google
/// Benchmark and "-8" of Go, where GO knows it as a number of CPUs; else 1.
int calls_at_once(const record::Case& definition, const GoCpus& go);

}  // namespace torchgate::gate
