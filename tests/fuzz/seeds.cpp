// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/seeds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "harness/record/codec.hpp"
#include "harness/record/internal/samples_file.hpp"
#include "tests/fuzz/seed_runs.hpp"
#include "tests/fuzz/target.hpp"

namespace torchgate::fuzz {
namespace {

namespace fs = std::filesystem;
using Seeds = std::vector<Seed>;

const fs::path tests = TORCHGATE_TESTS_DIR;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The files of FOLDER (below tests/) whose names end in ENDING.
void add_files(const std::string& folder, const std::string& ending, Seeds& seeds) {
  const std::size_t before = seeds.size();
  for (const auto& entry : fs::directory_iterator(tests / folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.ends_with(ending)) seeds.push_back({name, content_of(entry.path())});
  }
  if (seeds.size() == before) throw std::runtime_error("tests/" + folder + " has no *" + ending);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(1, part_separator)) + part;
  return text;
}

std::string text_of(const record::Run& run) {
  return record::to_json(without_samples(run));
}

const record::Run& before() {
  static const record::Run run = stored_run("aaaaaaaaaaaaaaaa", 1.0);
  return run;
}
const record::Run& after() {
  static const record::Run run = stored_run("bbbbbbbbbbbbbbbb", 1.3);
  return run;
}

// Runs as the target `judge` takes them: stored, current, and pairs that confirm them.
void add_comparisons(Seeds& seeds) {
  record::Run pairs = paired_run("cccccccccccccccc", 1.3);
  seeds.push_back({"two_runs", joined({text_of(before()), text_of(after())})});
  seeds.push_back({"paired", joined({text_of(pairs)})});
  pairs.plan.confirms = record::Confirms{after().id, before().id, 1};
  seeds.push_back({"confirmed", joined({text_of(before()), text_of(after()), text_of(pairs)})});
}

// Its hash is another one in every run: shards and calibrations are of one build.
void drop_library(record::Run& run) {
  run.objects.pop_back();
  for (record::Process& process : run.processes) process.objects = {0};
}

void add_shards(Seeds& seeds) {
  std::vector<std::string> shards;
  for (const std::int64_t shard : {1, 2}) {
    record::Run run = stored_run(std::string(16, static_cast<char>('0' + shard)), 1.0);
    run.plan.shard = shard;
    run.plan.shards = 2;
    run.plan.division = {{"g/one"}, {"g/two"}};
    if (shard == 2) {
      run.groups.front().name = "g/two";
      run.groups.front().claims.clear();
      for (record::Case& each : run.cases) each.group = "g/two", each.name = "g/two" + each.name.substr(5);
      for (record::Process& process : run.processes) {
        process.group = "g/two";
        for (record::CaseResult& result : process.cases) result.name = "g/two" + result.name.substr(5);
      }
    }
    drop_library(run);
    shards.push_back(text_of(run));
  }
  seeds.push_back({"shards", joined(shards)});
}

void add_runs(Seeds& seeds) {
  std::vector<std::string> runs;
  for (const char digit : {'1', '2', '3', '4', '5', '6'}) {
    record::Run run = stored_run(std::string(16, digit), digit >= '4' ? 1.3 : 1.0);
    run.created[8] = '0', run.created[9] = digit;
    drop_library(run);
    runs.push_back(text_of(run));
  }
  seeds.push_back({"six_days", joined(runs)});
}

// FOLDER below tests/ with all that is in it, as file_set.hpp has it.
Seed file_set(const std::string& folder) {
  std::vector<std::string> parts;
  for (const auto& entry : fs::recursive_directory_iterator(tests / folder))
    if (entry.is_regular_file())
      parts.push_back(fs::relative(entry.path(), tests / folder).string() + '\n' + content_of(entry.path()));
  std::sort(parts.begin(), parts.end());
  return {fs::path(folder).filename().string(), joined(parts)};
}

Seed journal() {
  record::Run header = without_samples(before());
  header.processes.clear();
  std::vector<std::string> parts{"run.json\n" + record::to_json(header), "save_as\nname",
                                 "executables\n" + std::string(64, 'a') + "  /build/g\n"};
  for (const std::int64_t index : {0, 2}) {
    record::Run piece = without_samples(before());
    piece.processes = {piece.processes.at(static_cast<std::size_t>(index))};
    parts.push_back("00000000" + std::to_string(index) + ".json\n" + record::to_json(piece));
  }
  return {"two_processes", joined(parts)};
}

Seed store() {
  const std::string folder = "runs/host-a/";
  return {"one_run", joined({"torchgate-store.json\n{\"schema\": \"torchgate.store/1\"}\n",
                             folder + "20260101T000000.000Z-cccccccccccc-aaaaaaaaaaaaaaaa.json\n" + text_of(before()),
                             "calibrations/host-a/20260101T000000.000Z.json\n" +
                                 content_of(tests / "fuzz/seeds/calibration/small"),
                             "pins/v1.2/20260101000000000.json\n" + content_of(tests / "fuzz/seeds/pin/release")})};
}

const std::map<std::string, std::function<void(Seeds&)>>& table() {
  static const std::map<std::string, std::function<void(Seeds&)>> seeds_by_target{
      {"benchmark_names", [](Seeds&) {}},
      {"calibration", [](Seeds&) {}},
      {"callgrind_file", [](Seeds& seeds) { add_files("fixtures/callgrind", ".2", seeds); }},
      {"pin", [](Seeds&) {}},
      {"case_patterns", [](Seeds&) {}},
      {"elf_soname", [](Seeds&) {}},
      {"entry_name", [](Seeds&) {}},
      {"foreign_json",
       [](Seeds& seeds) {
         for (const char* folder :
              {"nvbench", "pytest-benchmark", "pyperf", "hyperfine", "action", "criterion/sum/fast/new"})
           add_files(std::string("fixtures/import/") + folder, ".json", seeds);
       }},
      {"foreign_text",
       [](Seeds& seeds) {
         for (const char* folder : {"benchstat", "go", "catch2", "action"})
           add_files(std::string("fixtures/import/") + folder, ".txt", seeds);
         add_files("fixtures/import/go", ".json", seeds);
         add_files("fixtures/import/catch2", ".xml", seeds);
         add_files("fixtures/import/google-benchmark", ".csv", seeds);
       }},
      {"git_output", [](Seeds&) {}},
      {"google_benchmark", [](Seeds& seeds) { add_files("fixtures/import", ".json", seeds); }},
      {"journal", [](Seeds& seeds) { seeds.push_back(journal()); }},
      {"judge", add_comparisons},
      {"last_report",
       [](Seeds& seeds) {
         add_files("golden/reports", ".json", seeds);
         add_files("golden/gate", ".json", seeds);
       }},
      {"machine_files",
       [](Seeds& seeds) {
         for (const char* name : {"arm", "desktop", "virtual"})
           seeds.push_back(file_set(std::string("fixtures/machine/") + name));
       }},
      {"merge_shards", add_shards},
      {"pair_plan_file", [](Seeds&) {}},
      {"policy_text", [](Seeds&) {}},
      {"policy_toml", [](Seeds&) {}},
      {"process_maps", [](Seeds&) {}},
      {"process_report",
       [](Seeds& seeds) {
         seeds.push_back({"process.json", content_of(tests / "fixtures/record/process.json")});
       }},
      {"raw_samples", [](Seeds&) {}},
      {"run_record",
       [](Seeds& seeds) {
         seeds.push_back({"run.json", content_of(tests / "fixtures/record/run.json")});
         seeds.push_back({"stored", text_of(before())});
       }},
      {"samples_file",
       [](Seeds& seeds) {
         seeds.push_back({"all", record::internal::encode_samples(before())});
       }},
      {"series_of_runs", add_runs},
      {"shard_plan", [](Seeds&) {}},
      {"shown_text", [](Seeds& seeds) { add_files("golden/reports", ".md", seeds); }},
      {"store", [](Seeds& seeds) { seeds.push_back(store()); }},
      {"triage_cause", [](Seeds& seeds) { add_files("golden/workflow", ".md", seeds); }},
      {"triage_toml", [](Seeds&) {}},
      {"waivers_toml", [](Seeds&) {}},
      {"zip", [](Seeds& seeds) { add_files("fixtures/github", ".zip", seeds); }},
  };
  return seeds_by_target;
}

}  // namespace

std::vector<Seed> seeds_of(const std::string& target) {
  Seeds seeds;
  const auto known = table().find(target);
  if (known == table().end()) throw std::runtime_error("tests/fuzz/seeds.cpp has no seeds of '" + target + "'");
  known->second(seeds);
  for (const char* kind : {"seeds", "regressions"}) {
    const std::string folder = std::string("fuzz/") + kind + "/" + target;
    if (fs::is_directory(tests / folder)) add_files(folder, "", seeds);
  }
  if (seeds.empty()) throw std::runtime_error("the target '" + target + "' has nothing to start from");
  return seeds;
}

}  // namespace torchgate::fuzz
