// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/lock_holder.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

namespace torchgate::launch {
namespace {

constexpr std::string_view our_program = "torchgate";

template <class Number>
bool parse(std::string_view text, Number& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

struct Place {
  unsigned major_number = 0;
  unsigned minor_number = 0;
  ino_t inode = 0;
};

// "08:01:5678": two hexadecimal numbers of the device and a decimal one of the file (fs/locks.c).
std::optional<Place> place_of(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
  Place place;
  constexpr int hexadecimal = 16;
  constexpr int decimal = 10;
  if (second == std::string_view::npos || !parse(text.substr(0, first), place.major_number, hexadecimal) ||
      !parse(text.substr(first + 1, second - first - 1), place.minor_number, hexadecimal) ||
      !parse(text.substr(second + 1), place.inode, decimal))
    return std::nullopt;
  return place;
}

std::string user_name(uid_t user) {
  constexpr std::size_t longest = 4096;
  std::array<char, longest> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return "";
  return entry.pw_name;
}

}  // namespace

std::optional<pid_t> flock_owner(std::string_view locks, dev_t device, ino_t inode) {
  // "7: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF"; a waiting process has "->" after the number.
  std::optional<pid_t> other_device;
  std::istringstream lines{std::string(locks)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string ignored;
    std::string where;
    pid_t pid = 0;
    if (!(words >> number >> kind >> ignored >> ignored >> pid >> where) || kind != "FLOCK") continue;
    const auto place = place_of(where);
    if (!place || place->inode != inode || pid <= 0) continue;
    if (makedev(place->major_number, place->minor_number) == device) return pid;
    other_device = pid;  // overlay and btrfs give files another device than the kernel's own tables
  }
  return other_device;
}

LockHolder lock_holder(int descriptor, const std::filesystem::path& proc) {
  LockHolder holder;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return holder;
  std::ifstream locks(proc / "locks");
  const std::string text{std::istreambuf_iterator<char>(locks), {}};
  holder.pid = flock_owner(text, status.st_dev, status.st_ino);
  if (!holder.pid) {
    holder.user = status.st_uid;
    return holder;
  }
  const std::filesystem::path folder = proc / std::to_string(*holder.pid);
  struct stat process {};
  if (stat(folder.c_str(), &process) == 0) holder.user = process.st_uid;
  std::ifstream comm(folder / "comm");
  std::getline(comm, holder.program);
  return holder;
}

std::string holder_text(const LockHolder& holder) {
  std::string text = holder.pid ? "process " + std::to_string(*holder.pid) : "an unknown process";
  if (!holder.program.empty()) text += " (" + holder.program + ")";
  if (!holder.user) return text;
  const std::string name = user_name(*holder.user);
  const std::string number = std::to_string(*holder.user);
  const std::string user = name.empty() ? "user " + number : "user " + name + " (" + number + ")";
  return holder.pid ? text + " of " + user : text + "; the file belongs to " + user;
}

bool worth_waiting_for(const LockHolder& holder, uid_t us) {
  return holder.user == us || holder.program == our_program;
}

}  // namespace torchgate::launch
