// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/policy_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/base/counted.hpp"

namespace torchgate::policy {
namespace {

template <class Table>
std::vector<Table> without_places(std::vector<Table> tables) {
  for (Table& table : tables) table.place.clear();
  return tables;
}

// How many of `all` the other side does not have; equal ones are matched one by one.
template <class Table>
std::size_t missing_in(const std::vector<Table>& all, std::vector<Table> other) {
  std::size_t missing = 0;
  for (const Table& table : all) {
    const auto same = std::find(other.begin(), other.end(), table);
    if (same == other.end()) {
      ++missing;
    } else {
      other.erase(same);
    }
  }
  return missing;
}

class Changes {
 public:
  void add(const std::string& one) { text_ += (text_.empty() ? "" : "; ") + one; }

  template <class Table>
  void add_tables(const char* name, const char* names, std::vector<Table> before, std::vector<Table> after) {
    before = without_places(std::move(before));
    after = without_places(std::move(after));
    if (before == after) return;
    const std::size_t added = missing_in(after, before);
    const std::size_t removed = missing_in(before, after);
    if (added > 0) add(base::counted(added, name, names) + " added");
    if (removed > 0) add(base::counted(removed, name, names) + " removed");
    if (added + removed == 0) add(fmt::format("order of the {} changed", names));
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string policy_changes(const Policy& before, const Policy& after) {
  Changes changes;
  for (const PolicyKey& key : policy_keys()) {
    if (std::string_view(key.name) == "gate.waivers") continue;  // what the file says is compared, not its name
    if (key.get(before) == key.get(after)) continue;
    // The URL of a store may have a password, and changes are shown in comments.
    const bool may_be_secret = std::string_view(key.name) == "baseline.store";
    changes.add(may_be_secret ? fmt::format("{} changed", key.name)
                              : fmt::format("{} {} -> {}", key.name, key.get(before), key.get(after)));
  }
  changes.add_tables("[[case]] table", "[[case]] tables", before.case_rules, after.case_rules);
  changes.add_tables("waiver", "waivers", before.waivers, after.waivers);
  return changes.take();
}

}  // namespace torchgate::policy
