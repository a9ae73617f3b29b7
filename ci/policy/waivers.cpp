// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/waivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/toml_document.hpp"
#include "harness/base/toml_text.hpp"
#include "harness/record/commit_name.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;
using Kind = TomlNode::Kind;

const std::set<std::string> known_keys{"case",    "metric", "ceiling", "missing", "reason",
                                       "expires", "by",     "commit",  "since"};

// Each is matched with all findings, and is a line of the report.
constexpr std::size_t most_waivers = 1000;

// What there may be one waiver of: case, metric and pin.
using Subject = std::tuple<std::string, std::string, std::optional<std::string>>;

Subject subject_of(const Waiver& waiver) {
  return {waiver.case_name, waiver.metric, waiver.since};
}

std::optional<std::string> wrong_value(const TomlNode& value) {
  if (!known_keys.contains(value.key)) {
    return fmt::format(R"([[waiver]]: unknown key "{}"; did you mean "{}"?)", value.key,
                       nearest_names(value.key, known_keys, 1).front());
  }
  if (value.key == "ceiling") {
    if (value.kind == Kind::number && value.number >= 0 && std::isfinite(value.number)) return std::nullopt;
    return "ceiling takes a number of at least 0: the largest accepted slow-down (0.12 for 12 %), or the largest value "
           "of an exact metric (the lowest, where larger values are better)";
  }
  if (value.key == "missing") {
    if (value.kind == Kind::boolean && value.flag) return std::nullopt;
    return "missing takes true, in the place of a ceiling: the case or its count may be missing";
  }
  if (value.key == "expires") {
    if (value.kind == Kind::date && value.date.ok()) return std::nullopt;
    return "expires takes a date without quotes, such as 2027-01-31: the last day of the waiver";
  }
  if (value.key == "commit") {
    if (value.kind == Kind::text && record::is_commit_name(value.text)) return std::nullopt;
    return fmt::format("commit takes {}", record::commit_name_form);
  }
  if (value.kind == Kind::text && value.text.find_first_not_of(" \t\r\n") != std::string::npos) return std::nullopt;
  return value.key + " takes a non-empty string";
}

base::Result<Waiver> read_waiver(const TomlNode& table, const std::filesystem::path& file) {
  for (const TomlNode& value : table.children) {
    if (const auto wrong = wrong_value(value))
      return Error{ErrorCode::bad_input, fmt::format("{}:{}: {}", file.string(), value.line, *wrong)};
  }
  const bool missing = table.find("missing") != nullptr;
  if (missing && table.find("ceiling") != nullptr) {
    return Error{ErrorCode::bad_input, fmt::format("{}:{}: [[waiver]]: has both ceiling and missing; keep one of them",
                                                   file.string(), table.line)};
  }
  for (const char* needed : {"case", "metric", "ceiling", "reason", "expires"}) {
    if (missing && std::string_view(needed) == "ceiling") continue;
    if (table.find(needed) == nullptr) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("{}:{}: [[waiver]]: missing key \"{}\"; required: case, metric, ceiling, reason, expires",
                      file.string(), table.line, needed)};
    }
  }
  Waiver waiver;
  waiver.case_name = table.find("case")->text;
  waiver.metric = table.find("metric")->text;
  waiver.missing = missing;
  if (!missing) waiver.ceiling = table.find("ceiling")->number;
  waiver.reason = table.find("reason")->text;
  waiver.expires = table.find("expires")->date;
  if (const TomlNode* by = table.find("by")) waiver.by = by->text;
  if (const TomlNode* commit = table.find("commit")) waiver.commit = commit->text;
  if (const TomlNode* since = table.find("since")) waiver.since = since->text;
  waiver.place = fmt::format("{}:{}", file.filename().string(), table.line);
  return waiver;
}

}  // namespace

base::Result<std::vector<Waiver>> parse_waivers(std::string_view text, const std::filesystem::path& file) {
  const auto document = parse_toml(text, file.string());
  if (!document) return document.error();
  std::vector<Waiver> waivers;
  std::map<Subject, std::int64_t> lines;
  for (const TomlNode& section : document->children) {
    if (section.key != "waiver" || section.kind != Kind::list) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{}:{}: unknown section \"{}\"; a file of waivers has only [[waiver]] "
                               "tables",
                               file.string(), section.line, section.key)};
    }
    if (section.children.size() > most_waivers) {
      return Error{ErrorCode::bad_input, fmt::format("{}:{}: more than {} waivers; remove expired ones", file.string(),
                                                     section.children[most_waivers].line, most_waivers)};
    }
    for (const TomlNode& table : section.children) {
      auto waiver = read_waiver(table, file);
      if (!waiver) return waiver.error();
      const auto [first, is_new] = lines.emplace(subject_of(*waiver), table.line);
      if (!is_new) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}:{}: duplicate waiver for {} ({}), already in line {}; keep one of them",
                                 file.string(), table.line, waiver->case_name, waiver->metric, first->second)};
      }
      waivers.push_back(std::move(waiver).value());
    }
  }
  return waivers;
}

void replace_waivers(std::vector<Waiver>& waivers, const std::vector<Waiver>& added) {
  std::set<Subject> replaced;
  for (const Waiver& waiver : added) replaced.insert(subject_of(waiver));
  std::erase_if(waivers, [&](const Waiver& waiver) { return replaced.contains(subject_of(waiver)); });
  waivers.insert(waivers.end(), added.begin(), added.end());
}

bool is_commit_of(const Waiver& waiver, std::string_view commit) {
  return waiver.commit && waiver.commit->size() >= record::fewest_commit_digits && commit.starts_with(*waiver.commit);
}

bool is_for(const Waiver& waiver, const std::vector<Waiver>& waivers, const std::optional<std::string>& pin) {
  if (waiver.since || !pin) return waiver.since == pin;
  return std::none_of(waivers.begin(), waivers.end(), [&](const Waiver& other) {
    return other.since == pin && other.case_name == waiver.case_name && other.metric == waiver.metric;
  });
}

std::string waiver_text(const Waiver& waiver) {
  std::string text = "[[waiver]]\n";
  text += "case = " + base::toml_text(waiver.case_name) + '\n';
  text += "metric = " + base::toml_text(waiver.metric) + '\n';
  text += waiver.missing ? "missing = true\n" : fmt::format("ceiling = {}\n", waiver.ceiling);
  text += "reason = " + base::toml_text(waiver.reason) + '\n';
  text += "expires = " + date_text(waiver.expires) + '\n';
  if (waiver.by) text += "by = " + base::toml_text(*waiver.by) + '\n';
  if (waiver.commit) text += "commit = " + base::toml_text(*waiver.commit) + '\n';
  if (waiver.since) text += "since = " + base::toml_text(*waiver.since) + '\n';
  return text;
}

std::string date_text(std::chrono::year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::optional<std::chrono::year_month_day> parse_date(std::string_view text) {
  constexpr std::string_view form = "0000-00-00";
  if (text.size() != form.size() || text[4] != '-' || text[7] != '-') return std::nullopt;
  constexpr std::array<std::pair<std::size_t, std::size_t>, 3> places{{{0, 4}, {5, 2}, {8, 2}}};
  std::array<unsigned, 3> parts{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string_view digits = text.substr(places[i].first, places[i].second);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parts[i]);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(parts[0])), std::chrono::month(parts[1]),
                                         std::chrono::day(parts[2]));
  if (!date.ok()) return std::nullopt;
  return date;
}

}  // namespace torchgate::policy
