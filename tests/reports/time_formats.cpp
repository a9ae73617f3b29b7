// SPDX-License-Identifier: Apache-2.0
// time_formats page [N [hostile]]: an HTML page with drawings, or of N findings.
// time_formats page NAME: of the report of a golden file; upgrade and matrix: of another LibTorch, and of several.
// time_formats N [hostile]: renders a report of N findings in every format and prints how long each took and how many bytes it has.
// With "hostile", names and messages are those that formats have to make inert. Used by ci/scripts/bench.sh; asserts nothing.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/counted.hpp"
#include "reports/families.hpp"
#include "reports/formats/html.hpp"
#include "reports/formats/registry.hpp"
#include "tests/reports/hostile_names.hpp"
#include "tests/reports/html_models.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/upgrade_models.hpp"

namespace torchgate::reports {
namespace {

/// One case in twenty is slower, one in ten is open, one in fifty improved; the rest is within the margin.
Report report_of(std::int64_t cases, bool hostile) {
  Report report = models::base();
  report.outcome = Outcome::fail;
  const auto& names = models::hostile_names_corpus();
  for (std::int64_t i = 0; i < cases; ++i) {
    std::string name = fmt::format("suite{}/group{}/variant/batch:{}", i % 7, i / 50, i % 50);
    if (hostile) name += names[static_cast<std::size_t>(i) % names.size()];
    const bool slower = i % 20 == 0;
    const bool open = i % 10 == 1;
    const bool faster = i % 50 == 2;
    Finding finding = models::timed(std::move(name),
                                    slower   ? Verdict::regressed
                                    : open   ? Verdict::inconclusive
                                    : faster ? Verdict::improved
                                             : Verdict::equivalent,
                                    slower ? GateAction::fail
                                    : open ? GateAction::note
                                           : GateAction::pass,
                                    1e5 + static_cast<double>(i),
                                    slower   ? 0.08
                                    : faster ? -0.08
                                             : 0.001);
    if (slower) models::confirm(finding, 12 + i % 30, 0.01, 1e-6, 1e-5);
    if (open) finding.reasons = {"the difference is within the noise"};
    if (hostile) finding.reasons.push_back(names[static_cast<std::size_t>(i * 7) % names.size()]);
    report.findings.push_back(std::move(finding));
  }
  report.cases_judged = cases;
  report.families = families_of(report.findings);
  if (report.families) report.headline = family_words(*report.families);
  return report;
}

void time_formats(std::int64_t cases, bool hostile) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const Report report = report_of(cases, hostile);
  const std::chrono::duration<double> made = Clock::now() - begin;
  fmt::print("{} findings made in {:.3f} s\n", base::grouped(cases), made.count());
  for (const FormatOf<Report>& format : formats_of<Report>()) {
    const auto from = Clock::now();
    const std::string text = format.render(report, {});
    const std::chrono::duration<double> taken = Clock::now() - from;
    fmt::print("{:24} {:9.4f} s {:>14} bytes\n", format.name, taken.count(),
               base::grouped(static_cast<std::int64_t>(text.size())));
  }
}

/// Empty for a name that is not known.
std::string named_page(std::string_view name) {
  if (name == "upgrade") return render_html(models::libtorch_upgrade());
  if (name == "matrix") return find_format<Matrix>("html")->render(models::two_versions(), {});
  for (const models::Named& model : models::all()) {
    if (model.name == name) return render_html(model.report);
  }
  return {};
}

std::string page_of(const std::vector<const char*>& arguments) {
  if (arguments.empty()) return render_html(models::with_drawings());
  const std::int64_t findings = std::strtoll(arguments.front(), nullptr, 10);
  return findings > 0 ? render_html(report_of(findings, arguments.size() > 1)) : named_page(arguments.front());
}

}  // namespace
}  // namespace torchgate::reports

int main(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "page") {
    const std::string html = torchgate::reports::page_of({arguments + 2, arguments + count});
    fmt::print("{}", html);
    if (!html.empty()) return 0;
  }
  const std::int64_t cases = count > 1 ? std::strtoll(arguments[1], nullptr, 10) : 0;
  const bool hostile = count > 2 && std::string_view(arguments[2]) == "hostile";
  if (cases <= 0 || (count > 2 && !hostile)) {
    fmt::print(stderr, "usage: time_formats FINDINGS [hostile] | time_formats page [FINDINGS | NAME]\n");
    return 2;
  }
  torchgate::reports::time_formats(cases, hostile);
  return 0;
}
