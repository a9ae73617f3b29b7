// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace torchgate::policy {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::vector<std::string> nearest_names(std::string_view name, const std::set<std::string>& known, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> ordered;
  ordered.reserve(known.size());
  // A typing error is found in the beginning of a name; the distance of two long ones takes the product of their lengths.
  constexpr std::size_t compared_bytes = 256;
  const std::string_view beginning = name.substr(0, compared_bytes);
  for (const std::string& each : known)
    ordered.emplace_back(edit_distance(beginning, std::string_view(each).substr(0, compared_bytes)), each);
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(most, ordered.size()); ++i) nearest.push_back(ordered[i].second);
  return nearest;
}

}  // namespace torchgate::policy
