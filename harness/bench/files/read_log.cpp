// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/files/read_log.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>

#include "harness/base/fnv1a.hpp"

namespace torchgate::bench {
namespace {

constexpr bool has(std::uint32_t kinds, Opened kind) {
  return (kinds & static_cast<std::uint32_t>(kind)) != 0;
}

/// Paths are short, and a file that is opened in a timed call costs a system call anyway.
std::size_t place_of(std::string_view path) noexcept {
  return base::fnv1a(path);
}

bool is_below_one_of(const std::set<std::string_view>& folders, std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1))
    if (folders.contains(path.substr(0, slash))) return true;
  return false;
}

constexpr const char* too_many = "it opens more files than can be recorded";

}  // namespace

bool ReadLog::is_kernel_path(std::string_view path) noexcept {
  for (const std::string_view folder : {"/proc", "/sys", "/dev"})
    if (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/')) return true;
  return false;
}

ReadLog::Entry* ReadLog::entry_at(std::uint32_t offset) noexcept {
  return std::launder(reinterpret_cast<Entry*>(bytes_.data() + offset));
}

const ReadLog::Entry* ReadLog::entry_at(std::uint32_t offset) const noexcept {
  return std::launder(reinterpret_cast<const Entry*>(bytes_.data() + offset));
}

std::string_view ReadLog::path_at(std::uint32_t offset) const noexcept {
  return {bytes_.data() + offset + sizeof(Entry), entry_at(offset)->length};
}

/// Offset + 1; 0: no room.
std::uint32_t ReadLog::append(std::string_view path) noexcept {
  const std::size_t size = (sizeof(Entry) + path.size() + alignof(Entry) - 1) / alignof(Entry) * alignof(Entry);
  if (path.size() >= most_bytes || used_.load() + size > most_bytes || files_.load() >= most_files) return 0;
  const std::uint32_t offset = used_.fetch_add(static_cast<std::uint32_t>(size));
  if (offset + size > most_bytes) return 0;
  auto* const entry = new (bytes_.data() + offset) Entry{0, static_cast<std::uint32_t>(path.size())};
  std::memcpy(reinterpret_cast<char*>(entry) + sizeof(Entry), path.data(), path.size());
  files_.fetch_add(1);
  return offset + 1;
}

/// The place that has PATH, or else the free one where it belongs; `no_slot`: all are taken.
std::size_t ReadLog::slot_of(std::string_view path) const noexcept {
  for (std::size_t i = 0, place = place_of(path); i < places_.size(); ++i, ++place) {
    const std::size_t slot = place % places_.size();
    const std::uint32_t found = places_[slot].load(std::memory_order_acquire);
    if (found == 0 || path_at(found - 1) == path) return slot;
  }
  return no_slot;
}

ReadLog::Entry* ReadLog::entry_of(std::string_view path) noexcept {
  std::uint32_t mine = 0;
  for (std::size_t slot = slot_of(path); slot != no_slot; slot = slot_of(path)) {
    std::uint32_t found = places_[slot].load(std::memory_order_acquire);
    if (found == 0) {
      if (mine == 0) mine = append(path);
      if (mine == 0) return nullptr;
      if (places_[slot].compare_exchange_strong(found, mine, std::memory_order_acq_rel)) return entry_at(mine - 1);
    }
    if (path_at(found - 1) == path) return entry_at(found - 1);  // another thread's, if it was free a moment ago
  }
  return nullptr;
}

void ReadLog::note(std::string_view path, std::uint32_t kinds) noexcept {
  if (is_kernel_path(path)) return;
  Entry* const entry = entry_of(path);
  if (entry == nullptr) return note_unknown(too_many);
  const std::uint32_t before = entry->kinds.load();
  // What the process made is its own: neither reading nor writing it later says anything about the outside.
  if (has(before, Opened::made)) return;
  // Emptied after it was read: this process leaves another file than it found.
  // After asking alone it is its own: many look whether there is such a file, and make it.
  if ((before & ~static_cast<std::uint32_t>(Opened::asked)) != 0 && has(kinds, Opened::made))
    kinds = (kinds & ~static_cast<std::uint32_t>(Opened::made)) | static_cast<std::uint32_t>(Opened::written);
  if ((before | kinds) != before) entry->kinds.fetch_or(kinds);
}

void ReadLog::note_unknown(const char* why) noexcept {
  const char* none = nullptr;
  unknown_.compare_exchange_strong(none, why);
}

std::vector<std::string> ReadLog::inputs(std::string& unknown) const {
  const char* const why = unknown_.load();
  unknown = why == nullptr ? "" : why;
  std::vector<std::uint32_t> offsets;
  for (const auto& slot : places_)
    if (const std::uint32_t place = slot.load(std::memory_order_acquire); place != 0) offsets.push_back(place - 1);
  std::sort(offsets.begin(), offsets.end());
  std::set<std::string_view> own;
  for (const std::uint32_t offset : offsets)
    if (has(entry_at(offset)->kinds.load(), Opened::made)) own.insert(path_at(offset));
  std::vector<std::string> paths;
  for (const std::uint32_t offset : offsets) {
    const std::uint32_t kinds = entry_at(offset)->kinds.load();
    // What it makes in a folder of its own, as one for unpacking a model, is there only because of it.
    const bool is_asked = has(kinds, Opened::asked) && !has(kinds, Opened::made) && !has(kinds, Opened::written) &&
                          !is_below_one_of(own, path_at(offset));
    if (!has(kinds, Opened::read) && !has(kinds, Opened::missing) && !is_asked) continue;
    const std::string path(path_at(offset));
    if (unknown.empty() && (has(kinds, Opened::written) || (has(kinds, Opened::read) && has(kinds, Opened::missing))))
      unknown = "it changes a file that it reads: " + path;
    paths.push_back(path);
  }
  return paths;
}

const ReadLog::Entry* ReadLog::known(std::string_view path) const noexcept {
  const std::size_t slot = slot_of(path);
  const std::uint32_t found = slot == no_slot ? 0 : places_[slot].load(std::memory_order_acquire);
  return found != 0 && path_at(found - 1) == path ? entry_at(found - 1) : nullptr;
}

bool ReadLog::has_made(std::string_view path) const {
  const Entry* const entry = known(path);
  return entry != nullptr && has(entry->kinds.load(), Opened::made);
}

}  // namespace torchgate::bench
