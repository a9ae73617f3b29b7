// SPDX-License-Identifier: Apache-2.0
#include "reports/forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "reports/families.hpp"
#include "reports/sentences.hpp"
#include "stats/quantile.hpp"

namespace torchgate::reports {
namespace {

// Cases that moved together: between the median change divided and multiplied by this. One that moved much further has a row.
constexpr double moved_together = 2;

bool has_change(const Finding& finding) {
  return finding.change && !std::isnan(*finding.change);
}

std::optional<ChangeSpan> span_of(const Finding& finding) {
  if (!has_change(finding)) return std::nullopt;
  ChangeSpan span{*finding.change, *finding.change, *finding.change};
  const auto& interval = finding.interval;
  if (interval && !std::isnan(interval->low) && !std::isnan(interval->high)) {
    span.low = std::min(interval->low, interval->high);
    span.high = std::max(interval->low, interval->high);
  }
  return span;
}

ForestShape shape_of(const Finding& finding) {
  if (finding.action == GateAction::fail) return ForestShape::fails;
  if (finding.action == GateAction::warn) return ForestShape::warns;
  if (finding.waived) return ForestShape::waived;
  if (is_undecided(finding.verdict)) return ForestShape::open;
  return finding.verdict == Verdict::improved ? ForestShape::improved : ForestShape::quiet;
}

/// The change towards the worse as a logarithm; what is unknown is last.
double worsening(const Finding& finding) {
  if (!has_change(finding)) return -std::numeric_limits<double>::infinity();
  const double change = std::log1p(std::max(*finding.change, -1.0));
  return finding.metric.direction == record::Direction::higher_is_better ? -change : change;
}

bool was_compared(Verdict verdict) {
  return verdict != Verdict::new_case && verdict != Verdict::skipped && verdict != Verdict::unchanged;
}

bool is_chosen(const Finding& finding, ForestCases which) {
  const ForestShape shape = shape_of(finding);
  if (which == ForestCases::compared) return true;
  if (shape == ForestShape::waived) return has_change(finding);
  return shape != ForestShape::quiet && (which == ForestCases::notable || shape != ForestShape::improved);
}

/// A metric beside the time that is undecided: its case is not what its time alone says.
bool is_open_beside_time(const Finding& finding) {
  return !finding.metric.primary && has_change(finding) && shape_of(finding) == ForestShape::open;
}

/// One finding for each case, the worst first: what is listed and what improved in the order of the report's tables, then the others
/// by verdict and by how much worse they may have become.
std::vector<const Finding*> worst_of_cases(const Overview& overview, ForestCases which) {
  std::set<std::string_view> seen;
  std::vector<const Finding*> worst;
  const auto add = [&](const Finding* finding) {
    if (!was_compared(finding->verdict) || !is_chosen(*finding, which)) return;
    if (seen.insert(finding->case_name).second) worst.push_back(finding);
  };
  for (const Finding* finding : overview.listed) add(finding);
  const std::size_t listed = worst.size();
  std::vector<const Finding*> improved;
  const auto add_where = [&](const auto& is_asked_for) {
    for (const Finding* finding : overview.improved) {
      if (!is_asked_for(*finding) || !is_chosen(*finding, which)) continue;
      if (seen.insert(finding->case_name).second) improved.push_back(finding);
    }
    for (const Group& group : overview.rest) {
      for (const Finding* finding : group.findings) {
        if (is_asked_for(*finding)) add(finding);
      }
    }
  };
  // Of a case that has several metrics, its time where nothing is wrong with the others.
  const auto is_notable_time = [](const Finding& finding) {
    return finding.metric.primary && shape_of(finding) != ForestShape::quiet;
  };
  add_where(is_notable_time);
  add_where(is_open_beside_time);
  add_where([](const Finding& finding) { return finding.metric.primary; });
  add_where([&](const Finding& finding) {
    return which == ForestCases::compared || finding.metric.kind == record::MetricKind::timed || has_change(finding);
  });
  std::stable_sort(worst.begin() + static_cast<std::ptrdiff_t>(listed), worst.end(),
                   [](const Finding* a, const Finding* b) {
                     if (shape_of(*a) != shape_of(*b)) return shape_of(*a) < shape_of(*b);
                     return worsening(*a) > worsening(*b);
                   });
  // What is open may be worse; what improved is not.
  const auto first_quiet =
      std::find_if(worst.begin() + static_cast<std::ptrdiff_t>(listed), worst.end(),
                   [](const Finding* finding) { return shape_of(*finding) == ForestShape::quiet; });
  worst.insert(first_quiet, improved.begin(), improved.end());
  return worst;
}

/// Positions in FINDINGS of one family that the policy treats alike and that moved together, the worst first.
struct Folded {
  std::string family;
  std::int64_t family_cases = 0;
  std::vector<std::size_t> rows;
};

std::vector<double> changes_of(const std::vector<const Finding*>& findings, const std::vector<std::size_t>& rows) {
  std::vector<double> changes;
  changes.reserve(rows.size());
  for (const std::size_t row : rows) changes.push_back(*findings[row]->change);
  return changes;
}

std::vector<Folded> folded_of(const Report& report, const std::vector<const Finding*>& findings) {
  if (!report.families) return {};
  std::map<const Finding*, std::size_t> row_of;
  for (std::size_t i = 0; i < findings.size(); ++i) row_of.emplace(findings[i], i);
  std::vector<Folded> all;
  for (const Family& family : report.families->families) {
    if (family.name.empty()) continue;
    std::map<std::pair<GateAction, double>, std::vector<std::size_t>> rows_by_policy;
    for (const std::size_t at : family.changed_at) {
      const Finding& finding = report.findings[at];
      const auto row = row_of.find(&finding);
      if (row == row_of.end() || !has_change(finding) || !std::isfinite(worsening(finding))) continue;
      rows_by_policy[{finding.action, gate_of(finding, report)}].push_back(row->second);
    }
    for (auto& [policy, rows] : rows_by_policy) {
      if (rows.empty()) continue;
      const double median = std::log1p(*stats::median(changes_of(findings, rows)));
      std::erase_if(rows, [&](std::size_t row) {
        const double times = std::log1p(*findings[row]->change) / median;
        return !(times >= 1 / moved_together && times <= moved_together);  // also of a median of 0
      });
      if (static_cast<std::int64_t>(rows.size()) < fewest_in_family) continue;
      std::sort(rows.begin(), rows.end());
      all.push_back({family.name, family.cases, std::move(rows)});
    }
  }
  return all;
}

ForestRow row_of_case(const Finding& finding) {
  ForestRow row;
  row.finding = &finding;
  row.shape = shape_of(finding);
  row.span = span_of(finding);
  return row;
}

ForestRow row_of_family(const Folded& folded, const std::vector<const Finding*>& findings) {
  ForestRow row = row_of_case(*findings[folded.rows.front()]);
  row.family = folded.family;
  row.cases = static_cast<std::int64_t>(folded.rows.size());
  row.family_cases = folded.family_cases;
  for (const std::size_t i : folded.rows) {
    const ChangeSpan span = *span_of(*findings[i]);
    row.span->low = std::min(row.span->low, span.low);
    row.span->high = std::max(row.span->high, span.high);
  }
  row.span->change = *stats::median(changes_of(findings, folded.rows));
  return row;
}

std::vector<ForestRow> forest_rows(const Report& report, const std::vector<const Finding*>& findings) {
  std::map<std::size_t, const Folded*> folded_at;  // the row of the worst member
  std::vector<bool> hidden(findings.size(), false);
  const std::vector<Folded> folded = folded_of(report, findings);
  for (const Folded& each : folded) {
    folded_at.emplace(each.rows.front(), &each);
    for (const std::size_t row : each.rows) hidden[row] = true;
  }
  std::vector<ForestRow> rows;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto family = folded_at.find(i);
    if (family != folded_at.end()) {
      rows.push_back(row_of_family(*family->second, findings));
    } else if (!hidden[i]) {
      rows.push_back(row_of_case(*findings[i]));
    }
  }
  return rows;
}

void set_axis(Forest& forest, const Report& report) {
  std::vector<ChangeSpan> spans;
  std::set<double> gates;
  std::set<double> own_gates;
  for (ForestRow& row : forest.rows) {
    if (!row.span) continue;
    spans.push_back(*row.span);
    // Counts and bytes have gates of their own.
    if (row.finding->metric.kind != record::MetricKind::timed) continue;
    const double gate = gate_of(*row.finding, report);
    if (row.finding->own_gate) row.own_gate = gate;
    (row.own_gate ? own_gates : gates).insert(gate);
  }
  forest.margin = report.equivalence_ratio;
  forest.gates.assign(gates.begin(), gates.end());
  forest.own_gates.assign(own_gates.begin(), own_gates.end());
  std::vector<double> limits = {-forest.margin, forest.margin};
  limits.insert(limits.end(), forest.gates.begin(), forest.gates.end());
  limits.insert(limits.end(), forest.own_gates.begin(), forest.own_gates.end());
  forest.axis = axis_for(spans, limits);
}

const char* policy_words(const Finding& finding, bool several) {
  if (finding.action == GateAction::fail) return several ? " (fail)" : " (fails)";
  if (finding.action == GateAction::warn) return several ? " (warn)" : " (warns)";
  return finding.waived ? " (waived)" : "";
}

/// "[-inf, +12.7 %]" where an end is not known: an interval that has no end says so.
std::string interval_words(const ChangeSpan& span, const Format& format) {
  const auto end = [&](double value) {
    return std::isinf(value) ? std::string(value < 0 ? "-" : "+") + "inf" : format.percent(value);
  };
  return fmt::format("[{}, {}]", end(span.low), end(span.high));
}

}  // namespace

