// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace torchgate::simulations {
namespace {

struct ClosePipe {
  void operator()(FILE* pipe) const { pclose(pipe); }
};

// For the shell: in single quotes, a quote itself as '\''.
std::string quoted(const std::string& path) {
  std::string text = "'";
  for (char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string contents_of(const std::filesystem::path& file) {
  if (file.extension() != ".gz") {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot open " + file.string());
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  const std::unique_ptr<FILE, ClosePipe> pipe(popen(("gzip -dc " + quoted(file.string())).c_str(), "r"));
  if (!pipe) throw std::runtime_error("cannot start gzip for " + file.string());
  std::string text;
  char block[65536];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe.get())) > 0;) text.append(block, n);
  return text;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

}  // namespace

Csv::Csv(const std::filesystem::path& file) : name_(file.string()) {
  std::istringstream lines(contents_of(file));
  std::string line;
  if (!std::getline(lines, line)) throw std::runtime_error(name_ + " is empty or cannot be read");
  header_ = split(line);
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    cells_.push_back(split(line));
    if (cells_.back().size() < header_.size()) {
      throw std::runtime_error(name_ + ": row " + std::to_string(cells_.size() + 1) +
                               " has fewer cells than the header");
    }
  }
}

std::size_t Csv::index_of(const std::string& column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) throw std::runtime_error(name_ + " has no column " + column);
  return static_cast<std::size_t>(found - header_.begin());
}

const std::string& Csv::text(std::size_t row, const std::string& column) const {
  return cells_.at(row)[index_of(column)];
}

double Csv::number(std::size_t row, const std::string& column) const {
  const std::string& cell = text(row, column);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) {
    throw std::runtime_error(name_ + ": row " + std::to_string(row + 2) + ", column " + column + ": '" + cell +
                             "' is not a number");
  }
  return value;
}

}  // namespace torchgate::simulations
