// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/launch/shards/join_runs.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr const char* header_file = "run.json";
constexpr const char* executables_file = "executables";  // as sha256sum writes it
constexpr const char* name_file = "save_as";
constexpr std::int64_t small_file_bytes = std::int64_t{1} << 20;

/// "000012.json": in the order of the schedule when sorted by name.
std::string piece_name(std::int64_t index) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%09lld.json", static_cast<long long>(index));
  return name.data();
}

bool is_piece(const fs::path& file) {
  const std::string stem = file.stem().string();
  return file.extension() == ".json" && !stem.empty() && stem.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<fs::path> pieces(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (is_piece(it->path())) all.push_back(it->path());
  std::sort(all.begin(), all.end());
  return all;
}

MachineLock lock_of(const fs::path& folder) {
  return MachineLock::take(folder / "lock", std::chrono::nanoseconds(0), [](const std::string&) {});
}

std::string hashes_text(const std::vector<FileHash>& files) {
  std::string text;
  for (const FileHash& file : files) text += file.sha256 + "  " + file.path.string() + '\n';
  return text;
}

std::vector<FileHash> read_hashes(const std::string& text) {
  constexpr std::size_t hash_digits = 64;
  std::vector<FileHash> files;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > hash_digits + 2) files.push_back({line.substr(hash_digits + 2), line.substr(0, hash_digits)});
  return files;
}

/// PROCESS alone as a run of its own: what it measured, and what it refers to.
record::Run piece_of(const record::Run& run, const record::Process& process,
                     const std::vector<record::Parameter>& facts) {
  record::Run piece;
  piece.id = run.id;
  piece.created = run.created;
  piece.tool_version = run.tool_version;
  piece.plan = run.plan;
  piece.machine.host_key = run.machine.host_key;
  for (const record::Parameter& fact : facts)
    piece.machine.facts.push_back({fact.name, fact.value, "", record::FactClass::warn});
  piece.sides = run.sides;
  piece.warnings = run.warnings;
  for (const record::Case& each : run.cases)
    if (each.group == process.group) piece.cases.push_back(each);
  piece.processes = {process};
  std::int64_t next = 0;
  for (std::int64_t& index : piece.processes.front().objects) {
    piece.objects.push_back(run.objects.at(static_cast<std::size_t>(index)));
    index = next++;
  }
  if (!process.files) return piece;
  next = 0;
  for (std::int64_t& index : *piece.processes.front().files) {
    piece.files.push_back(run.files.at(static_cast<std::size_t>(index)));
    index = next++;
  }
  return piece;
}

/// Position of each case of a run.
using CasePositions = std::unordered_map<std::string, std::size_t>;

CasePositions positions_of(const record::Run& run) {
  CasePositions positions;
  for (std::size_t i = 0; i < run.cases.size(); ++i) positions.emplace(run.cases[i].name, i);
  return positions;
}

/// Metrics that a suite reported only while it measured are in the piece's cases.
void take_cases(record::Run piece, const CasePositions& positions, record::Run& run) {
  for (record::Case& each : piece.cases) {
    const auto known = positions.find(each.name);
    if (known != positions.end()) run.cases[known->second] = std::move(each);
  }
}

Result<record::Run> read_piece(const fs::path& file, const CasePositions& positions) {
  auto piece = record::load_run(file, base::Links::refused);
  if (!piece) return piece;
  if (piece->processes.size() != 1)
    return Error{ErrorCode::bad_input,
                 file.string() + ": expected one process, found " + std::to_string(piece->processes.size())};
  // Its results would be of no case of the record.
  for (const record::CaseResult& each : piece->processes.front().cases) {
    if (!positions.contains(each.name)) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("{}: results of {}, which is not a case of this run; start a new run with `torchgate run`",
                      file.string(), base::in_quotes(each.name))};
    }
  }
  if (piece->samples)
    if (auto samples = record::load_samples(*piece, file); !samples) return samples.error();
  return piece;
}

std::chrono::system_clock::time_point written(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::chrono::system_clock::now();
  return std::chrono::system_clock::from_time_t(status.st_mtime);
}

/// Avoids hashing untouched files: LibTorch has half a gigabyte.
bool untouched(const record::LoadedObject& object) {
  struct stat status {};
  if (stat(object.path.c_str(), &status) != 0) return false;
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  return status.st_size == object.bytes && status.st_ino == object.inode &&
         status.st_mtim.tv_sec * ns_per_s + status.st_mtim.tv_nsec == object.mtime_ns;
}

Result<void> check_file(const fs::path& path, const std::string& sha256) {
  const auto now = base::sha256_of_file(path);
  if (now && *now == sha256) return {};
  return Error{ErrorCode::bad_input, path.string() + (now ? " changed" : " became unreadable") +
                                         " since the run was started, so the rest would measure different code; "
                                         "start a new run with `torchgate run`"};
}

