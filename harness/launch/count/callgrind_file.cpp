// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/callgrind_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <unordered_map>

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
    return std::move(part_);
  }

 private:
  base::Error error(const std::string& what) const {
    return {base::ErrorCode::bad_input, fmt::format("{}, line {}: {}", where_, line_, what)};
  }

  base::Result<void> take(std::string_view line) {
    if (line.empty() || line.front() == '#') return {};
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*') return take_cost(line);
    if (line.starts_with("desc: Trigger: ")) part_.trigger = line.substr(15);
    if (line.starts_with("events: ")) {
      has_events_ = line.substr(8).starts_with("Ir");
      if (!has_events_) return error("its first event is not \"Ir\"");
    }
    if (line.starts_with("ob=")) return set_name(line.substr(3), objects_, function_.object);
    if (line.starts_with("fn=")) return set_name(line.substr(3), functions_, function_.name);
    // Of a called function: the names are only defined here, and the next line of costs is not its caller's own.
    std::string ignored;
    if (line.starts_with("cob=")) return set_name(line.substr(4), objects_, ignored);
    if (line.starts_with("cfn=")) return set_name(line.substr(4), functions_, ignored);
    if (line.starts_with("calls=")) is_call_ = true;
    return {};
  }

  // "(12) name" defines number 12, "(12)" uses it, and a plain name is itself.
  base::Result<void> set_name(std::string_view text, std::unordered_map<std::string, std::string>& known,
                              std::string& name) {
    current_ = nullptr;
    if (!text.starts_with('(')) {
      name = text;
      return {};
    }
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos) return error("a name without its \")\"");
    const std::string number(text.substr(1, close - 1));
    if (close + 2 < text.size()) known[number] = text.substr(close + 2);
    const auto found = known.find(number);
    if (found == known.end()) return error("name " + number + " is used before it is defined");
    name = found->second;
    return {};
  }

  base::Result<void> take_cost(std::string_view line) {
    take_number(line);  // where in the source
    const std::string_view cost = take_number(line);
    if (is_call_) {
      is_call_ = false;
      return {};
    }
    if (cost.empty()) return {};  // none
    std::uint64_t count = 0;
    const auto [end, failed] = std::from_chars(cost.data(), cost.data() + cost.size(), count);
    if (failed != std::errc{} || end != cost.data() + cost.size()) return error("a cost that is no number");
    if (current_ == nullptr) {
      FunctionName name = function_;
      if (name.object == unknown_name) name.object.clear();
      current_ = &part_.functions[std::move(name)];
    }
    *current_ += count;
    part_.total += count;
    return {};
  }

  const std::string& where_;
  std::size_t line_ = 0;
  CallgrindPart part_;
  std::unordered_map<std::string, std::string> objects_;
  std::unordered_map<std::string, std::string> functions_;
  FunctionName function_;
  std::uint64_t* current_ = nullptr;  // of function_
  bool is_call_ = false;
  bool has_events_ = false;
};

}  // namespace

base::Result<CallgrindPart> read_callgrind(std::string_view text, const std::string& where) {
  return Reader(where).read(text);
}

}  // namespace torchgate::launch
