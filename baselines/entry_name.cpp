// SPDX-License-Identifier: Apache-2.0
#include "baselines/entry_name.hpp"

#include <algorithm>

#include "baselines/safe_name.hpp"
#include "baselines/store_checks.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::string_view iso_pattern = "dddd-dd-ddTdd:dd:dd.dddZ";
constexpr std::string_view compact_pattern = "ddddddddTdddddd.dddZ";
constexpr std::string_view no_commit = "nocommit";
constexpr std::size_t id_digits = 16;
constexpr std::string_view extension = ".json";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// `d` stands for a digit, every other character for itself.
bool matches(std::string_view text, std::string_view pattern) {
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(),
                    [](char c, char p) { return p == 'd' ? is_digit(c) : c == p; });
}

/// Moves the digits of TEXT, in order, into the places that PATTERN has for them.
std::string with_digits_of(std::string_view text, std::string_view pattern) {
  std::string out(pattern);
  auto place = out.begin();
  for (const char c : text) {
    if (!is_digit(c)) continue;
    place = std::find(place, out.end(), 'd');
    *place++ = c;
  }
  return out;
}

Error unusable(const std::string& what, const std::string& value) {
  return {ErrorCode::bad_input, "this run cannot be stored: invalid " + what + " '" + value + "'"};
}

}  // namespace

base::Result<Entry> entry_of(const record::Run& run, bool of_commit) {
  if (run.id.size() != id_digits || !base::is_lower_hex(run.id)) return unusable("id (16 hexadecimal digits)", run.id);
  if (!is_utc_time(run.created)) return unusable("time (YYYY-MM-DDThh:mm:ss.mmmZ)", run.created);
  if (!is_safe_folder_name(run.machine.host_key)) return unusable("host key", run.machine.host_key);
  Entry entry{run.id, run.machine.host_key, run.created, std::nullopt};
  if (of_commit) {
    const auto commit = run.sides.empty() ? std::nullopt : run.sides.front().source.commit;
    if (!commit || !record::is_full_commit(*commit)) {
      return unusable("commit (a full hash)", commit.value_or("unknown"));
    }
    entry.commit = record::short_commit(*commit);
  }
  return entry;
}

std::string file_name(const Entry& entry) {
  return with_digits_of(entry.created, compact_pattern) + "-" + entry.commit.value_or(std::string(no_commit)) + "-" +
         entry.id + std::string(extension);
}

std::optional<Entry> parse_file_name(std::string_view name, const std::string& host_key) {
  const auto first = name.find('-');
  const auto second = first == std::string_view::npos ? first : name.find('-', first + 1);
  if (second == std::string_view::npos || !name.ends_with(extension)) return std::nullopt;
  const auto time = name.substr(0, first);
  const auto commit = name.substr(first + 1, second - first - 1);
  auto id = name.substr(second + 1);
  id.remove_suffix(extension.size());
  if (!matches(time, compact_pattern) || id.size() != id_digits || !base::is_lower_hex(id)) return std::nullopt;
  Entry entry{std::string(id), host_key, with_digits_of(time, iso_pattern), std::nullopt};
  if (commit != no_commit) {
    if (commit.size() != record::short_commit_digits || !base::is_lower_hex(commit)) return std::nullopt;
    entry.commit = std::string(commit);
  }
  return entry;
}

}  // namespace torchgate::baselines
