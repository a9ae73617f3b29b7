// SPDX-License-Identifier: Apache-2.0
#include "reports/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/format.hpp"
#include "stats/quantile.hpp"

namespace torchgate::reports {
namespace {

// Names beyond are all in one family: a headline names a few, and a file may have a million.
constexpr std::size_t most_parts = 12;
constexpr std::size_t most_families = 1000;
constexpr std::size_t families_named = 4;

struct ComparedCase {
  const Finding* finding;
  std::size_t row;  ///< in the findings
  bool slower;
  bool faster;
};

/// "BM_Copy<int>/8" is "BM_Copy", "int>", "8".
std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < most_parts) {
    std::size_t end = name.find_first_of("/[<");
    std::size_t width = 1;
    if (const std::size_t scope = name.find("::"); scope < end) {
      end = scope;
      width = 2;
    }
    if (end == std::string_view::npos) break;
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(end + width);
  }
  if (!name.empty()) parts.push_back(name);
  return parts;
}

/// One way to divide the cases: the family of each, by the position of the case.
using Division = std::map<std::string_view, std::vector<std::size_t>>;

/// What a division is by, in the order of choice: the first parts, the part at one place, the value of a key.
enum class By { first, place, key };
using Way = std::tuple<By, std::size_t, std::string_view>;  // a place, or a key

/// A division while it is filled: most cases are in the family of the case before.
struct Filled {
  Division division;
  Division::iterator last = division.end();
  bool too_many = false;  ///< a family for each case names them all, and says nothing that they have in common

  void add(std::string_view family, std::size_t position, std::size_t most) {
    if (too_many) return;
    if (last == division.end() || last->first != family) last = division.try_emplace(family).first;
    last->second.push_back(position);
    too_many = division.size() > most;
  }
};

/// All divisions there are, those with too many families left empty.
std::map<Way, Filled> divisions_of(const std::vector<ComparedCase>& cases) {
  const std::size_t most = std::min(most_families, cases.size() / 2);
  std::map<Way, Filled> divisions;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string_view name = cases[i].finding->case_name;
    const auto parts = parts_of(name);
    for (std::size_t place = 0; place < parts.size(); ++place) {
      const std::string_view part = parts[place];
      const auto length = static_cast<std::size_t>(part.data() + part.size() - name.data());
      divisions[{By::first, place, {}}].add(name.substr(0, length), i, most);
      const std::size_t colon = part.find(':');
      const bool has_key = colon != std::string_view::npos && colon > 0;
      divisions[has_key ? Way{By::key, 0, part.substr(0, colon)} : Way{By::place, place, {}}].add(part, i, most);
    }
  }
  return divisions;
}

/// G of one cell: observed count against the expected one.
double cell_g(double observed, double expected) {
  return observed > 0 ? 2 * observed * std::log(observed / expected) : 0;
}

/// G - (m - 1) ln N; cases without the part are one more family.
double score_of(const Division& division, const std::vector<bool>& changed, double changed_share) {
  const auto all = static_cast<double>(changed.size());
  double g = 0;
  std::size_t families = division.size();
  double in_none = all;
  double changed_in_none = changed_share * all;
  const auto add = [&](double cases, double of_them) {
    g += cell_g(of_them, cases * changed_share) + cell_g(cases - of_them, cases * (1 - changed_share));
  };
  for (const auto& [name, members] : division) {
    const auto of_them =
        static_cast<double>(std::count_if(members.begin(), members.end(), [&](std::size_t i) { return changed[i]; }));
    add(static_cast<double>(members.size()), of_them);
    in_none -= static_cast<double>(members.size());
    changed_in_none -= of_them;
  }
  if (in_none > 0) {
    ++families;
    add(in_none, std::max(0.0, changed_in_none));
  }
  return g - static_cast<double>(families - 1) * std::log(all);
}

Family family_of(std::string name, const std::vector<std::size_t>& members, const std::vector<ComparedCase>& cases,
                 const std::vector<bool>& changed) {
  Family family;
  family.name = std::move(name);
  family.cases = static_cast<std::int64_t>(members.size());
  std::vector<double> changes;
  bool rates = false;
  bool times = false;
  for (const std::size_t i : members) {
    if (!changed[i]) continue;
    ++family.changed;
    family.changed_at.push_back(cases[i].row);
    const auto& change = cases[i].finding->change;
    if (!change || !std::isfinite(*change)) continue;
    changes.push_back(*change);
    const bool rate = cases[i].finding->metric.direction == record::Direction::higher_is_better;
    (rate ? rates : times) = true;
  }
  // A rate that halved and a time that doubled have no middle.
  if (rates != times) family.median_change = stats::median(changes);
  return family;
}

