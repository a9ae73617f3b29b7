// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/registry.hpp"

#include <algorithm>
#include <array>

#include "reports/formats/bencher.hpp"
#include "reports/formats/calibration_markdown.hpp"
#include "reports/formats/calibration_text.hpp"
#include "reports/formats/doctor_markdown.hpp"
#include "reports/formats/explanation_markdown.hpp"
#include "reports/formats/explanation_text.hpp"
#include "reports/formats/github.hpp"
#include "reports/formats/github_action_benchmark.hpp"
#include "reports/formats/gitlab.hpp"
#include "reports/formats/history_json.hpp"
#include "reports/formats/history_markdown.hpp"
#include "reports/formats/history_text.hpp"
#include "reports/formats/html.hpp"
#include "reports/formats/json.hpp"
#include "reports/formats/junit.hpp"
#include "reports/formats/matrix_formats.hpp"
#include "reports/formats/nyrkio.hpp"
#include "reports/formats/prometheus.hpp"
#include "reports/formats/pytorch.hpp"
#include "reports/formats/tracked_values.hpp"

namespace torchgate::reports {
namespace {

Notation notation_of(const RenderOptions& options) {
  return options.terminal.unicode ? Notation::unicode : Notation::ascii;
}

constexpr auto report_rows = std::to_array<FormatOf<Report>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const Report& report, const RenderOptions& options) { return render_terminal(report, options.terminal); }},
    {"markdown", "GitHub Markdown for a pull-request comment or a job summary, within 60,000 bytes", ".md",
     [](const Report& report, const RenderOptions& options) { return render_markdown(report, options.markdown); }},
    {"html", "one page with drawings that needs no network, and no script to be read", ".html",
     [](const Report& report, const RenderOptions&) { return render_html(report); }},
    {"json", "all numbers as JSON (schema torchgate.report/1)", ".json",
     [](const Report& report, const RenderOptions&) { return render_json(report); }},
    {"junit", "JUnit XML for test viewers: a test per case", ".junit.xml",
     [](const Report& report, const RenderOptions&) { return render_junit(report); }},
    {"github", "GitHub annotations, at most ten, to be printed by a job", ".annotations.txt",
     [](const Report& report, const RenderOptions&) { return render_github(report); }, Reader::ci_log},
    {"gitlab", "metrics report of GitLab (artifacts: reports: metrics)", ".gitlab.txt",
     [](const Report& report, const RenderOptions&) { return render_gitlab(report); }},
    {"prometheus", "metrics of Prometheus: counts, and the times and changes of the 1,000 worst cases", ".prom",
     [](const Report& report, const RenderOptions&) { return render_prometheus(report); }},
    {"bencher",
     "Bencher Metric Format: latency and throughput of each case",
     ".bencher.json",
     [](const Report& report, const RenderOptions&) { return render_bencher(report); },
     Reader::person_or_program,
     nullptr,
     {},
     cases_without_values},
    {"github-action-benchmark", "customSmallerIsBetter of github-action-benchmark", ".smaller.json",
     [](const Report& report, const RenderOptions&) {
       return render_github_action_benchmark(report, record::Direction::lower_is_better);
     },
     Reader::person_or_program,
     [](const Report& report) { return left_out_for_github_action(report, record::Direction::lower_is_better); },
     "github-action-benchmark-bigger", cases_without_values},
    {"github-action-benchmark-bigger", "customBiggerIsBetter of github-action-benchmark: rates", ".bigger.json",
     [](const Report& report, const RenderOptions&) {
       return render_github_action_benchmark(report, record::Direction::higher_is_better);
     },
     Reader::person_or_program,
     [](const Report& report) { return left_out_for_github_action(report, record::Direction::higher_is_better); },
     "github-action-benchmark", cases_without_values},
    {"nyrkio",
     "a JSON line for Nyrkiö, TigerBeetle's devhub and Apache Otava",
     ".nyrkio.jsonl",
     [](const Report& report, const RenderOptions&) { return render_nyrkio(report); },
     Reader::person_or_program,
     nullptr,
     {},
     cases_without_values},
    {"pytorch",
     "records of PyTorch's OSS benchmark database, version 3",
     ".pytorch.json",
     [](const Report& report, const RenderOptions&) { return render_pytorch(report); },
     Reader::person_or_program,
     nullptr,
     {},
     cases_without_values},
});

constexpr auto matrix_rows = std::to_array<FormatOf<Matrix>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const Matrix& matrix, const RenderOptions& options) { return matrix_text(matrix, options.terminal); }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const Matrix& matrix, const RenderOptions& options) { return matrix_markdown(matrix, options.markdown); }},
    {"html", "one page that needs neither network nor script", ".html",
     [](const Matrix& matrix, const RenderOptions&) { return matrix_html(matrix); }},
    {"json", "all numbers as JSON (schema torchgate.matrix/1)", ".json",
     [](const Matrix& matrix, const RenderOptions&) { return matrix_json(matrix); }},
});

