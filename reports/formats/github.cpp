// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/github.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/columns.hpp"
#include "reports/format.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

// What the page shows of an annotation before it is folded.
constexpr std::size_t longest_annotation_title = 120;
constexpr std::size_t longest_annotation = 600;
// Of a case or a metric: of a longer name there are both ends, and room for the numbers.
constexpr std::size_t longest_name = 160;

/// The runner decodes %25, %0D, %0A in a command's text, and %3A, %2C in its properties; "##[" is its older command.
std::string command_text(std::string_view untrusted, std::size_t width, bool property) {
  std::string text;
  for (const char c : cut_at_word(one_line(untrusted), width, "…")) {
    if (c == '%') {
      text += "%25";
    } else if (property && c == ':') {
      text += "%3A";
    } else if (property && c == ',') {
      text += "%2C";
    } else if (c == '[' && text.ends_with("##")) {
      text += " [";
    } else {
      text += c;
    }
  }
  return text;
}

std::string command(std::string_view kind, const std::string& title, const std::string& text) {
  return fmt::format("::{} title={}::{}\n", kind, command_text(title, longest_annotation_title, true),
                     command_text(text, longest_annotation, false));
}

std::string name_words(std::string_view untrusted) {
  return elide_middle(one_line(untrusted), longest_name, "…");
}

std::string annotation(const Finding& finding, const Report& report, const Format& format) {
  const FindingCells cells = cells_of(finding, report, format);
  const std::string metric = finding.metric.primary ? "" : " " + name_words(finding.metric.name);
  std::string text = name_words(finding.case_name) + metric + ":";
  if (finding.before || finding.after) text += fmt::format(" {} {} {}", cells.before, format.arrow(), cells.after);
  if (finding.change) text += fmt::format(" ({})", cells.change);
  if (finding.interval) text += fmt::format(", interval {}", cells.interval);
  if (text.back() != ':') text += '.';
  for (const std::string& sentence : explanation_of(finding, format)) text += " " + sentence;
  return command(finding.action == GateAction::fail ? "error" : "warning",
                 "torchgate: " + verdict_words(finding, report, format), text);
}

std::string annotation(const ClaimFinding& claim, const Format& format) {
  return command(claim.action == GateAction::fail ? "error" : "warning", "torchgate: claim broken",
                 fmt::format("{}: {}, measured {}. {}", name_words(claim.case_name), promise_words(claim, format),
                             format.factor(claim.measured_ratio), facts::listed(claim.reasons)));
}

}  // namespace

std::string render_github(const Report& report) {
  const Format format;
  const Overview overview = overview_of(report);
  std::string text;
  std::size_t shown = 0;
  std::size_t all = 0;
  std::size_t failures = 0;
  const auto add = [&](GateAction action, const auto& make) {
    if (action != GateAction::fail && action != GateAction::warn) return;
    ++all;
    if (action == GateAction::fail) ++failures;
    if (shown == most_annotations) return;
    ++shown;
    text += make();
  };
  // A claim that fails is as bad as a finding that does; a finding of the same claim would say it twice.
  for (const GateAction action : {GateAction::fail, GateAction::warn}) {
    for (const Finding* finding : overview.listed) {
      if (finding->action == action && finding->verdict != Verdict::claim_broken)
        add(action, [&] { return annotation(*finding, report, format); });
    }
    for (const ClaimFinding* claim : overview.claims) {
      if (claim->action == action && claim->state == ClaimState::broken)
        add(action, [&] { return annotation(*claim, format); });
    }
  }
  const std::string headline = headline_of(report, format);
  if (all > shown) {
    text += command("notice", "torchgate: " + outcome_word(report),
                    fmt::format("{} more: see the job summary. {}", all - shown, headline));
  } else if (report.outcome == Outcome::fail && failures == 0) {  // not of a case
    text += command("error", "torchgate: " + outcome_word(report), headline);
  } else if (report.outcome == Outcome::no_verdict) {
    text += command("warning", "torchgate: " + outcome_word(report), headline);
  }
  return text;
}

}  // namespace torchgate::reports
