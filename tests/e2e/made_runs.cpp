// SPDX-License-Identifier: Apache-2.0
// Runs for experiments and benchmarks of torchgate itself, made from a seed or from a measured run:
//   made_runs generate CASES SAMPLES PROCESSES SEED OUT     a run with known truth: no case differs from another seed's
//   made_runs scale IN OUT FACTOR SHARE SEED                a measured run with a share of its cases slowed down
//   made_runs google_benchmark IN OUT                       the samples of a run as Google Benchmark writes them
//   made_runs history RUNS STEP FACTOR COMMITS FOLDER [CASES]   a run a day, each of a commit of the list in the file
//                                                           COMMITS; from run STEP on (0 is the first) every case takes
//                                                           FACTOR times as long; with CASES, every tenth of them
// scale prints the names of the cases it slowed down.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "harness/record/codec.hpp"

namespace {

using namespace torchgate;

std::string hex(std::uint64_t value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[text.size() - 1 - i] = digits[(value >> (4 * i)) & 15];
  return text;
}

record::SampleSummary summarize(std::vector<double> samples) {
  record::SampleSummary s;
  s.n = static_cast<std::int64_t>(samples.size());
  double sum = 0;
  for (const double x : samples) sum += x;
  s.mean = sum / static_cast<double>(samples.size());
  double squares = 0;
  for (const double x : samples) squares += (x - s.mean) * (x - s.mean);
  if (s.n > 1) s.sd = std::sqrt(squares / static_cast<double>(s.n - 1));
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double q) {
    const double h = q * static_cast<double>(samples.size() - 1);
    const auto low = static_cast<std::size_t>(h);
    const std::size_t high = std::min(low + 1, samples.size() - 1);
    return samples[low] + (h - static_cast<double>(low)) * (samples[high] - samples[low]);
  };
  s.min = samples.front();
  s.p25 = at(0.25);
  s.median = at(0.5);
  s.p75 = at(0.75);
  s.max = samples.back();
  return s;
}

// Case i takes a time that is the same for every seed; processes differ by 1 %, samples within one by 3 %.
record::Run made_run(int cases, int samples, int processes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  record::Run run;
  run.id = hex(random());
  run.created = "2026-01-01T00:00:0" + std::to_string(seed % 10) + ".000Z";
  run.tool_version = "made";
  run.plan.processes = processes;
  run.plan.suites = {"made"};
  run.machine.host_key = "made-host";
  run.sides = {record::Side{"run", {}, {"made"}}};
  run.groups = {record::Group{"made/group", "made", std::nullopt, {}}};
  for (int c = 0; c < cases; ++c) {
    record::Case definition;
    definition.name = "made/group/variant/case:" + std::to_string(c);
    definition.suite = "made";
    definition.group = "made/group";
    definition.variant = "variant";
    definition.parameters = {{"case", std::to_string(c)}};
    definition.protocol = "cpu-wall/1";
    definition.metrics = {{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true}};
    run.cases.push_back(std::move(definition));
  }
  const int each = std::max(1, samples / processes);
  for (int p = 0; p < processes; ++p) {
    record::Process process;
    process.index = p;
    process.suite = "made";
    process.group = "made/group";
    process.started = run.created;
    for (int c = 0; c < cases; ++c) {
      const double process_time = 1e5 * (1 + c % 97) * std::exp(0.01 * normal(random));
      record::Measurement time;
      time.metric = "time";
      for (int i = 0; i < each; ++i) time.samples.push_back(process_time * std::exp(0.03 * normal(random)));
      time.summary = summarize(time.samples);
      record::CaseResult result;
      result.name = run.cases[static_cast<std::size_t>(c)].name;
      result.measurements.push_back(std::move(time));
      process.cases.push_back(std::move(result));
    }
    run.processes.push_back(std::move(process));
  }
  return run;
}

int save(record::Run& run, const std::string& out) {
  const auto saved = record::save_run(run, out, true);
  if (!saved) std::cerr << saved.error().message << '\n';
  return saved ? EXIT_SUCCESS : EXIT_FAILURE;
}

void scale_summary(record::SampleSummary& s, double factor) {
  for (double* value : {&s.mean, &s.min, &s.p25, &s.median, &s.p75, &s.max}) *value *= factor;
  for (auto* value : {&s.sd, &s.p95, &s.p99}) {
    if (*value) **value *= factor;
  }
}

void scale_time(record::CaseResult& result, double factor) {
  for (auto& measurement : result.measurements) {
    if (measurement.metric != "time" || !measurement.summary) continue;
    scale_summary(*measurement.summary, factor);
    for (double& sample : measurement.samples) sample *= factor;
  }
}

