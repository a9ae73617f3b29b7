// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/base/hexadecimal.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/columns.hpp"
#include "reports/format.hpp"
#include "reports/safe_text.hpp"
#include "reports/scatter.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t narrowest_history = 60;
constexpr std::size_t widest_plot = 100;
constexpr std::size_t listed_runs = 30;  // with the newest ones a screen is full
constexpr std::size_t value_width = 10;  // "1,234.5 µs"
constexpr std::string_view bar = " | ";

std::string day(const std::string& created) {
  return created.substr(0, std::string_view("YYYY-MM-DD").size());
}

std::string minute(const std::string& created) {
  std::string text = created.substr(0, std::string_view("YYYY-MM-DDThh:mm").size());
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::string brief(const std::optional<std::string>& commit) {
  return commit ? record::short_commit(*commit) : "(no commit)";
}

class HistoryText {
 public:
  HistoryText(const History& history, const HistoryTextOptions& options)
      : history_(history),
        options_(options),
        width_(std::max(options.width, narrowest_history)),
        format_(options.unicode ? Notation::unicode : Notation::ascii) {}

  std::string render() {
    headline();
    changes();
    watch();
    plot();
    runs();
    list("Notes", history_.notes);
    return text_;
  }

 private:
  [[nodiscard]] std::string clean(std::string_view untrusted) const {
    return options_.unicode ? one_line(untrusted) : one_ascii_line(untrusted);
  }

  void line(const std::string& text) {
    std::string shortened = elide_middle(text, width_, options_.unicode ? "…" : "...");
    shortened.erase(shortened.find_last_not_of(' ') + 1);
    text_ += shortened + '\n';
  }

  void paragraph(std::size_t indent, std::string_view bullet, std::string_view text) {
    const std::size_t hang = indent + bullet.size();
    bool first = true;
    for (const std::string& part : wrap(clean(text), width_ - hang)) {
      line(first ? std::string(indent, ' ') + std::string(bullet) + part : std::string(hang, ' ') + part);
      first = false;
    }
  }

  void title(const std::string& text) {
    text_ += '\n';
    line(text);
  }

  void list(const std::string& name, const std::vector<std::string>& items) {
    if (items.empty()) return;
    title(name);
    for (const std::string& item : items) paragraph(2, "- ", item);
  }

  [[nodiscard]] std::string quantity(double value) const { return format_.quantity(value, history_.metric.unit); }

  void headline() {
    paragraph(0, "", history_.case_name + ": " + history_finding(history_));
    text_ += '\n';
    const bool lower = history_.metric.direction == record::Direction::lower_is_better;
    paragraph(2, "metric  ", fmt::format("{}, {} is better", history_.metric.name, lower ? "lower" : "higher"));
    paragraph(2, "host    ", history_.host_key);
    if (!history_.runs.empty()) {
      paragraph(2, "runs    ",
                fmt::format("{} to {}, in {}", day(history_.runs.front().created), day(history_.runs.back().created),
                            history_.store));
    }
    paragraph(2, "rule    ",
              fmt::format("alpha {} for the whole series, changes of at least {}", history_.alpha,
                          format_.share(history_.smallest_change)));
    paragraph(2, "drift   ",
              history_.drift_corrected ? "machine drift corrected with the control cases"
                                       : "machine drift not corrected (no usable control cases)");
    for (const std::string& reason : history_.reasons) paragraph(2, "reason  ", reason);
  }

  void changes() {
    if (history_.changes.empty()) return;
    title("Level changes");
    for (const HistoryChange& change : history_.changes) {
      const HistoryRun& first = history_.runs[change.run];
      const HistoryRun& last = history_.runs[change.run - 1];
      const auto [before, after] = format_.quantities(change.before, change.after, history_.metric);
      line(clean(fmt::format("  {}  {:6} {:>8}  {} {} {}  p {}", minute(first.created),
                             change.worse ? "worse" : "better", format_.percent(change.change), before, format_.arrow(),
                             after, format_.p_value(change.p))));
      paragraph(6, "", where(last, first, change));
    }
  }

  [[nodiscard]] static std::string where(const HistoryRun& last, const HistoryRun& first, const HistoryChange& change) {
    if (!last.commit || !first.commit) {
      return fmt::format("between run {} and run {}", last.run_id, first.run_id);
    }
    if (last.commit == first.commit) {
      return fmt::format("between two runs of {}: the machine or its software changed, not the code",
                         brief(first.commit));
    }
    std::string text = fmt::format("first commit at the new level: {}; last at the old one: {}", brief(first.commit),
                                   brief(last.commit));
    if (change.commits_between) text += fmt::format(" ({})", counted(*change.commits_between, "commit", "commits"));
    // A reader may paste it into a shell: a hash or nothing.
    if (!base::is_lower_hex(*last.commit) || !base::is_lower_hex(*first.commit)) return text;
    text += fmt::format("; `git log {}..{}`", brief(last.commit), brief(first.commit));
    if (!change.worse || change.commits_between.value_or(1) == 1) return text;
    return text + fmt::format("; which one: `torchgate bisect CASE --good {} --bad {} --build COMMAND --suites PATH`",
                              brief(last.commit), brief(first.commit));
  }

  void watch() {
    const bool watched = std::any_of(history_.runs.begin(), history_.runs.end(),
                                     [](const HistoryRun& run) { return run.watch.has_value(); });
    if (!watched && history_.watch_reason.empty()) return;  // too few runs
    title("Alerts (never fail a build)");
    if (!history_.watch_reason.empty()) {
      paragraph(2, "- ", history_.watch_reason);
      return;
    }
    const HistoryRun& newest = history_.runs.back();
    if (!newest.watch || !newest.watch->rings()) {
      paragraph(2, "- ", "no alert for the newest run");
      return;
    }
    const HistoryWatch& state = *newest.watch;
    if (state.two_in_a_row) {
      paragraph(
          2, "- ",
          "the two newest runs are both worse than the median of this level's first runs by more than three robust "
          "standard deviations (three sigma twice); confirm with `torchgate ab`");
    } else if (state.three_sigma) {
      paragraph(
          2, "- ",
          fmt::format(
              "the newest run is {:.1f} standard deviations worse than the first runs of this level (three sigma)",
              state.sds_above));
    }
    if (state.ewma)
      paragraph(2, "- ",
                "the weighted mean of the newest runs is worse than the mean of this level's first runs (EWMA); one "
                "run far out is enough for that");
  }

  void plot() {
    if (history_.runs.size() < 2) return;
    std::vector<double> values;
    for (const HistoryRun& run : history_.runs) values.push_back(run.value);
    std::vector<std::size_t> dividers;
    for (const HistoryChange& change : history_.changes) dividers.push_back(change.run);
    const std::size_t margin = 2 + value_width + bar.size();
    const ScatterOptions options{std::min(width_ - margin, widest_plot), 9, options_.unicode};
    const auto rows = scatter(values, dividers, options);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    text_ += '\n';
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string label = i == 0 ? quantity(*high) : i + 1 == rows.size() ? quantity(*low) : "";
      line("  " + pad_left(clean(label), value_width) + std::string(bar) + rows[i]);
    }
  }

  [[nodiscard]] std::string marks(std::size_t at) const {
    std::string text;
    const auto mark = [&](bool holds, std::string_view word) {
      if (holds) text += (text.empty() ? "" : ", ") + std::string(word);
    };
    const HistoryRun& run = history_.runs[at];
    mark(std::any_of(history_.changes.begin(), history_.changes.end(), [at](const auto& c) { return c.run == at; }),
         "new level");
    mark(run.outlier, "outlier");
    mark(run.watch && run.watch->two_in_a_row, "three sigma twice");
    mark(run.watch && run.watch->three_sigma && !run.watch->two_in_a_row, "three sigma");
    mark(run.watch && run.watch->ewma, "EWMA");
    return text;
  }

  void runs() {
    const std::size_t hidden =
        options_.verbose || history_.runs.size() <= listed_runs ? 0 : history_.runs.size() - listed_runs;
    title("Runs, oldest first");
    line("  " + pad_right("time (UTC)", 16) + "  " + pad_right("commit", record::short_commit_digits) + "  " +
         pad_left("value", value_width) + "  processes");
    if (hidden > 0)
      line(fmt::format("  {} earlier runs (--verbose lists them)", grouped(static_cast<std::int64_t>(hidden))));
    for (std::size_t i = hidden; i < history_.runs.size(); ++i) {
      const HistoryRun& run = history_.runs[i];
      std::string row = "  " + pad_right(minute(run.created), 16) + "  " +
                        pad_right(brief(run.commit), record::short_commit_digits) + "  " +
                        pad_left(quantity(run.value), value_width) + "  " + pad_left(grouped(run.processes), 9);
      if (const std::string words = marks(i); !words.empty()) row += "  " + words;
      line(clean(row));
    }
  }

  const History& history_;
  HistoryTextOptions options_;
  std::size_t width_;
  Format format_;
  std::string text_;
};

}  // namespace

std::string render_history_text(const History& history, const HistoryTextOptions& options) {
  return HistoryText(history, options).render();
}

}  // namespace torchgate::reports
