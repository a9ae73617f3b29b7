// SPDX-License-Identifier: Apache-2.0
#include "tests/stats/benchstat_rows.hpp"

#include <cstdio>
#include <sstream>

#include "stats/mann_whitney.hpp"
#include "stats/quantile.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats::testing {
namespace {

constexpr double benchstat_alpha = 0.05;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// "+3.41%"; benchstat writes equal medians without a sign.
std::string delta(double before, double after) {
  return before == after ? "0.00%" : printed("%+.2f%%", 100.0 * (after / before - 1.0));
}

}  // namespace

BenchstatSamples read_go_benchmarks(const std::string& file) {
  BenchstatSamples samples;
  std::ifstream in(fixture_path(file));
  const std::string prefix = "Benchmark";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(prefix)) continue;
    const std::vector<std::string> words = words_of(line);
    const std::string name = words[0].substr(prefix.size());
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
      if (words[i + 1] == "ns/op") samples[{"sec/op", name}].push_back(std::stod(words[i]) / 1e9);
      if (words[i + 1] == "MB/s") samples[{"B/s", name}].push_back(std::stod(words[i]) * 1e6);
    }
  }
  return samples;
}

std::vector<BenchstatRow> read_benchstat_table(const std::string& file) {
  std::vector<BenchstatRow> rows;
  std::ifstream in(fixture_path(file));
  std::string unit;
  for (std::string line; std::getline(in, line);) {
    if (line.find("vs base") != std::string::npos) {
      unit = line.find("sec/op") != std::string::npos ? "sec/op" : "B/s";
      continue;
    }
    const std::vector<std::string> words = words_of(line);
    if (unit.empty() || words.size() < 4) continue;
    if (words[0] == "geomean") continue;
    // name, median ± share, median ± share, then what is compared.
    constexpr std::size_t first = 7;
    std::string text;
    for (std::size_t i = first; i < words.size(); ++i) text += (text.empty() ? "" : " ") + words[i];
    if (!text.empty() && words.size() > first) rows.push_back({unit, words[0], text});
  }
  return rows;
}

std::vector<BenchstatRow> read_benchstat_csv(const std::string& file) {
  std::vector<BenchstatRow> rows;
  std::ifstream in(fixture_path(file));
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 7 || cells[0].empty() || cells[0] == "geomean") continue;
    rows.push_back({"sec/op", cells[0], cells[5] + " (" + cells[6] + ')'});
  }
  return rows;
}

std::string our_benchstat_row(const BenchstatRow& wanted, const BenchstatSamples& before,
                              const BenchstatSamples& after) {
  const Numbers& a = before.at({wanted.unit, wanted.name});
  const Numbers& b = after.at({wanted.unit, wanted.name});
  const MannWhitney test = mann_whitney(a, b).value();
  const std::string change = test.p > benchstat_alpha ? "~" : delta(median(a).value(), median(b).value());
  return change + printed(" (p=%.3f", test.p) + printed(" n=%.0f)", static_cast<double>(a.size()));
}

}  // namespace torchgate::stats::testing