Result<void> check_read_file(const record::ReadFile& file) {
  if (file.path.starts_with('$')) return {};  // a variable: the environment of a resumed run is checked as a whole
  std::error_code error;
  if (file.sha256.empty() && !fs::exists(file.path, error) && !error) return {};
  return check_file(file.path, file.sha256);
}

}  // namespace

Result<Journal> Journal::begin(const fs::path& folder, const record::Run& run, const std::vector<FileHash>& executables,
                               const std::string& save_as) {
  const fs::path own = folder / (run.id + journal_extension);
  std::error_code error;
  fs::create_directories(own, error);
  if (error) return Error{ErrorCode::io, own.string() + ": " + error.message()};
  Journal journal(own, lock_of(own));
  if (auto kept = base::write_file_atomically(own / executables_file, hashes_text(executables), true); !kept)
    return kept.error();
  if (auto kept = base::write_file_atomically(own / name_file, save_as, true); !kept) return kept.error();
  record::Run header = run;
  // Last: a folder with it is complete.
  if (auto kept = record::save_run(header, own / header_file, true); !kept) return kept.error();
  return journal;
}

Result<Journal> Journal::go_on(const fs::path& folder) {
  Journal journal(folder, lock_of(folder));
  if (!journal.lock_.held())
    return Error{ErrorCode::bad_input, folder.string() + " is in use by another torchgate process"};
  return journal;
}

Result<void> Journal::add(const record::Run& run, const record::Process& process,
                          const std::vector<record::Parameter>& facts) {
  record::Run piece = piece_of(run, process, facts);
  return record::save_run(piece, folder_ / piece_name(process.index), true);
}

Result<Unfinished> read_journal(const fs::path& folder) {
  auto header = record::load_run(folder / header_file, base::Links::refused);
  if (!header) return header.error();
  Unfinished result;
  result.folder = folder;
  result.run = *std::move(header);
  result.run.interrupted = true;
  result.last = written(folder / header_file);
  const CasePositions positions = positions_of(result.run);
  for (const fs::path& file : pieces(folder)) {
    auto piece = read_piece(file, positions);
    if (!piece) return piece.error();
    ProcessFacts facts{piece->processes.front().index, {}};
    for (const record::MachineFact& fact : piece->machine.facts)
      facts.facts.push_back({fact.name, fact.value.value_or("")});
    result.facts.push_back(std::move(facts));
    append_processes(*piece, result.run);
    append_warnings(*piece, result.run);
    result.run.plan = piece->plan;  // of the newest: who resumes may add to it
    take_cases(*std::move(piece), positions, result.run);
    result.last = std::max(result.last, written(file));
  }
  const auto hashes = base::read_file(folder / executables_file, small_file_bytes, base::Links::refused);
  if (!hashes) return hashes.error();
  result.executables = read_hashes(*hashes);
  const auto name = base::read_file(folder / name_file, small_file_bytes, base::Links::refused);
  if (!name) return name.error();
  result.save_as = *name;
  return result;
}

std::vector<UnfinishedEntry> unfinished_runs(const fs::path& folder) {
  std::vector<UnfinishedEntry> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != journal_extension) continue;
    const auto header = record::load_run(it->path() / header_file, base::Links::refused);
    if (!header) continue;
    const auto name = base::read_file(it->path() / name_file, small_file_bytes, base::Links::refused);
    all.push_back({header->id, it->path(), static_cast<std::int64_t>(pieces(it->path()).size()),
                   static_cast<std::int64_t>(header->sides.size()), header->created, name ? *name : "",
                   !lock_of(it->path()).held()});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.created < b.created; });
  return all;
}

void discard_journal(const fs::path& folder, const std::string& id) {
  if (id.empty() || id.find('/') != std::string::npos)
    return;  // read from a file: it must not be a path to another folder
  std::error_code ignored;
  const fs::path own = folder / (id + journal_extension);
  fs::remove(own / header_file, ignored);  // first: a folder without it is not a journal
  fs::remove_all(own, ignored);
}

Result<void> check_unchanged(const Unfinished& unfinished) {
  for (const FileHash& file : unfinished.executables)
    if (auto same = check_file(file.path, file.sha256); !same) return same;
  for (const record::LoadedObject& object : unfinished.run.objects) {
    if (object.system || object.sha256.empty() || untouched(object)) continue;
    if (auto same = check_file(object.path, object.sha256); !same) return same;
  }
  // Of groups that are not measured, nothing looks at these again.
  for (const record::UnchangedGroup& group : unfinished.run.unchanged) {
    for (const std::int64_t index : group.files) {
      const record::ReadFile& file = unfinished.run.files.at(static_cast<std::size_t>(index));
      if (auto same = check_read_file(file); !same) return same;
    }
  }
  return {};
}

}  // namespace torchgate::launch
