// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/same_files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "harness/base/significant_digits.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::gate {
namespace {

// Of measurements that differ in nothing but noise the first digits agree.
constexpr double common_digits = 3;
// 1e-9: among a million files the probability of one false copy is 0.1 %.
constexpr double needed_digits = 9;

// The processes of one file, which stand together.
using OfFile = std::vector<const record::Process*>;

// Of a stored run, whose files have no names, each process.
std::map<std::string, OfFile> files_of(const record::Run& run) {
  std::map<std::string, OfFile> files;
  for (const record::Process& process : run.processes) {
    const bool named = !process.file.empty();
    files[named ? process.file : "process " + std::to_string(process.index) + " of run " + run.id].push_back(&process);
  }
  return files;
}

bool is_ok(const record::CaseResult& result) {
  return result.status == record::CaseStatus::ok;
}

// What most files differ in: enough to look at a few only.
std::uint64_t key_of(const OfFile& file) {
  std::uint64_t key = file.size();
  for (const record::CaseResult& result : file.front()->cases) {
    constexpr std::uint64_t odd = 1099511628211U;
    if (!is_ok(result)) continue;
    for (const record::Measurement& each : result.measurements)
      key = key * odd + std::bit_cast<std::uint64_t>(each.summary ? each.summary->median : each.value.value_or(0));
  }
  return key;
}

bool same_numbers(const record::CaseResult& a, const record::CaseResult& b) {
  return a.name == b.name && a.status == b.status && a.calls_per_sample == b.calls_per_sample &&
         a.measurements == b.measurements;
}

bool same_process(const record::Process& a, const record::Process& b, bool dated) {
  return (!dated || a.started == b.started) &&
         std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(), same_numbers);
}

bool same_file(const OfFile& a, const OfFile& b, bool dated) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const auto* one, const auto* other) { return same_process(*one, *other, dated); });
}

double noisy_digits(double value) {
  return std::max(0.0, static_cast<double>(base::significant_digits(value)) - common_digits);
}

// Whole numbers of another unit than a time's may be counts, which repeat.
double noisy_digits(const record::Measurement& each) {
  double digits = 0;
  const bool is_time = each.metric == "time";
  const auto add = [&](double value) { digits += is_time || std::floor(value) != value ? noisy_digits(value) : 0; };
  if (each.samples.empty() && each.summary) add(each.summary->median);
  for (const double value : each.samples) add(value);
  return digits;
}

// What noise fills of its values is more than chance repeats. With the same date a single value is enough.
bool is_distinct(const OfFile& file, bool dated) {
  double digits = 0;
  for (const record::Process* const process : file) {
    for (const record::CaseResult& result : process->cases) {
      if (!is_ok(result)) continue;
      if (dated) return true;
      for (const record::Measurement& each : result.measurements) digits += noisy_digits(each);
      if (digits >= needed_digits) return true;
    }
  }
  return false;
}

using NamedFile = std::map<std::string, OfFile>::value_type;
using KnownFiles = std::unordered_multimap<std::uint64_t, const NamedFile*>;

KnownFiles known_files(const std::map<std::string, OfFile>& files) {
  KnownFiles known;
  for (const auto& file : files) known.emplace(key_of(file.second), &file);
  return known;
}

// At most two.
std::vector<const NamedFile*> twins_of(const OfFile& file, const KnownFiles& known, bool dated) {
  std::vector<const NamedFile*> twins;
  const auto [first, last] = known.equal_range(key_of(file));
  for (auto each = first; each != last && twins.size() < 2; ++each)
    if (same_file(each->second->second, file, dated)) twins.push_back(each->second);
  return twins;
}

// Files of AFTER that have the measurements of files of BEFORE.
struct SameFiles {
  std::vector<std::string> one;      // of one
  std::vector<std::string> several;  // of several, or several files of AFTER have them
};

SameFiles same_files(const record::Run& before, const record::Run& after) {
  SameFiles same;
  if (!record::is_imported(before) || !record::is_imported(after)) return same;
  const bool dated = record::has_dates(before) && record::has_dates(after);
  const auto stored = files_of(before);
  const auto current = files_of(after);
  const KnownFiles known = known_files(stored);
  const KnownFiles known_after = known_files(current);
  for (const auto& [name, file] : current) {
    if (!is_distinct(file, dated)) continue;
    const auto twins = twins_of(file, known, dated);
    if (twins.empty()) continue;
    // Two files of a side differ in something (same_measurement.hpp); where it is not in a record, these numbers do not tell files apart.
    const bool tells = twins.size() == 1 && twins_of(file, known_after, dated).size() == 1;
    const std::string& its_name = twins.front()->first;
    if (tells)
      same.one.push_back(its_name == name ? name : name + " (" + its_name + ")");
    else
      same.several.push_back(name);
  }
  return same;
}

}  // namespace

std::vector<std::string> files_on_both_sides(const record::Run& before, const record::Run& after) {
  return same_files(before, after).one;
}

std::vector<std::string> files_with_same_numbers(const record::Run& before, const record::Run& after) {
  return same_files(before, after).several;
}

}  // namespace torchgate::gate