// With CASES, every tenth case takes the factor; else all of three do.
int history(int runs, int step, double factor, const std::string& commits, const std::string& folder, int cases) {
  constexpr int days_a_month = 28;
  constexpr int days_a_year = 12 * days_a_month;
  std::ifstream list(commits);
  for (int i = 0; i < runs; ++i) {
    record::Run run = made_run(cases > 0 ? cases : 3, 15, 5, static_cast<std::uint64_t>(i) + 1);
    char created[32];
    // A long history ends in 2025: runs from the future are not used as evidence.
    const int year = 2025 + (runs <= days_a_year ? 1 : 0) - (runs - 1) / days_a_year + i / days_a_year;
    const int day = i % days_a_year;
    std::snprintf(created, sizeof created, "%04d-%02d-%02dT12:00:00.000Z", year, 1 + day / days_a_month,
                  1 + day % days_a_month);
    run.created = created;
    std::string commit;
    list >> commit;
    run.sides.front().source.commit = commit;
    run.sides.front().source.modified = false;
    for (auto& process : run.processes) {
      for (auto& result : process.cases) {
        if (i >= step && (cases == 0 || result.name.ends_with('0'))) scale_time(result, factor);
      }
    }
    if (save(run, folder + "/" + std::to_string(i) + ".json") != EXIT_SUCCESS) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

int scale(const std::string& in, const std::string& out, double factor, double share, std::uint64_t seed) {
  auto run = record::load_run(in);
  if (run && run->samples) {
    if (auto samples = record::load_samples(*run, in); !samples) run = samples.error();
  }
  if (!run) {
    std::cerr << run.error().message << '\n';
    return EXIT_FAILURE;
  }
  std::vector<std::string> names;
  for (const auto& definition : run->cases) {
    if (!definition.skipped) names.push_back(definition.name);
  }
  std::mt19937_64 random(seed);
  for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random() % i]);
  names.resize(static_cast<std::size_t>(std::lround(share * static_cast<double>(names.size()))));
  std::sort(names.begin(), names.end());
  for (auto& process : run->processes) {
    if (run->sides.size() == 2 && process.side == 0) continue;  // of pairs, the later side
    for (auto& result : process.cases) {
      if (!std::binary_search(names.begin(), names.end(), result.name)) continue;
      scale_time(result, factor);
    }
  }
  run->id = hex(random());
  for (const auto& name : names) std::cout << name << '\n';
  return save(*run, out);
}

// The same samples as Google Benchmark 1.7 writes them, in its own layout: all samples of a case are repetitions in one process.
void write_google_benchmark(const record::Run& run, std::FILE* file) {
  std::fprintf(file, R"({
  "context": {
    "date": "%s+00:00",
    "host_name": "made-host",
    "executable": "./made",
    "num_cpus": 2,
    "mhz_per_cpu": 2700,
    "cpu_scaling_enabled": false,
    "caches": [
      {
        "type": "Data",
        "level": 1,
        "size": 32768,
        "num_sharing": 1
      },
      {
        "type": "Unified",
        "level": 2,
        "size": 2097152,
        "num_sharing": 1
      }
    ],
    "load_avg": [0.14,0.2,0.15],
    "library_build_type": "release"
  },
  "benchmarks": [
)",
               run.created.substr(0, std::string("2026-01-01T00:00:00").size()).c_str());
  constexpr double cpu_share = 0.99;
  for (std::size_t c = 0; c < run.cases.size(); ++c) {
    std::vector<double> samples;
    for (const auto& process : run.processes) {
      const auto& kept = process.cases[c].measurements.front().samples;
      samples.insert(samples.end(), kept.begin(), kept.end());
    }
    const std::string name = run.cases[c].name + "/repeats:" + std::to_string(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::fprintf(file, R"(%s    {
      "name": "%s",
      "family_index": 0,
      "per_family_instance_index": %zu,
      "run_name": "%s",
      "run_type": "iteration",
      "repetitions": %zu,
      "repetition_index": %zu,
      "threads": 1,
      "iterations": 1000,
      "real_time": %.16e,
      "cpu_time": %.16e,
      "time_unit": "ns"
    })",
                   c + i == 0 ? "" : ",\n", name.c_str(), c, name.c_str(), samples.size(), i, samples[i],
                   samples[i] * cpu_share);
    }
  }
  std::fprintf(file, "\n  ]\n}\n");
}

int google_benchmark(const std::string& in, const std::string& out) {
  auto run = record::load_run(in);
  if (run) {
    if (auto samples = record::load_samples(*run, in); !samples) run = samples.error();
  }
  if (!run) {
    std::cerr << run.error().message << '\n';
    return EXIT_FAILURE;
  }
  std::FILE* const file = std::fopen(out.c_str(), "w");
  if (file == nullptr) return EXIT_FAILURE;
  write_google_benchmark(*run, file);
  return std::fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> a(argv + 1, argv + argc);
  if (a.size() == 6 && a[0] == "generate") {
    record::Run run = made_run(std::stoi(a[1]), std::stoi(a[2]), std::stoi(a[3]), std::stoull(a[4]));
    return save(run, a[5]);
  }
  if (a.size() == 6 && a[0] == "scale") return scale(a[1], a[2], std::stod(a[3]), std::stod(a[4]), std::stoull(a[5]));
  if ((a.size() == 6 || a.size() == 7) && a[0] == "history") {
    const int cases = a.size() == 7 ? std::stoi(a[6]) : 0;
    return history(std::stoi(a[1]), std::stoi(a[2]), std::stod(a[3]), a[4], a[5], cases);
  }
  if (a.size() == 3 && a[0] == "google_benchmark") return google_benchmark(a[1], a[2]);
  std::cerr << "usage: made_runs generate CASES SAMPLES PROCESSES SEED OUT | scale IN OUT FACTOR SHARE SEED | "
               "history RUNS STEP FACTOR COMMITS FOLDER [CASES] | google_benchmark IN OUT\n";
  return 2;
}
