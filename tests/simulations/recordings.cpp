// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/recordings.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/simulations/csv.hpp"

namespace torchgate::simulations {
namespace {

constexpr std::size_t processes_per_sequence = 96;
constexpr double processes_per_block = 4;

RecordedProcess read_process(const Csv& csv, std::size_t row) {
  RecordedProcess process;
  process.mean = csv.number(row, "mean");
  process.log_mean = std::log(process.mean);
  process.log_median = std::log(csv.number(row, "median"));
  process.log_p95 = std::log(csv.number(row, "p95"));
  process.log_p99 = std::log(csv.number(row, "p99"));
  constexpr std::size_t iterations = 200;
  const double sd = csv.number(row, "sd200");
  process.samples = {iterations, csv.number(row, "mean200"), sd * sd * static_cast<double>(iterations - 1)};
  return process;
}

std::vector<std::filesystem::path> files_named(const std::filesystem::path& folder, const std::string& stem) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem) && (name.ends_with(".csv") || name.ends_with(".csv.gz"))) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

using SessionsByTime = std::map<double, RecordedSession>;

void read_sessions(const std::filesystem::path& file, std::size_t folder, SessionsByTime& sessions) {
  const Csv csv(file);
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    RecordedSession& session = sessions[csv.number(row, "session")];
    session.folder = folder;
    session.processes[{csv.text(row, "workload"), csv.text(row, "variant")}].push_back(read_process(csv, row));
  }
}

// Only sessions in which every workload ran every variant equally often can be compared.
bool is_complete(const RecordedSession& session, std::size_t combinations, std::size_t processes) {
  return session.processes.size() == combinations &&
         std::all_of(session.processes.begin(), session.processes.end(),
                     [&](const auto& one) { return one.second.size() == processes; });
}

void read_sequences(const std::filesystem::path& file, std::size_t folder, std::vector<RecordedSequence>& sequences) {
  const Csv csv(file);
  std::map<std::string, std::map<double, std::size_t>> rows;  // of one sequence, by position
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    const std::string key =
        csv.text(row, "sequence") + ',' + csv.text(row, "workload") + ',' + csv.text(row, "variant");
    rows[key][csv.number(row, "block") * processes_per_block + csv.number(row, "pos")] = row;
  }
  for (const auto& [key, positions] : rows) {
    if (positions.size() < processes_per_sequence) continue;
    const std::size_t any = positions.begin()->second;
    RecordedSequence sequence{folder, csv.text(any, "workload"), csv.text(any, "variant"), {}, {}};
    for (const auto& [position, row] : positions) {
      sequence.processes.push_back(read_process(csv, row));
      sequence.is_candidate.push_back(csv.number(row, "is_b") != 0.0);
    }
    sequences.push_back(sequence);
  }
}

}  // namespace

bool is_valid(const Workload& workload, const Variant& variant) {
  return workload != "sort" || variant.front() != 'p';
}

Recordings read_recordings(const std::vector<std::filesystem::path>& folders) {
  Recordings recordings;
  SessionsByTime sessions;
  for (std::size_t folder = 0; folder < folders.size(); ++folder) {
    if (!std::filesystem::is_directory(folders[folder])) {
      throw std::runtime_error(folders[folder].string() + " is not a folder");
    }
    recordings.folders.push_back(folders[folder].string());
    for (const auto& file : files_named(folders[folder], "sessions_process")) read_sessions(file, folder, sessions);
    for (const auto& file : files_named(folders[folder], "interleaved_process")) {
      read_sequences(file, folder, recordings.sequences);
    }
  }
  std::size_t combinations = 0;
  std::size_t processes = 0;
  std::set<Workload> workloads;
  for (const auto& [time, session] : sessions) {
    combinations = std::max(combinations, session.processes.size());
    for (const auto& [key, of_key] : session.processes) {
      processes = std::max(processes, of_key.size());
      workloads.insert(key.first);
    }
  }
  for (auto& [time, session] : sessions) {
    if (is_complete(session, combinations, processes)) recordings.sessions.push_back(std::move(session));
  }
  recordings.workloads.assign(workloads.begin(), workloads.end());
  if (recordings.sessions.empty() && recordings.sequences.empty()) {
    throw std::runtime_error("no sessions_process*.csv[.gz] or interleaved_process*.csv[.gz] with whole sessions in " +
                             (folders.empty() ? std::string("no folder at all") : recordings.folders.front()));
  }
  return recordings;
}

}  // namespace torchgate::simulations
