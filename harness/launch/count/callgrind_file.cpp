// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/callgrind_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torchgate::launch {
namespace {

/// Callgrind's word for "in no file".
constexpr std::string_view unknown_name = "???";

std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != ' ') ++end;
  const std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return number;
}

/// A path, as the kernel takes it; a name of C++ with all its template arguments; functions of a process with LibTorch are some 20,000.
constexpr std::size_t longest_object = 4096;
constexpr std::size_t longest_function = std::size_t{1} << 16;
constexpr std::size_t most_functions = 200'000;

/// Names that the file numbers: "(12) name" defines number 12, "(12)" uses it, and a plain name is itself.
class Names {
 public:
  explicit Names(std::size_t longest) : longest_(longest) {}

  /// Position of the name of TEXT, or what is wrong with it.
  base::Result<std::size_t> take(std::string_view text) {
    if (!text.starts_with('(')) return add(text);
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos) return wrong("a name without its \")\"");
    const std::string number(text.substr(1, close - 1));
    if (close + 2 < text.size()) {
      auto added = add(text.substr(close + 2));
      if (added) numbered_[number] = *added;
      return added;
    }
    const auto found = numbered_.find(number);
    if (found == numbered_.end()) return wrong("name " + number + " is used before it is defined");
    return found->second;
  }

  [[nodiscard]] const std::string& at(std::size_t position) const { return names_[position]; }

 private:
  static base::Error wrong(const std::string& what) { return {base::ErrorCode::bad_input, what}; }

  base::Result<std::size_t> add(std::string_view name) {
    if (name.size() > longest_) return wrong("a name of " + std::to_string(name.size()) + " bytes");
    names_.emplace_back(name);
    return names_.size() - 1;
  }

  std::size_t longest_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbered_;
};

class Reader {
 public:
  explicit Reader(const std::string& where) : where_(where) {}

  base::Result<CallgrindPart> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      if (auto taken = take(text.substr(0, end)); !taken) return taken.error();
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!has_events_) return error("no line \"events:\": not a file of Callgrind");
    if (total_ && *total_ != part_.total)
      return error(fmt::format("its costs add up to {}, its total is {}", part_.total, *total_));
    for (const auto& [place, cost] : costs_) {
      FunctionName name{place.first ? objects_.at(*place.first) : "", place.second ? functions_.at(*place.second) : ""};
      if (name.object == unknown_name) name.object.clear();
      part_.functions[std::move(name)] += cost;
    }
    return std::move(part_);
  }

 private:
  using Place = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;  // object, function

  base::Error error(const std::string& what) const {
    return {base::ErrorCode::bad_input, fmt::format("{}, line {}: {}", where_, line_, what)};
  }

  base::Result<void> take(std::string_view line) {
    if (line.empty() || line.front() == '#') return {};
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*') return take_cost(line);
    constexpr std::string_view trigger = "desc: Trigger: ";
    if (line.starts_with(trigger)) part_.trigger = line.substr(trigger.size());
    constexpr std::string_view events = "events: ";
    if (line.starts_with(events)) {
      const std::string_view names = line.substr(events.size());
      has_events_ = names == "Ir" || names.starts_with("Ir ");
      if (!has_events_) return error("its first event is not \"Ir\"");
    }
    constexpr std::string_view totals = "totals: ";
    if (line.starts_with(totals)) return take_total(line.substr(totals.size()));
    if (line.starts_with("ob=")) return set_name(line.substr(3), objects_, &place_.first);
    if (line.starts_with("fn=")) return set_name(line.substr(3), functions_, &place_.second);
    // Of a called function: the names are only defined here, and the next line of costs is not its caller's own.
    if (line.starts_with("cob=")) return set_name(line.substr(4), objects_, nullptr);
    if (line.starts_with("cfn=")) return set_name(line.substr(4), functions_, nullptr);
    if (line.starts_with("calls=")) is_call_ = true;
    return {};
  }

  base::Result<void> set_name(std::string_view text, Names& names, std::optional<std::size_t>* place) {
    const auto position = names.take(text);
    if (!position) return error(position.error().message);
    if (place == nullptr) return {};
    *place = *position;
    current_ = nullptr;
    return {};
  }

  base::Result<std::uint64_t> number_of(std::string_view text) const {
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || end != text.data() + text.size()) return error("a cost that is not a number");
    return number;
  }

  base::Result<void> take_total(std::string_view text) {
    auto total = number_of(take_number(text));
    if (!total) return total.error();
    total_ = *total;
    return {};
  }

  base::Result<void> take_cost(std::string_view line) {
    take_number(line);  // where in the source
    const std::string_view cost = take_number(line);
    if (std::exchange(is_call_, false) || cost.empty()) return {};
    const auto count = number_of(cost);
    if (!count) return count.error();
    if (*count > std::numeric_limits<std::uint64_t>::max() - part_.total) return error("its costs are too large");
    if (current_ == nullptr) {
      current_ = &costs_[place_];
      if (costs_.size() > most_functions) return error(fmt::format("more than {} functions", most_functions));
    }
    *current_ += *count;
    part_.total += *count;
    return {};
  }

  const std::string& where_;
  std::size_t line_ = 0;
  CallgrindPart part_;
  Names objects_{longest_object};
  Names functions_{longest_function};
  Place place_;
  std::map<Place, std::uint64_t> costs_;
  std::uint64_t* current_ = nullptr;  // of place_
  std::optional<std::uint64_t> total_;
  bool is_call_ = false;
  bool has_events_ = false;
};

}  // namespace

base::Result<CallgrindPart> read_callgrind(std::string_view text, const std::string& where) {
  return Reader(where).read(text);
}

}  // namespace torchgate::launch
