// SPDX-License-Identifier: Apache-2.0
#include "harness/import/own_facts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/base/hexadecimal.hpp"
#include "harness/base/limits.hpp"
#include "harness/record/fact_prefixes.hpp"

namespace torchgate::import {
namespace {

// Words of keys: of a build, of a run, of a moment, and texts for people.
constexpr std::array<std::string_view, 17> words_of_one_run{
    "commit", "revision", "rev",       "sha",    "gitsha",  "githash", "branch",      "pid",    "uuid",
    "date",   "datetime", "timestamp", "uptime", "loadavg", "note",    "description", "comment"};

// The same of two words.
constexpr std::array<std::string_view, 20> pairs_of_one_run{
    "build_id",  "build_number", "build_time",  "run_id",      "job_id",      "start_time",      "end_time",
    "boot_time", "load_avg",     "cpu_freq",    "gpu_freq",    "cpu_temp",    "cpu_temperature", "gpu_temperature",
    "gpu_temp",  "memory_free",  "free_memory", "memory_used", "used_memory", "available_memory"};

// Words of a hash, where its value is one; "hash: xxh3" and "sha256: on" are settings.
constexpr std::array<std::string_view, 5> of_hashes{"hash", "sha1", "sha256", "digest", "checksum"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

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
    const bool begins_word = is_upper(c) && before != '_' && !is_upper(before);
    if (begins_word) words += '_';
    before = is_letter(c) || is_digit(c) ? c : '_';
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

// "2026-12-01T16:45", "2026-12-01 16:45".
bool is_time(std::string_view value) {
  constexpr std::string_view form = "0000-00-00";
  if (value.size() < form.size() + 2 || !is_digit(value[form.size() + 1])) return false;
  if (value[form.size()] != 'T' && value[form.size()] != ' ') return false;
  return std::equal(form.begin(), form.end(), value.begin(),
                    [](char expected, char c) { return expected == '0' ? is_digit(c) : expected == c; });
}

// Of Python's tempfile, mktemp and pytest; /tmp/data.bin is a chosen file.
bool is_temporary_folder(std::string_view value) {
  return value.starts_with("/tmp/tmp") || value.starts_with("/var/folders/") ||
         value.find("/pytest-of-") != std::string_view::npos;
}

bool has_decimals(std::string_view value) {
  return std::adjacent_find(value.begin(), value.end(), [](char a, char b) { return a == '.' && is_digit(b); }) !=
         value.end();
}

// "2.10.0+cu126".
bool is_version(std::string_view value) {
  const std::string_view numbers = value.substr(0, value.find_first_not_of("0123456789."));
  return std::count(numbers.begin(), numbers.end(), '.') > 1;
}

std::int64_t count_of(const ImportedProcess& process, std::string_view prefix) {
  return std::count_if(process.facts.begin(), process.facts.end(),
                       [&](const record::MachineFact& each) { return each.name.starts_with(prefix); });
}

bool has_fact(const ImportedProcess& process, const std::string& name) {
  return std::any_of(process.facts.begin(), process.facts.end(),
                     [&](const record::MachineFact& each) { return each.name == name; });
}

void add_label_fact(ImportedProcess& process, const std::string& name, std::string label, bool measured) {
  std::string fact = std::string(record::label_prefix) + name;
  if (label.empty() || std::max(label.size(), fact.size()) > base::max_name_bytes) return;
  if (count_of(process, record::label_prefix) == std::int64_t{record::most_labels}) return;
  process.facts.push_back(
      {std::move(fact), std::move(label), "", measured ? record::FactClass::info : record::FactClass::warn});
}

}  // namespace

bool is_of_one_run(std::string_view key, std::string_view value) {
  const std::string words = words_of(key);
  return has_any(words, words_of_one_run) || has_any(words, pairs_of_one_run) ||
         (is_hash(value) && has_any(words, of_hashes)) || is_time(value) || is_temporary_folder(value) ||
         value.find(" at 0x") != std::string_view::npos;
}

bool is_measured_number(std::string_view key, std::string_view value) {
  if (value.find('%') != std::string_view::npos) return true;
  constexpr std::array<std::string_view, 1> versions{"version"};
  return has_decimals(value) && !is_version(value) && !has_any(words_of(key), versions);
}

void add_own_fact(ImportedProcess& process, std::string_view key, std::string value) {
  constexpr std::int64_t most_facts = 100;
  std::string name = std::string(record::own_fact_prefix) + std::string(key);
  if (value.empty() || std::max(value.size(), name.size()) > base::max_name_bytes) return;
  if (is_of_one_run(key, value) || has_fact(process, name)) return;
  if (count_of(process, record::own_fact_prefix) == most_facts) return;
  process.facts.push_back({std::move(name), std::move(value), "", record::FactClass::warn});
}

void add_label(ImportedProcess& process, const std::string& name, std::string label) {
  const bool measured = has_decimals(label) || label.find('%') != std::string::npos;
  add_label_fact(process, name, std::move(label), measured);
}

void add_label(ImportedProcess& process, std::string_view key, const std::string& name, std::string label) {
  if (is_of_one_run(key, label)) return;
  const bool measured = is_measured_number(key, label);
  add_label_fact(process, std::string(key) + " of " + name, std::move(label), measured);
}

}  // namespace torchgate::import