constexpr auto history_rows = std::to_array<FormatOf<History>>({
    {"terminal", "plain text with a plot of characters", ".txt",
     [](const History& history, const RenderOptions& options) {
       return render_history_text(history,
                                  {options.terminal.width, options.terminal.verbose, options.terminal.unicode});
     }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const History& history, const RenderOptions& options) { return history_markdown(history, options.markdown); }},
    {"json", "all numbers as JSON (schema torchgate.history/1)", ".json",
     [](const History& history, const RenderOptions&) { return render_history_json(history); }},
});

constexpr auto explanation_rows = std::to_array<FormatOf<Explanation>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const Explanation& explanation, const RenderOptions& options) {
       return explanation_text(explanation, notation_of(options), options.terminal.width, options.terminal.verbose);
     }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const Explanation& explanation, const RenderOptions& options) {
       return explanation_markdown(explanation, options.markdown);
     }},
    {"json", "all numbers as JSON (schema torchgate.explanation/1)", ".json",
     [](const Explanation& explanation, const RenderOptions&) { return explanation_json(explanation); }},
});

constexpr auto calibration_rows = std::to_array<FormatOf<record::Calibration>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const record::Calibration& calibration, const RenderOptions& options) {
       return calibration_text(calibration, notation_of(options), options.terminal.width);
     }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const record::Calibration& calibration, const RenderOptions& options) {
       return calibration_markdown(calibration, options.markdown);
     }},
    {"json", "all numbers as JSON (schema torchgate.calibration/1)", ".json",
     [](const record::Calibration& calibration, const RenderOptions&) { return record::to_json(calibration); }},
});

constexpr auto doctor_rows = std::to_array<FormatOf<DoctorReport>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const DoctorReport& report, const RenderOptions&) { return doctor_text(report.checks, report.why); }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const DoctorReport& report, const RenderOptions& options) {
       return doctor_markdown(report, options.markdown);
     }},
    {"json", "all rows, and the facts of this machine (names of host, GPUs, job), as JSON (schema torchgate.doctor/1)",
     ".json", [](const DoctorReport& report, const RenderOptions&) { return doctor_json(report); }},
});

constexpr auto advice_rows = std::to_array<FormatOf<ModelAdvice>>({
    {"terminal", "plain text for a terminal or a log", ".txt",
     [](const ModelAdvice& advice, const RenderOptions&) { return model_advice_text(advice); }},
    {"markdown", "GitHub Markdown for an issue or a job summary, within 60,000 bytes", ".md",
     [](const ModelAdvice& advice, const RenderOptions& options) {
       return model_advice_markdown(advice, options.markdown);
     }},
    {"json", "all practices as JSON (schema torchgate.advice/1)", ".json",
     [](const ModelAdvice& advice, const RenderOptions&) { return model_advice_json(advice); }},
});

}  // namespace

template <>
std::span<const FormatOf<Report>> formats_of<Report>() {
  return report_rows;
}
template <>
std::span<const FormatOf<Matrix>> formats_of<Matrix>() {
  return matrix_rows;
}
template <>
std::span<const FormatOf<History>> formats_of<History>() {
  return history_rows;
}
template <>
std::span<const FormatOf<Explanation>> formats_of<Explanation>() {
  return explanation_rows;
}
template <>
std::span<const FormatOf<record::Calibration>> formats_of<record::Calibration>() {
  return calibration_rows;
}
template <>
std::span<const FormatOf<DoctorReport>> formats_of<DoctorReport>() {
  return doctor_rows;
}
template <>
std::span<const FormatOf<ModelAdvice>> formats_of<ModelAdvice>() {
  return advice_rows;
}

template <class Model>
const FormatOf<Model>* find_format(std::string_view name) {
  const auto rows = formats_of<Model>();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

template const FormatOf<Report>* find_format<Report>(std::string_view);
template const FormatOf<Matrix>* find_format<Matrix>(std::string_view);
template const FormatOf<History>* find_format<History>(std::string_view);
template const FormatOf<Explanation>* find_format<Explanation>(std::string_view);
template const FormatOf<record::Calibration>* find_format<record::Calibration>(std::string_view);
template const FormatOf<DoctorReport>* find_format<DoctorReport>(std::string_view);
template const FormatOf<ModelAdvice>* find_format<ModelAdvice>(std::string_view);

}  // namespace torchgate::reports
