// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/suggestion.hpp"

#include <algorithm>

#include "ci/policy/nearest_name.hpp"

namespace torchgate::cli {

std::string nearest_word(std::string_view typed, const std::set<std::string>& known) {
  const auto nearest = policy::nearest_names(typed, known, 1);
  // The dashes of an option are not letters that could be mistyped.
  const std::size_t letters = typed.size() - std::min(typed.find_first_not_of('-'), typed.size());
  if (nearest.empty() || policy::edit_distance(typed, nearest.front()) > 1 + letters / 3) return "";
  return nearest.front();
}

std::string suggestion(std::string_view typed, const std::set<std::string>& known) {
  const std::string word = nearest_word(typed, known);
  return word.empty() ? "" : "; did you mean " + word + "?";
}

}  // namespace torchgate::cli
