// SPDX-License-Identifier: Apache-2.0
// The formats: .eh_frame in Linux Standard Base, "Exception Frames"; the tables of handlers as GCC and Clang write them, "Itanium C++ ABI:
// Exception Handling", and "Exception Handling Tables" of the HP document that it refers to.
#include "harness/code/exception_tables.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "harness/code/dwarf_cursor.hpp"

namespace torchgate::code {
namespace {

constexpr std::size_t length_bytes = 4;
constexpr std::uint64_t long_length = 0xffffffff;
constexpr std::size_t long_length_bytes = 8;
constexpr std::uint8_t value_format = 0x0f;
/// More than a compiler writes for one call, and for a function: a damaged table may go round in circles.
constexpr std::size_t most_actions = 1000;
constexpr std::size_t most_types_of_function = 100'000;

}  // namespace

// The "common information entry".
struct ExceptionTables::Rules {
  std::uint8_t pointer_encoding = 0;  // an address of 8 bytes
  std::uint8_t table_encoding = no_pointer;
  bool has_augmentation = false;
  std::uint64_t personality = 0;
  bool indirect_personality = false;

  static std::optional<Rules> read(DwarfCursor cursor) {
    Rules rules;
    const std::uint64_t version = cursor.fixed(1);
    const std::string_view augmentation = cursor.text();
    cursor.unsigned_leb();  // how code and data are aligned
    cursor.signed_leb();
    if (version == 1) {  // the register of the return address
      cursor.fixed(1);
    } else {
      cursor.unsigned_leb();
    }
    if (augmentation.empty()) return cursor.failed() ? std::nullopt : std::optional(rules);
    if (augmentation.front() != 'z') return std::nullopt;
    rules.has_augmentation = true;
    cursor.unsigned_leb();
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'L') {
        rules.table_encoding = static_cast<std::uint8_t>(cursor.fixed(1));
      } else if (letter == 'R') {
        rules.pointer_encoding = static_cast<std::uint8_t>(cursor.fixed(1));
      } else if (letter == 'P') {
        const auto encoding = static_cast<std::uint8_t>(cursor.fixed(1));
        rules.personality = cursor.pointer(encoding);
        rules.indirect_personality = is_indirect(encoding);
      } else if (letter != 'S' && letter != 'B') {  // of signal handlers, and of ARM: nothing follows
        return std::nullopt;
      }
    }
    return cursor.failed() ? std::nullopt : std::optional(rules);
  }
};

ExceptionTables::ExceptionTables(const ElfImage& image) : image_(image) {
  for (const Section& section : image.sections())
    if (section.name == ".eh_frame") read_frames(section);
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
}

void ExceptionTables::read_frames(const Section& section) {
  std::map<std::uint64_t, std::optional<Rules>> rules;  // by address
  DwarfCursor cursor(section.content, section.address);
  while (!cursor.at_end()) {
    const std::uint64_t start = cursor.address();
    std::uint64_t length = cursor.fixed(length_bytes);
    if (length == 0) continue;  // the end of one of the linked files' tables
    if (length == long_length) length = cursor.fixed(long_length_bytes);
    DwarfCursor entry = cursor.part(length);
    const std::uint64_t here = entry.address();
    const std::uint64_t distance = entry.fixed(length_bytes);
    if (distance == 0) {
      rules[start] = Rules::read(entry);
      continue;
    }
    const auto found = rules.find(here - distance);
    if (found == rules.end() || !found->second) {
      readable_ = false;
      continue;
    }
    const Rules& common = *found->second;
    Entry function;
    function.begin = entry.pointer(common.pointer_encoding);
    function.end = function.begin + entry.pointer(common.pointer_encoding & value_format);
    if (common.has_augmentation) entry.unsigned_leb();
    if (common.table_encoding != no_pointer) function.table = entry.pointer(common.table_encoding);
    function.personality = common.personality;
    function.indirect_personality = common.indirect_personality;
    if (entry.failed()) readable_ = false;
    if (function.table != 0) entries_.push_back(function);
  }
  if (cursor.failed()) readable_ = false;
}

base::Result<FunctionExceptions> ExceptionTables::of(std::uint64_t address) const {
  const base::Error damaged{base::ErrorCode::bad_input, "its table of exception handlers cannot be read"};
  if (!readable_) return damaged;
  FunctionExceptions exceptions;
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), address,
                                      [](std::uint64_t a, const Entry& entry) { return a < entry.begin; });
  if (after == entries_.begin() || address >= std::prev(after)->end) return exceptions;
  if (!read_call_sites(*std::prev(after), exceptions)) return damaged;
  return exceptions;
}

