// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/columns.hpp"
#include "reports/safe_text.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t number_width = 12;
constexpr std::size_t narrowest_name = 28;
/// Operators without a change are listed up to this many, largest first, unless all are asked for.
constexpr std::size_t most_unchanged = 5;

class ExplanationText {
 public:
  ExplanationText(const Explanation& explanation, Notation notation, std::size_t width, bool verbose)
      : e_(explanation), format_(notation), unicode_(notation == Notation::unicode), width_(width), verbose_(verbose) {}

  std::string render() {
    text_ = clean(e_.case_name) + '\n';
    const record::Metric time{"time", e_.unit, record::Direction::lower_is_better, record::MetricKind::timed, true};
    const auto [was, is] = format_.quantities(e_.time_before, e_.time_after, time);
    std::string change;
    if (e_.time_before && e_.time_after && *e_.time_before > 0)
      change = "  " + format_.percent(*e_.time_after / *e_.time_before - 1);
    text_ += fmt::format("  {} {} {}{}\n", was, format_.arrow(), is, change);
    if (!e_.before.run_ids.empty() && !e_.after.run_ids.empty())
      paragraph("", fmt::format("{} {} {}", side_of(e_.before), format_.arrow(), side_of(e_.after)));
    text_ += '\n';
    causes();
    operators();
    table("Counters", e_.counts, record::MetricKind::exact);
    table("Per process", e_.process, record::MetricKind::timed);
    differences();
    return text_;
  }

 private:
  [[nodiscard]] std::string clean(std::string_view untrusted) const {
    return unicode_ ? one_line(untrusted) : one_ascii_line(untrusted);
  }

  // "baseline d234fdfc672e, 2026-01-01T00:00:00.000Z (run 1cb7...)": which runs are compared.
  static std::string side_of(const SideHeader& side) {
    const std::string words = side_words(side);
    return side.run_ids.size() == 1 ? fmt::format("{} (run {})", words, side.run_ids.front()) : words;
  }

  void paragraph(std::string_view bullet, std::string_view untrusted) {
    bool first = true;
    for (const std::string& part : wrap(clean(untrusted), width_ - 2 - bullet.size())) {
      text_ += "  " + (first ? std::string(bullet) : std::string(bullet.size(), ' ')) + part + '\n';
      first = false;
    }
  }

  void causes() {
    text_ += "Why\n";
    if (e_.causes.empty()) paragraph("- ", e_.summary.words());
    for (const facts::Fact& cause : e_.causes) paragraph("- ", cause.words());
    if (!e_.causes.empty() && !e_.no_profile.empty())
      paragraph("- ", "operators not compared: " + e_.no_profile.words());
  }

  void row(std::string_view name, const std::array<std::string, 5>& cells) {
    constexpr std::size_t columns = 5;
    const std::size_t name_width = std::max(narrowest_name, width_ - std::min(width_, 2 + columns * number_width));
    text_ += "  " + pad_right(elide_middle(name, name_width, unicode_ ? "…" : "..."), name_width);
    for (const std::string& cell : cells) text_ += pad_left((cell.empty() ? "" : " ") + cell, number_width);
    while (text_.back() == ' ') text_.pop_back();
    text_ += '\n';
  }

  void operators() {
    if (e_.operators.empty()) return;
    text_ += "\nOperators, per call (host time, observed)\n";
    row("", {"calls", "self before", "self after", "added", "of change"});
    std::size_t unchanged = 0;
    for (const OperatorChange& each : e_.operators) {
      const bool changed = each.changed();
      if (!changed && ++unchanged > most_unchanged && !verbose_) continue;
      const double added_ns = each.self_after_ns - each.self_before_ns;
      const std::string was = each.inputs_before.empty() ? "" : each.inputs_before + " " + format_.arrow() + " ";
      row(clean(each.name + (each.inputs.empty() ? "" : "  " + was + each.inputs)),
          {format_.calls(each.calls_before, each.calls_after), format_.quantity(each.self_before_ns, "ns"),
           format_.quantity(each.self_after_ns, "ns"),
           changed ? sign(added_ns) + format_.quantity(std::abs(added_ns), "ns") : "same",
           changed && each.share ? fmt::format("{:.0f} %", *each.share * 100) : ""});
    }
    if (e_.outside_ns)
      row("outside all operators",
          {"", "", "", sign(*e_.outside_ns) + format_.quantity(std::abs(*e_.outside_ns), "ns"), ""});
    if (unchanged > most_unchanged && !verbose_)
      text_ += fmt::format("  {} without a change (--verbose lists them)\n",
                           counted(unchanged - most_unchanged, "more operator", "more operators"));
  }

  static std::string sign(double value) { return value < 0 ? "-" : "+"; }

  void table(const char* title, const std::vector<CountChange>& rows, record::MetricKind kind) {
    if (rows.empty()) return;
    text_ += fmt::format("\n{}\n", title);
    for (const CountChange& each : rows) {
      const record::Metric metric{each.name, each.unit, record::Direction::lower_is_better, kind, false};
      const auto [was, is] = format_.quantities(each.before, each.after, metric);
      const std::string change =
          each.before > 0 && each.before != each.after ? format_.percent(each.after / each.before - 1) : "";
      row(clean(each.name), {"", was, is, change, ""});
    }
  }

  void differences() {
    if (e_.differences.empty()) return;
    text_ += "\nMachine and software differences\n";
    for (const Difference& each : e_.differences)
      paragraph("- ", fmt::format("{}: {} {} {}", each.name, each.before, format_.arrow(), each.after));
  }

  const Explanation& e_;
  Format format_;
  bool unicode_;
  std::size_t width_;
  bool verbose_;
  std::string text_;
};

}  // namespace

std::string explanation_text(const Explanation& explanation, Notation notation, std::size_t width, bool verbose) {
  return ExplanationText(explanation, notation, width, verbose).render();
}

}  // namespace torchgate::reports
