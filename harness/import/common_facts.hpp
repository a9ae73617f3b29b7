// SPDX-License-Identifier: Apache-2.0
// The facts of several files as those of one run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

class CommonFacts {
 public:
  /// bad_input: PROCESS is of another host than those before. Other differences between files become WARNINGS.
  base::Result<void> add(const ImportedProcess& process, std::vector<std::string>& warnings);

  /// What a program or its user chose (record::is_own_fact()) may differ between programs: "-O3 (x.bench), -O0 (y.bench)". What differs between the
  /// files of one program is of class info.
  [[nodiscard]] std::vector<record::MachineFact> facts() const;

 private:
  struct OfGroup {
    std::string value;
    std::size_t processes = 0;
  };
  struct OwnFact {
    std::string name;
    bool varies = false;
    std::map<std::string, OfGroup> groups;
  };

  void take_own(const record::MachineFact& fact, const std::string& group);
  base::Result<void> check(const record::MachineFact& fact, const ImportedProcess& process,
                           std::vector<std::string>& warnings);
  [[nodiscard]] bool varies(const OwnFact& fact) const;
  [[nodiscard]] record::MachineFact merged(const OwnFact& fact) const;

  std::vector<record::MachineFact> of_tool_;
  std::vector<OwnFact> own_;
  std::unordered_map<std::string, std::size_t> index_of_;  // in own_
  std::map<std::string, std::size_t> contexts_of_;         // processes of a group whose file has a context
};

}  // namespace torchgate::import