std::vector<Family> divide(const std::vector<ComparedCase>& cases, const std::vector<bool>& changed,
                           std::int64_t changed_count) {
  const double share = static_cast<double>(changed_count) / static_cast<double>(cases.size());
  const Division* best = nullptr;
  double best_score = 0;  // of one family for all
  const auto divisions = divisions_of(cases);
  for (const auto& [way, filled] : divisions) {
    const Division& division = filled.division;
    if (filled.too_many || division.size() < 2) continue;
    const double score = score_of(division, changed, share);
    // By rounding only, two divisions into the same families differ: the first one stays.
    if (score > best_score + 1e-9 * static_cast<double>(cases.size())) {
      best = &division;
      best_score = score;
    }
  }
  std::vector<Family> families;
  std::vector<bool> in_family(cases.size(), false);
  if (best != nullptr) {
    for (const auto& [name, members] : *best) {
      families.push_back(family_of(std::string(name), members, cases, changed));
      for (const std::size_t i : members) in_family[i] = true;
    }
  }
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!in_family[i]) others.push_back(i);
  }
  if (!others.empty()) families.push_back(family_of("", others, cases, changed));
  std::stable_sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
    const auto left = a.changed * b.cases;
    const auto right = b.changed * a.cases;
    return left != right ? left > right : a.cases > b.cases;
  });
  return families;
}

bool is_compared(const Finding& finding) {
  if (!finding.metric.primary || finding.metric.kind != record::MetricKind::timed) return false;
  switch (finding.verdict) {
    case Verdict::regressed:
    case Verdict::suspected:
    case Verdict::inconclusive:
    case Verdict::improved:
    case Verdict::equivalent:
    case Verdict::unchanged:
      return true;
    default:
      return false;
  }
}

/// " slower", " suspected": what the changed cases have in common.
const char* change_words(const Families& families) {
  if (families.faster) return " faster";
  std::int64_t changed = 0;
  for (const Family& family : families.families) changed += family.changed;
  return families.unconfirmed == 0 ? " slower" : families.unconfirmed < changed ? " slower or suspected" : " suspected";
}

std::string words_of(const Family& family, bool single, const char* changed) {
  const std::string name = !family.name.empty() ? family.name + ": " : single ? "" : "others: ";
  std::string text = fmt::format("{}{} of {}", name, grouped(family.changed),
                                 single ? counted(family.cases, "case", "cases") : grouped(family.cases));
  if (family.changed == 0) return text;
  text += changed;
  if (family.median_change) text += ", median " + Format().percent(family.median_change);
  return text;
}

}  // namespace

std::optional<Families> families_of(const std::vector<Finding>& findings) {
  std::vector<ComparedCase> cases;
  std::int64_t slower = 0;
  std::int64_t faster = 0;
  std::int64_t unconfirmed = 0;
  for (std::size_t row = 0; row < findings.size(); ++row) {
    const Finding& finding = findings[row];
    if (!is_compared(finding)) continue;
    const bool worse = finding.verdict == Verdict::regressed || finding.verdict == Verdict::suspected;
    cases.push_back({&finding, row, worse, finding.verdict == Verdict::improved});
    slower += worse ? 1 : 0;
    unconfirmed += finding.verdict == Verdict::suspected && finding.action != GateAction::fail ? 1 : 0;
    faster += cases.back().faster ? 1 : 0;
  }
  Families result;
  // What became slower is what a reader has to act on.
  result.faster = slower < fewest_in_family;
  const std::int64_t count = result.faster ? faster : slower;
  if (count < fewest_in_family || (result.faster && slower > 0)) return std::nullopt;
  std::vector<bool> changed;
  changed.reserve(cases.size());
  for (const ComparedCase& each : cases) changed.push_back(result.faster ? each.faster : each.slower);
  result.families = divide(cases, changed, count);
  if (!result.faster) result.unconfirmed = unconfirmed;
  return result;
}

std::string family_words(const Families& families) {
  std::string text;
  Family rest;
  std::size_t merged = 0;
  const bool single = families.families.size() == 1;
  const char* const changed = change_words(families);
  for (std::size_t i = 0; i < families.families.size(); ++i) {
    const Family& family = families.families[i];
    // One family without a change says that it stayed the same; several of them are one remark.
    const bool silent = family.changed == 0 && families.families.size() > 2;
    if (i < families_named && !silent) {
      text += (text.empty() ? "" : "; ") + words_of(family, single, changed);
      continue;
    }
    ++merged;
    rest.cases += family.cases;
    rest.changed += family.changed;
  }
  if (merged == 0) return text;
  return text + "; " + words_of(rest, false, changed);
}

}  // namespace torchgate::reports
