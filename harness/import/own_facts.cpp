// SPDX-License-Identifier: Apache-2.0
#include "harness/import/own_facts.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/base/hexadecimal.hpp"

namespace torchgate::import {
namespace {

// Words of keys, and pairs of them.
constexpr std::array<std::string_view, 22> of_one_run{
    "commit",    "revision",   "rev",      "sha",        "gitsha",   "githash",  "date",   "datetime",
    "timestamp", "start_time", "end_time", "build_time", "run_id",   "build_id", "job_id", "build_number",
    "pid",       "uuid",       "uptime",   "boot_time",  "load_avg", "loadavg"};

// Words of a hash, where its value is one; "hash: xxh3" and "sha256: on" are settings.
constexpr std::array<std::string_view, 5> of_hashes{"hash", "sha1", "sha256", "digest", "checksum"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// "_git_commit_" of "git-commit", "gitCommit" and "git.Commit".
std::string words_of(std::string_view key) {
  std::string words = "_";
  char before = '_';
  for (const char c : key) {
    const bool digit = c >= '0' && c <= '9';
    const bool begins_word = is_upper(c) && before != '_' && !is_upper(before);
    if (begins_word) words += '_';
    before = is_letter(c) || digit ? c : '_';
    words += is_upper(before) ? static_cast<char>(before - 'A' + 'a') : before;
  }
  return words + '_';
}

template <class Words>
bool has_any(const std::string& words, const Words& searched) {
  return std::any_of(searched.begin(), searched.end(), [&](std::string_view word) {
    return words.find('_' + std::string(word) + '_') != std::string::npos;
  });
}

bool is_hash(std::string_view value) {
  constexpr std::size_t shortest = 7;  // as git abbreviates it
  return value.size() >= shortest && base::is_lower_hex(value);
}

}  // namespace

bool is_of_one_run(std::string_view key, std::string_view value) {
  const std::string words = words_of(key);
  return has_any(words, of_one_run) || (is_hash(value) && has_any(words, of_hashes));
}

}  // namespace torchgate::import
