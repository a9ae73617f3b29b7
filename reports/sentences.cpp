// SPDX-License-Identifier: Apache-2.0
#include "reports/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "harness/record/short_commit.hpp"
#include "reports/facts/about_pairs.hpp"
#include "stats/rules.hpp"

namespace torchgate::reports {
namespace {

std::optional<double> value_of(const std::optional<SideNumbers>& side) {
  return side ? std::optional(side->value) : std::nullopt;
}

/// A suspect that interleaved pairs did not confirm is still judged by its processes.
bool judged_by_pairs(const Finding& finding) {
  if (!finding.confirmation || finding.confirmation->pairs <= 0 || finding.verdict == Verdict::suspected) return false;
  // Pairs that left a case open stand beside the numbers of the screen.
  return !finding.estimator || *finding.estimator == stats::Estimator::pairs ||
         *finding.estimator == stats::Estimator::floor || *finding.estimator == stats::Estimator::typical;
}

std::string observations_of(const Finding& finding, const Report& report, const Format& format) {
  if (!finding.before && !finding.after) return format.unknown();
  if (finding.counted && finding.metric.kind == record::MetricKind::exact) return "counted";
  if (finding.metric.kind == record::MetricKind::exact) return "exact";
  if (judged_by_pairs(finding)) {
    const std::string pairs = counted(finding.confirmation->pairs, "pair", "pairs");
    const auto& measure = finding.confirmation->measure;
    return measure ? fmt::format("{}, {}", pairs, stats::to_string(*measure)) : pairs;
  }
  const auto count = judged_by_textbook(report) ? &SideNumbers::samples : &SideNumbers::processes;
  const auto observations = [&](const std::optional<SideNumbers>& side) {
    if (!side) return std::string("0");
    return (*side).*count > 0 ? grouped((*side).*count) : format.unknown();
  };
  if (!finding.before && report.before.run_ids.empty()) return observations(finding.after);
  return observations(finding.before) + "+" + observations(finding.after);
}

std::string change_of(const Finding& finding, const Report& report, const Format& format) {
  if (finding.change || !finding.before || !finding.after)
    return percent_beside_gate(finding.change, finding, report, format);
  // From zero there is no relative change; for a count the difference still says what happened.
  if (finding.metric.kind != record::MetricKind::exact) return format.unknown();
  const double difference = finding.after->value - finding.before->value;
  return (difference > 0 ? "+" : "") + format.quantity(difference, finding.metric.unit);
}

void add_sentence(std::vector<std::string>& sentences, std::string text) {
  text = as_sentence(std::move(text));
  if (!text.empty()) sentences.push_back(std::move(text));
}

/// "+12.5 % [+10.2 %, +14.9 %]", "p 2.0e-04 (needed below 0.0025)", the note: what of it is known.
/// Without what the row says already: change and p of pairs that decided.
std::string pairs_result(const Confirmation& confirmation, bool repeats_row, const Format& format) {
  std::vector<std::string> parts;
  if (confirmation.change && !repeats_row) parts.push_back(format.percent(confirmation.change));
  if (!parts.empty() && confirmation.interval) {
    parts.back() = fmt::format("{} {}", parts.back(), format.change_interval(confirmation.interval));
  }
  const std::string needed = confirmation.p && confirmation.alpha > 0
                                 ? fmt::format("p needed below {}", format.p_value(confirmation.alpha))
                                 : "";
  if (repeats_row && !needed.empty()) {
    parts.push_back(needed);
  } else if (confirmation.p) {
    parts.push_back(fmt::format("p {}", format.p_value(confirmation.p)));
    if (!needed.empty()) parts.back() += fmt::format(" ({})", needed.substr(2));
  }
  if (!confirmation.note.empty()) parts.push_back(confirmation.note);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// " (by their floor; their typical change is +0.3 %)"; empty: the pairs took no turns.
std::string measure_words(const Confirmation& confirmation, const Format& format) {
  if (!confirmation.measure) return {};
  const bool floor = *confirmation.measure == stats::Measure::floor;
  const char* const by = floor ? "floor" : "typical change";
  if (!confirmation.other_change) return fmt::format(" (by their {})", by);
  return floor
             ? fmt::format(" (by their {}; their typical change is {})", by, format.percent(confirmation.other_change))
             : fmt::format(" (by their {}; that of their floor is {})", by, format.percent(confirmation.other_change));
}

std::string confirmation_words(const Finding& finding, const Format& format) {
  const Confirmation& confirmation = *finding.confirmation;
  const std::string pairs =
      counted(confirmation.pairs, "interleaved pair", "interleaved pairs") + measure_words(confirmation, format);
  std::string words = pairs;
  if (confirmation.pairs <= 0) {
    words = "Not confirmed by interleaved pairs";
  } else if (confirmation.confirmed) {
    words = fmt::format("Confirmed by {}", pairs);
  } else if (finding.verdict == Verdict::suspected) {
    words = fmt::format("Undecided after {}", pairs);
  }
  const bool repeats_row = judged_by_pairs(finding) && confirmation.change == finding.change;
  const std::string result = pairs_result(confirmation, repeats_row, format);
  return result.empty() ? words : fmt::format("{}: {}", words, result);
}

/// " (62 % of samples near 101.2 µs, 38 % near 107.4 µs)".
std::string modes_words(const Modes& modes, const Finding& finding, const Format& format) {
  const auto [lower, upper] = format.quantities(modes.lower, modes.upper, finding.metric);
  return fmt::format(" ({:.0f} % of samples near {}, {:.0f} % near {})", 100 * (1 - modes.upper_share), lower,
                     100 * modes.upper_share, upper);
}

/// "in 4 of 5 processes before and 3 of 5 after"; empty when the flag is up on neither side.
std::string where_raised(const Finding& finding, SeriesFlag Noise::*flag, const Format& format) {
  std::string text;
  const auto add = [&](const std::optional<SideNumbers>& side, const char* name) {
    if (!side || !side->noise || !((*side->noise).*flag).raised) return;
    const SeriesFlag& raised = (*side->noise).*flag;
    text += fmt::format("{}{} of {} {}", text.empty() ? "in " : " and ", raised.processes,
                        text.empty() ? counted(raised.of, "process", "processes") : grouped(raised.of), name);
    if (flag == &Noise::two_modes && side->noise->modes) text += modes_words(*side->noise->modes, finding, format);
  };
  add(finding.before, "before");
  add(finding.after, "after");
  return text;
}

void add_noise_sentences(std::vector<std::string>& sentences, const Finding& finding, const Format& format) {
  const auto add = [&](SeriesFlag Noise::*flag, const char* what, const char* meaning) {
    const std::string where = where_raised(finding, flag, format);
    if (!where.empty()) add_sentence(sentences, fmt::format("{} {}: {}", what, where, meaning));
  };
  add(&Noise::not_steady, "No steady state", "the times still change when sampling ends");
  add(&Noise::drift, "Drift", "the times rise or fall while a process runs");
  add(&Noise::two_modes, "Two modes", "the value of a process depends on which mode dominates");
}

std::string sd_words(const char* name, const NoisePart& part) {
  const std::string words = reports::sd_words(part);
  return words.empty() ? words : fmt::format(", {} {}", name, words);
}

std::string noise_words(const Noise& noise) {
  const std::string words =
      sd_words("iterations", noise.iteration) + sd_words("processes", noise.process) + sd_words("runs", noise.run);
  return words.empty() ? words : words.substr(2);
}

std::string series_words(const Noise& noise) {
  std::string words;
  if (noise.effective_samples) words = grouped(std::llround(*noise.effective_samples));
  if (noise.outliers) {
    words += fmt::format("{}{}", words.empty() ? "" : ", ", counted(*noise.outliers, "outlier", "outliers"));
  }
  return words;
}

void add_noise_details(std::vector<Detail>& details, const Finding& finding, const Format& format) {
  const auto add = [&](const char* label, std::string (*words)(const Noise&)) {
    const auto text = [&](const std::optional<SideNumbers>& side) {
      std::string known = side && side->noise ? words(*side->noise) : std::string();
      return known.empty() ? format.unknown() : known;
    };
    Detail detail{label, text(finding.before), text(finding.after), format.unknown()};
    if (detail.before != format.unknown() || detail.after != format.unknown()) details.push_back(std::move(detail));
  };
  add("noise", noise_words);
  add("independent samples", series_words);
}

/// Whether the reasons of FINDING say already why there were no pairs.
bool says_why_unconfirmed(const Finding& finding) {
  return std::any_of(finding.reasons.begin(), finding.reasons.end(), [&](const facts::Fact& reason) {
    return reason.is(facts::not_confirmed) && reason.inner() == finding.confirmation->note;
  });
}

}  // namespace

std::string percent_beside_gate(std::optional<double> change, const Finding& finding, const Report& report,
                                const Format& format) {
  // Counts and bytes have gates of their own.
  if (finding.metric.kind != record::MetricKind::timed) return format.percent(change);
  return format.percent_beside(change, gate_of(finding, report));
}

// An end that is rounded to the gate would look as if the case failed, or passed, in spite of it.
std::string interval_beside_gate(const Finding& finding, const Report& report, const Format& format) {
  const std::optional<Interval>& interval = finding.interval;
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high))
    return format.change_interval(interval);
  const auto end = [&](double change) { return percent_beside_gate(change, finding, report, format); };
  return fmt::format("[{}, {}]", end(interval->low), end(interval->high));
}

