// SPDX-License-Identifier: Apache-2.0
// The same numbers everywhere: what a reader sees at the terminal and on GitHub is what the JSON report says, rounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/formats/json.hpp"
#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

using nlohmann::json;

/// What one format says about one finding.
struct Said {
  std::optional<double> before;
  std::optional<double> after;
  std::optional<double> change;
  std::optional<double> low;
  std::optional<double> high;
  std::optional<double> p;
  std::optional<double> d;
};

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

Said said_by_json(const json& finding) {
  Said said;
  if (finding["before"].is_object()) said.before = number(finding["before"]["value"]);
  if (finding["after"].is_object()) said.after = number(finding["after"]["value"]);
  said.change = number(finding["change"]);
  if (finding["interval"].is_object()) {
    said.low = number(finding["interval"]["low"]);
    said.high = number(finding["interval"]["high"]);
  }
  said.p = number(finding["p"]);
  said.d = number(finding["cohens_d"]);
  return said;
}

void read_interval(const std::string& text, Said& said) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos) return;
  said.low = read_percent(text.substr(open + 1));
  said.high = read_percent(text.substr(text.find(',', open) + 1));
}

std::string cell_of(const MarkdownRow& row, const std::string& column) {
  const auto found = row.cells.find(column);
  return found == row.cells.end() ? "" : found->second;
}

Said said_by_markdown(const MarkdownRow& row) {
  Said said;
  const std::string values = cell_of(row, "before → after");
  const std::size_t arrow = values.find("→");
  if (arrow != std::string::npos) {
    said.before = read_quantity(values.substr(0, arrow));
    said.after = read_quantity(values.substr(arrow + std::string_view("→").size()));
  }
  if (const std::string value = cell_of(row, "value"); !value.empty()) said.after = read_quantity(value);  // of one run
  const std::string change = cell_of(row, "change");
  if (change.find('%') != std::string::npos) said.change = read_percent(change);
  read_interval(change, said);
  const std::string evidence = cell_of(row, "p, Cohen's d");
  said.p = read_number(evidence.substr(0, evidence.find(',')));
  if (evidence.find(',') != std::string::npos) said.d = read_number(evidence.substr(evidence.find(',') + 1));
  return said;
}

/// Columns of a number line: separated by two spaces or more.
std::vector<std::string> split_columns(const std::string& line) {
  std::vector<std::string> columns;
  std::string rest = line;
  while (!rest.empty()) {
    const std::size_t start = rest.find_first_not_of(' ');
    if (start == std::string::npos) break;
    const std::size_t end = std::min(rest.find("  ", start), rest.size());
    columns.push_back(rest.substr(start, end - start));
    rest.erase(0, end);
  }
  return columns;
}

/// By the column names of the header line that precedes the first finding.
Said said_by_terminal(const std::string& text, const std::string& title) {
  std::istringstream stream(text);
  std::vector<std::string> names;
  Said said;
  for (std::string line; std::getline(stream, line);) {
    const auto heads = split_columns(line);
    if (!heads.empty() && (heads[0] == "before" || heads[0] == "after" || heads[0] == "value")) names = heads;
    if (line.size() <= title.size() || line.substr(line.size() - title.size()) != title || names.empty()) continue;
    std::getline(stream, line);
    const auto columns = split_columns(line);
    if (columns.size() != names.size()) return said;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "before") said.before = read_quantity(columns[i]);
      if (names[i] == "after" || names[i] == "value") said.after = read_quantity(columns[i]);
      if (names[i] == "change" && columns[i].find('%') != std::string::npos) said.change = read_percent(columns[i]);
      if (names[i].ends_with("interval")) read_interval(columns[i], said);
      if (names[i] == "p") said.p = read_number(columns[i]);
      if (names[i] == "Cohen's d") said.d = read_number(columns[i]);
    }
    return said;
  }
  return said;
}

/// The printed number is the exact one, rounded to what is printed.
void expect_rounded(const char* what, std::optional<double> printed, std::optional<double> exact, double relative,
                    double absolute) {
  ASSERT_EQ(printed.has_value(), exact.has_value()) << what;
  EXPECT_NEAR(printed.value_or(0), exact.value_or(0), std::max(std::abs(exact.value_or(0)) * relative, absolute))
      << what;
}

void expect_same(const Said& printed, const Said& exact) {
  constexpr double four_digits = 5.1e-4;
  constexpr double tenth_of_percent_of_percent = 5.1e-5;  // "+5.12 %"
  constexpr double three_digits = 5.1e-3;                 // "+12.7 %"
  expect_rounded("before", printed.before, exact.before, four_digits, 0);
  expect_rounded("after", printed.after, exact.after, four_digits, 0);
  expect_rounded("change", printed.change, exact.change, three_digits, tenth_of_percent_of_percent);
  expect_rounded("low", printed.low, exact.low, three_digits, tenth_of_percent_of_percent);
  expect_rounded("high", printed.high, exact.high, three_digits, tenth_of_percent_of_percent);
  expect_rounded("p", printed.p, exact.p, 0.051, 1e-12);
  expect_rounded("d", printed.d, exact.d, 1e-3, 0.0051);
}

class SameNumbers : public ::testing::TestWithParam<models::Named> {};

TEST_P(SameNumbers, InEveryFormat) {
  const Report& report = GetParam().report;
  const json exact = json::parse(render_json(report));
  const auto rows = read_tables(render_markdown(report));
  const std::string terminal = render_terminal(report, {.width = 200, .verbose = true});
  std::size_t compared = 0;
  for (const json& finding : exact["findings"]) {
    const std::string name = finding["case"];
    const std::string metric = finding["metric"]["name"];
    const bool primary = finding["metric"]["primary"];
    SCOPED_TRACE(name + " " + metric);
    const Said truth = said_by_json(finding);
    const std::string title = primary ? name : name + "  " + metric;
    expect_same(said_by_terminal(terminal, "  " + title), truth);
    const std::string cell = primary ? "`" + name + "`" : "`" + name + "` `" + metric + "`";
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const MarkdownRow& r) { return cell_of(r, "case") == cell; });
    if (row == rows.end()) {
      // Only a count that did not change has no row.
      EXPECT_TRUE(finding["metric"]["kind"] == "exact" && finding["change"] == 0.0);
      continue;
    }
    Said printed = said_by_markdown(*row);
    if (row->cells.count("p, Cohen's d") == 0) {  // the folded tables have no such column
      printed.p = truth.p;
      printed.d = truth.d;
    }
    expect_same(printed, truth);
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

std::vector<models::Named> readable() {
  std::vector<models::Named> named = models::all();
  std::erase_if(named, [](const models::Named& model) {
    // Names that cannot be found again by their text; a Markdown report that leaves rows out; no findings at all.
    return model.name == "hostile_names" || model.name == "five_hundred_rows" || model.name == "host_differs";
  });
  return named;
}

INSTANTIATE_TEST_SUITE_P(Situations, SameNumbers, ::testing::ValuesIn(readable()),
                         [](const auto& situation) { return situation.param.name; });

}  // namespace
}  // namespace torchgate::reports
