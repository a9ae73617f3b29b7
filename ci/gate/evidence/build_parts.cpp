// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/build_parts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace torchgate::gate {
namespace {

constexpr std::string_view part_of = ": ";
constexpr const char* absent_part = "(absent)";

using Parts = std::map<std::string, std::string>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

// "v3.13.3", "201511", "is enabled", "Version 2024.2".
bool begins_a_value(std::string_view word) {
  if (word == "is" || word == "Version") return true;
  if (word.starts_with('v')) word.remove_prefix(1);
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

// REQUIRES: LINE is not empty.
std::pair<std::string, std::string> part_of_line(std::string_view line) {
  if (const auto colon = line.find(part_of); colon != std::string_view::npos)
    return {std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + part_of.size())))};
  std::size_t end = 0;
  while (end < line.size()) {
    const auto space = std::min(line.find(' ', end), line.size());
    if (end > 0 && begins_a_value(line.substr(end, space - end)))
      return {std::string(trimmed(line.substr(0, end))), std::string(line.substr(end))};
    end = space + 1;
  }
  return {std::string(line), ""};
}

void add_settings(std::string_view settings, Parts& parts) {
  constexpr std::string_view between = ", ";
  if (settings.ends_with(',')) settings.remove_suffix(1);
  while (!settings.empty()) {
    const auto end = std::min(settings.find(between), settings.size());
    const std::string_view one = trimmed(settings.substr(0, end));
    settings.remove_prefix(std::min(end + between.size(), settings.size()));
    const auto equals = one.find('=');
    if (equals != std::string_view::npos) parts.emplace(one.substr(0, equals), trimmed(one.substr(equals + 1)));
  }
}

Parts parts_of(const std::string& text) {
  constexpr std::string_view settings = "Build settings:";
  Parts parts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string_view part = trimmed(line);
    if (part.starts_with("- ")) part = trimmed(part.substr(2));
    if (part.starts_with(settings)) {
      add_settings(part.substr(settings.size()), parts);
    } else if (!part.empty()) {
      parts.insert(part_of_line(part));
    }
  }
  return parts;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

// Of flags: those of TEXT that OTHER lacks. What has the same words in another order stays whole.
std::string words_without(const std::string& text, const std::string& other) {
  const std::vector<std::string> known = words_of(other);
  std::string left;
  for (const std::string& word : words_of(text)) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    left += (left.empty() ? "" : " ") + word;
  }
  return left;
}

std::pair<std::string, std::string> differing_values(const std::string& before, const std::string& after) {
  const bool flags = before.starts_with('-') && after.starts_with('-');
  std::string less = flags ? words_without(before, after) : before;
  std::string more = flags ? words_without(after, before) : after;
  if (less.empty() && more.empty()) return {before, after};
  if (less.empty()) less = absent_part;
  if (more.empty()) more = absent_part;
  return {std::move(less), std::move(more)};
}

// Of a part that the other side lacks: a compiler's flags fill a screen.
std::string alone(const std::string& value) {
  constexpr std::size_t most_flags = 8;
  const std::size_t words = words_of(value).size();
  return value.starts_with('-') && words > most_flags ? std::to_string(words) + " flags" : value;
}

std::vector<reports::Difference> differences_of_parts(const reports::Difference& whole) {
  const Parts before = parts_of(whole.before);
  const Parts after = parts_of(whole.after);
  Parts keys = before;
  keys.insert(after.begin(), after.end());
  std::vector<reports::Difference> differences;
  for (const auto& [key, ignored] : keys) {
    const auto old = before.find(key);
    const auto now = after.find(key);
    const std::string name = whole.name + std::string(part_of) + key;
    if (old == before.end() || now == after.end()) {
      differences.push_back({name, old == before.end() ? absent_part : alone(old->second),
                             now == after.end() ? absent_part : alone(now->second), whole.refuses});
    } else if (old->second != now->second) {
      auto [less, more] = differing_values(old->second, now->second);
      differences.push_back({name, std::move(less), std::move(more), whole.refuses});
    }
  }
  return differences;
}

}  // namespace

std::string_view whole_fact(std::string_view name) {
  return name.substr(0, name.find(part_of));
}

std::vector<reports::Difference> by_parts(std::vector<reports::Difference> differences) {
  std::vector<reports::Difference> all;
  for (reports::Difference& each : differences) {
    const bool lines = each.before.find('\n') != std::string::npos && each.after.find('\n') != std::string::npos;
    auto parts = lines ? differences_of_parts(each) : std::vector<reports::Difference>();
    if (parts.empty()) {
      all.push_back(std::move(each));
    } else {
      std::move(parts.begin(), parts.end(), std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace torchgate::gate