bool judged_by_textbook(const Report& report) {
  return stats::rule_reads(report.rule, stats::Reads::raw_samples);
}

/// Two digits of a standard deviation are all that a handful of processes knows of it.
std::string sd_words(const NoisePart& part) {
  if (!part.sd || !std::isfinite(*part.sd)) return {};
  return part.floored ? "none seen" : fmt::format("{:.2g} %", *part.sd * 100);
}

FindingCells cells_of(const Finding& finding, const Report& report, const Format& format) {
  FindingCells cells;
  std::tie(cells.before, cells.after) =
      format.quantities(value_of(finding.before), value_of(finding.after), finding.metric);
  cells.change = change_of(finding, report, format);
  cells.interval = interval_beside_gate(finding, report, format);
  cells.p = format.p_value(finding.p);
  cells.effect_size = format.effect_size(finding.cohens_d, finding.cohens_d_word);
  cells.observations = observations_of(finding, report, format);
  return cells;
}

std::optional<double> relative_change(std::optional<double> before, std::optional<double> after) {
  if (!before || !after || !(*before > 0)) return std::nullopt;
  return *after / *before - 1;
}

std::optional<std::string> common_level(const std::vector<const Finding*>& findings, const Format& format) {
  std::optional<std::string> level;
  for (const Finding* finding : findings) {
    if (!finding->interval) continue;
    const std::string own = format.share(finding->interval->level);
    if (level && *level != own) return std::nullopt;
    level = own;
  }
  return level;
}