bool Forest::has_numbers() const {
  return std::any_of(rows.begin(), rows.end(), [](const ForestRow& row) { return row.span.has_value(); });
}

std::vector<double> Forest::gates_through(const ForestRow& row) const {
  return row.own_gate ? std::vector<double>{*row.own_gate} : gates;
}

Forest forest_of(const Report& report, const Overview& overview, ForestCases which, std::size_t most) {
  Forest forest;
  const std::vector<const Finding*> findings = worst_of_cases(overview, which);
  forest.rows = forest_rows(report, findings);
  forest.rows.resize(std::min(forest.rows.size(), std::max<std::size_t>(most, 1)));
  for (const ForestRow& row : forest.rows) forest.cases += row.cases;
  forest.more = static_cast<std::int64_t>(findings.size()) - forest.cases;
  set_axis(forest, report);
  return forest;
}

std::string forest_name(const ForestRow& row) {
  if (!row.family.empty())
    return fmt::format("{}: {} of {} cases", row.family, grouped(row.cases), grouped(row.family_cases));
  const Finding& finding = *row.finding;
  return finding.metric.primary ? finding.case_name : finding.case_name + " " + finding.metric.name;
}

std::string forest_verdict(const ForestRow& row, const Report& report, const Format& format) {
  return verdict_words(*row.finding, report, format) + policy_words(*row.finding, row.cases > 1);
}

