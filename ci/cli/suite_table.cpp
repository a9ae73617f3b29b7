// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/suite_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/counted.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

struct Line {
  std::string suite, groups, cases, skipped, time;
};

Line line_of(const std::string& suite, std::size_t groups, std::size_t cases, std::size_t skipped, std::string time) {
  return {reports::one_line(suite), base::counted(groups, "group", "groups"), base::counted(cases, "case", "cases"),
          fmt::format("{} skipped", skipped), std::move(time)};
}

std::string aligned(const std::vector<Line>& lines) {
  const auto width_of = [&](std::string Line::*column) {
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, (line.*column).size());
    return width;
  };
  const std::size_t suite = width_of(&Line::suite);
  const std::size_t groups = width_of(&Line::groups);
  const std::size_t cases = width_of(&Line::cases);
  const std::size_t skipped = width_of(&Line::skipped);
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}  {}\n", line.suite, suite, line.groups, groups, line.cases,
                        cases, line.skipped, skipped, line.time);
  }
  return text;
}

}  // namespace

std::string suite_table(const launch::Forecast& forecast) {
  std::vector<Line> lines;
  for (const launch::SuiteForecast& suite : forecast.suites) {
    const std::string time =
        suite.seconds
            ? "about " + workflow::duration_text(std::chrono::seconds(static_cast<std::int64_t>(*suite.seconds)))
            : "no estimate";
    lines.push_back(line_of(suite.name, suite.groups, suite.cases, suite.skipped, time));
  }
  return aligned(lines);
}

std::string suite_table(const record::Run& run) {
  struct Counts {
    std::size_t groups = 0, cases = 0, skipped = 0;
    std::chrono::nanoseconds took{0};
  };
  std::map<std::string, Counts> suites;
  for (const record::Group& group : run.groups) ++suites[group.suite].groups;
  for (const record::Case& each : run.cases) ++(each.skipped ? suites[each.suite].skipped : suites[each.suite].cases);
  for (const record::Process& process : run.processes)
    suites[process.suite].took += std::chrono::nanoseconds(process.wall_ns);
  std::vector<Line> lines;
  lines.reserve(suites.size());
  for (const auto& [name, counts] : suites)
    lines.push_back(line_of(name, counts.groups, counts.cases, counts.skipped, workflow::duration_text(counts.took)));
  return aligned(lines);
}

}  // namespace torchgate::cli