std::string as_sentence(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text.empty()) return text;
  const bool ended = text.back() == '.' || text.back() == '!' || text.back() == '?';
  return ended ? text : text + ".";
}

std::vector<std::string> explanation_of(const Finding& finding, const Format& format) {
  std::vector<std::string> sentences;
  for (const facts::Fact& cause : finding.causes) add_sentence(sentences, "why: " + cause.words());
  std::vector<std::string> notes = notes_on(finding, format);
  std::move(notes.begin(), notes.end(), std::back_inserter(sentences));
  return sentences;
}

std::vector<std::string> notes_on(const Finding& finding, const Format& format) {
  std::vector<std::string> sentences;
  for (const facts::Fact& reason : finding.reasons) add_sentence(sentences, reason);
  add_noise_sentences(sentences, finding, format);
  if (finding.confirmation && !says_why_unconfirmed(finding))
    add_sentence(sentences, confirmation_words(finding, format));
  if (finding.verdict != Verdict::inconclusive) return sentences;
  if (finding.smallest_detectable) {
    add_sentence(sentences,
                 "Smallest detectable change in these measurements: " + format.share(finding.smallest_detectable));
  }
  if (finding.processes_needed) {
    add_sentence(sentences, "About " + counted(*finding.processes_needed, "more process", "more processes") +
                                " per side needed for a verdict");
  }
  return sentences;
}