std::string forest_sentence(const ForestRow& row, const Report& report, const Format& format) {
  std::string text = forest_verdict(row, report, format);
  if (row.cases > 1) {
    return fmt::format("{}: median {}, intervals within {}; the worst is {}", text, format.percent(row.span->change),
                       interval_words(*row.span, format), row.finding->case_name);
  }
  const FindingCells cells = cells_of(*row.finding, report, format);
  if (!row.span) return text + ": no change is known";
  text += fmt::format(": {} {} {}, {}", cells.before, format.arrow(), cells.after, cells.change);
  if (row.finding->interval) text += " " + interval_words(*row.span, format);
  if (cells.observations != format.unknown()) text += ", n " + cells.observations;
  return text;
}

std::string forest_shape_words(ForestShape shape, const Forest& forest, const Report& report, const Format& format) {
  switch (shape) {
    case ForestShape::fails:
      return "fails";
    case ForestShape::warns:
      return "warns";
    case ForestShape::open:
      return "undecided";
    case ForestShape::waived:
      return "waived";
    case ForestShape::improved:
      return "improved";
    case ForestShape::quiet:
      break;
  }
  // A change that is only noted has this shape, too.
  const bool within = std::all_of(forest.rows.begin(), forest.rows.end(), [](const ForestRow& row) {
    return row.shape != ForestShape::quiet || row.finding->verdict == Verdict::equivalent;
  });
  return within ? verdict_words(Verdict::equivalent, report, format) : "passes";
}

std::vector<ForestShape> shapes_in(const Forest& forest) {
  std::set<ForestShape> shapes;
  for (const ForestRow& row : forest.rows) shapes.insert(row.shape);
  return {shapes.begin(), shapes.end()};
}

std::string forest_percent(double change, const Format& format) {
  constexpr double grouped_from = 100;  // +10,000 %: four digits would need an exponent
  constexpr double grouped_below = 1e12;
  const double share = std::abs(change);
  const bool is_large = share >= grouped_from && share < grouped_below;
  const std::string size = is_large ? grouped(std::llround(share * 100)) + " %" : format.share(share);
  return change > 0 ? "+" + size : change < 0 ? "-" + size : size;
}

std::string forest_gate_words(const Forest& forest, const Format& format) {
  const auto words = [&](const char* name, const std::vector<double>& all) {
    if (all.empty()) return std::string();
    std::vector<std::string> gates;
    // In hundredths of a per cent: the gate of a rate has no end.
    constexpr double steps = 1e4;
    for (const double gate : all) gates.push_back(forest_percent(std::round(gate * steps) / steps, format));
    return fmt::format("{}{} {}", name, gates.size() > 1 ? "s" : "", fmt::join(gates, " and "));
  };
  const std::string of_all = words("gate", forest.gates);
  const std::string own = words("own gate", forest.own_gates);
  return of_all + (of_all.empty() || own.empty() ? "" : ", ") + own;
}

}  // namespace torchgate::reports