namespace {

// The table of actions and that of types: both are read from places that the call sites name.
class ActionTable {
 public:
  ActionTable(const ElfImage& image, std::uint64_t actions, std::uint64_t types, std::uint8_t type_encoding)
      : image_(image), actions_(actions), types_(types), type_encoding_(type_encoding) {}

  [[nodiscard]] std::optional<std::vector<Action>> read(std::uint64_t index) const {
    std::vector<Action> all;
    std::uint64_t at = actions_ + index - 1;
    while (index != 0) {
      DwarfCursor cursor(image_.content_at(at), at);
      const std::int64_t filter = cursor.signed_leb();
      const std::uint64_t here = cursor.address();
      const std::int64_t next = cursor.signed_leb();
      if (cursor.failed() || all.size() == most_actions) return std::nullopt;
      auto action = action_of(filter);
      if (!action) return std::nullopt;
      all.push_back(*std::move(action));
      if (next == 0) break;
      at = here + static_cast<std::uint64_t>(next);
    }
    return all;
  }

 private:
  [[nodiscard]] std::optional<Action> action_of(std::int64_t filter) const {
    if (filter == 0) return Action{};
    if (filter > 0) {
      const auto type = type_at(static_cast<std::uint64_t>(filter));
      return type ? std::optional(Action{ActionKind::catches, {*type}}) : std::nullopt;
    }
    Action action{ActionKind::allows, {}};
    const std::uint64_t list = types_ + static_cast<std::uint64_t>(-(filter + 1));
    DwarfCursor cursor(image_.content_at(list), list);
    while (const std::uint64_t number = cursor.unsigned_leb()) {
      const auto type = type_at(number);
      if (!type || action.types.size() == most_actions) return std::nullopt;
      action.types.push_back(*type);
    }
    return cursor.failed() ? std::nullopt : std::optional(action);
  }

  // They are written backwards, from the end of the table.
  [[nodiscard]] std::optional<std::uint64_t> type_at(std::uint64_t number) const {
    const std::size_t bytes = type_encoding_ == no_pointer ? 0 : bytes_of_encoding(type_encoding_);
    if (bytes == 0 || number > types_ / bytes) return std::nullopt;
    const std::uint64_t at = types_ - number * bytes;
    // What the dynamic linker writes there is not read.
    if (image_.relocation_at(at) != nullptr) return std::nullopt;
    DwarfCursor cursor(image_.content_at(at), at);
    const std::uint64_t type = cursor.pointer(type_encoding_);
    return cursor.failed() ? std::nullopt : std::optional(type);
  }

  const ElfImage& image_;
  std::uint64_t actions_;
  std::uint64_t types_;
  std::uint8_t type_encoding_;
};

}  // namespace

bool ExceptionTables::read_call_sites(const Entry& entry, FunctionExceptions& exceptions) const {
  DwarfCursor cursor(image_.content_at(entry.table), entry.table);
  const auto pad_encoding = static_cast<std::uint8_t>(cursor.fixed(1));
  const std::uint64_t pads = pad_encoding == no_pointer ? entry.begin : cursor.pointer(pad_encoding);
  const auto type_encoding = static_cast<std::uint8_t>(cursor.fixed(1));
  std::uint64_t types = 0;
  if (type_encoding != no_pointer) {
    const std::uint64_t distance = cursor.unsigned_leb();
    types = cursor.address() + distance;
  }
  const auto encoding = static_cast<std::uint8_t>(cursor.fixed(1));
  DwarfCursor sites = cursor.part(cursor.unsigned_leb());
  const ActionTable actions(image_, cursor.address(), types, type_encoding);
  exceptions.has_table = true;
  exceptions.personality = entry.personality;
  exceptions.indirect_personality = entry.indirect_personality;
  exceptions.indirect_types = is_indirect(type_encoding);
  std::size_t types_read = 0;
  while (!sites.at_end()) {
    CallSite site;
    site.begin = entry.begin + sites.pointer(encoding);
    site.end = site.begin + sites.pointer(encoding);
    if (const std::uint64_t pad = sites.pointer(encoding); pad != 0) site.landing_pad = pads + pad;
    auto read = actions.read(sites.unsigned_leb());
    if (!read || sites.failed()) return false;
    for (const Action& action : *read) types_read += 1 + action.types.size();
    if (types_read > most_types_of_function) return false;
    site.actions = *std::move(read);
    exceptions.call_sites.push_back(std::move(site));
  }
  return !sites.failed() && !cursor.failed();
}

}  // namespace torchgate::code
