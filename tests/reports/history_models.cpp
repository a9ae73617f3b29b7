// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/history_models.hpp"

#include <cstdio>

namespace torchgate::reports::models {
namespace {

History history_of(std::size_t runs, double value) {
  History history;
  history.case_name = "fusion/conv_bn/folded/device:cpu/batch:8";
  history.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  history.host_key = "x86_64-xeon-2cpu-31df0b06";
  history.store = ".torchgate/store";
  history.alpha = 0.001;
  history.smallest_change = 0.01;
  history.judged = true;
  for (std::size_t i = 0; i < runs; ++i) {
    HistoryRun run;
    char text[64];
    std::snprintf(text, sizeof text, "%016zx", 0xabc000 + i);
    run.run_id = text;
    std::snprintf(text, sizeof text, "2026-%02zu-%02zuT03:15:00.000Z", 1 + i / 28, 1 + i % 28);
    run.created = text;
    std::snprintf(text, sizeof text, "%020zx%020zx", 0x1d2c3b4a5968 * (i + 1), i);
    run.commit = text;
    run.value = value * (1 + 0.002 * static_cast<double>(i * 7 % 5));
    run.processes = 5;
    history.runs.push_back(run);
  }
  return history;
}

void scale_from(History& history, std::size_t first, double factor) {
  for (std::size_t i = first; i < history.runs.size(); ++i) history.runs[i].value *= factor;
}

}  // namespace

History two_changes() {
  History history = history_of(44, 212'000);
  scale_from(history, 14, 1.12);
  scale_from(history, 30, 1 / 1.15);
  history.runs[20].value *= 1.3;
  history.runs[20].outlier = true;
  history.runs[40].watch = HistoryWatch{3.4, true, false, false};
  history.runs[43].watch = HistoryWatch{4.25, true, true, true};
  history.changes = {{14, 212'900, 238'400, 0.1197, true, 5e-5, 3},
                     {30, 238'400, 207'300, -0.1305, false, 0.00034, {}}};
  history.autocorrelation = 0.12;
  history.runs[30].commit.reset();
  history.notes = {"2 runs are left out: of a modified tree, or of no commit (take them with --uncommitted)."};
  return history;
}

History too_few_runs() {
  History history = history_of(5, 1'500'000);
  history.judged = false;
  history.reasons = {"A level change needs at least 8 runs, four on each side."};
  return history;
}

History quiet_throughput() {
  History history = history_of(10, 64.25);
  history.metric = {"requests", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, true};
  history.drift_corrected = true;
  history.runs[9].watch = HistoryWatch{};
  return history;
}

History hostile_history() {
  History history = history_of(9, 1000);
  history.case_name =
      "evil/\033[31mred\033[0m/\xe2\x80\xae"
      "txt/new\nline <b>*_`@someone`_*</b> " +
      std::string(120, 'w');
  history.host_key = "host\r\nPASS";
  history.store = "/store/\xff\xfe";
  history.metric.unit = "\033[2J";
  history.runs[4].commit = "\033]0;title\007";
  history.changes = {{4, 1000, 1200, 0.2, true, 0.001, {}}};
  history.watch_reason = "Only 5 runs\nof this level.";
  history.notes = {"run \033[1mx\033[0m cannot be read"};
  return history;
}

}  // namespace torchgate::reports::models