std::vector<Detail> details_of(const Finding& finding, const Format& format) {
  std::vector<Detail> details;
  const auto add = [&](const char* label, auto known, auto number, auto text) {
    using Known = decltype(known(SideNumbers{}));
    const auto before = finding.before ? known(*finding.before) : Known();
    const auto after = finding.after ? known(*finding.after) : Known();
    if (!before && !after) return;
    const auto value = [&](const auto& side) { return side ? std::optional<double>(number(*side)) : std::nullopt; };
    details.push_back({label, before ? text(*before) : format.unknown(), after ? text(*after) : format.unknown(),
                       format.percent(relative_change(value(before), value(after)))});
  };
  const auto tail_value = [](const Tail& tail) { return tail.value; };
  const auto tail_text = [&](const Tail& tail) {
    const std::string value = format.quantity(tail.value, finding.metric.unit);
    if (!tail.interval) return value;
    return fmt::format("{} {}", value, format.value_interval(tail.interval, finding.metric.unit));
  };
  const auto itself = [](double value) { return value; };
  add(
      "P95", [](const SideNumbers& side) { return side.p95; }, tail_value, tail_text);
  add(
      "P99", [](const SideNumbers& side) { return side.p99; }, tail_value, tail_text);
  add(
      "throughput", [](const SideNumbers& side) { return side.items_per_second; }, itself,
      [&](double value) { return format.rate(value); });
  add(
      "bytes moved", [](const SideNumbers& side) { return side.bytes_per_second; }, itself,
      [&](double value) { return format.quantity(value, "bytes") + "/s"; });
  add(
      "peak memory", [](const SideNumbers& side) { return side.peak_bytes; }, itself,
      [&](double value) { return format.quantity(value, "bytes"); });
  add_noise_details(details, finding, format);
  return details;
}

std::string textbook_words(const TextbookAnswer& answer, const Format& format) {
  std::string text = answer.call.empty() ? "no answer" : answer.call;
  text += fmt::format(" (p {}, d {})", format.p_value(answer.p), format.effect_size(answer.d, answer.word));
  return answer.samples.empty() ? text : text + " on " + answer.samples.words();
}

std::string side_words(const SideHeader& side) {
  std::string text = side.label.empty() ? "unnamed" : side.label;
  if (side.commit && !side.commit->empty()) text += fmt::format(" {}", record::short_commit(*side.commit));
  if (side.modified.value_or(false)) text += " (modified tree)";
  const auto runs = static_cast<std::int64_t>(side.run_ids.size());
  if (runs > 1) text += ", " + counted(runs, "run", "runs");
  if (!side.created.empty()) text += (runs > 1 ? ", newest " : ", ") + side.created;
  return text;
}

std::string rule_words(const Report& report, const Format& format) {
  std::string text = fmt::format("{}, gate {}; {} judged", report.rule.empty() ? "default" : report.rule,
                                 format.share(report.gate_ratio), counted(report.cases_judged, "case", "cases"));
  if (report.suspects > 0) text += ", " + counted(report.suspects, "suspect", "suspects");
  return text;
}

std::string host_words(const Report& report, const Format& format) {
  const std::string& before = report.before.host_key;
  const std::string& after = report.after.host_key;
  if (before.empty() || before == after) return after;
  if (after.empty()) return before;
  return fmt::format("{} {} {}", before, format.arrow(), after);
}

std::string promise_words(const ClaimFinding& claim, const Format& format) {
  return std::string(claim.at_most ? "at most " : "at least ") + format.factor(claim.promised_ratio);
}

std::string claim_words(ClaimState state) {
  if (state == ClaimState::not_claimed) return "not claimed here";
  return state == ClaimState::not_measured ? "not measured" : to_string(state);
}

std::string claims_tally(const std::vector<ClaimFinding>& claims) {
  std::map<ClaimState, std::int64_t> counts;
  for (const ClaimFinding& claim : claims) ++counts[claim.state];
  std::string text;
  const auto add = [&](ClaimState state, const std::string& one, const std::string& many) {
    if (counts[state] > 0) text += (text.empty() ? "" : ", ") + counted(counts[state], one, many);
  };
  add(ClaimState::broken, "broken", "broken");
  add(ClaimState::undecided, "undecided", "undecided");
  add(ClaimState::holds, "holds", "hold");
  add(ClaimState::not_measured, "not measured", "not measured");
  add(ClaimState::not_claimed, "not claimed here", "not claimed here");
  return text;
}

}  // namespace torchgate::reports
