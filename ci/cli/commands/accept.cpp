// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "ci/cli/command_table.hpp"
#include "ci/github/comment/last_report.hpp"
#include "ci/policy/nearest_name.hpp"
#include "ci/policy/waiver_of_finding.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/for_a_shell.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/record/commit_name.hpp"

namespace torchgate::cli {
namespace {

struct AcceptCommand {
  std::vector<std::string> cases;
  std::optional<std::string> metric;   ///< absent: all of the case that fails
  std::optional<std::string> ceiling;  ///< as typed: "12%"; absent: what was measured, rounded up
  std::string reason;
  std::optional<std::string> expires;  ///< as typed: "90d" or a date
  std::optional<std::string> report;   ///< absent: the newest one of this folder
  std::optional<std::string> by;       ///< who accepts it
  std::optional<std::string> commit;   ///< what it is accepted for; absent: the commit of the report
  std::optional<std::string> waivers;  ///< the file; absent: gate.waivers
};

using base::Error;
using base::ErrorCode;

bool is_lost_count(const github::ReportedFinding& finding) {
  return finding.exact && finding.verdict == "changed" && !finding.value;
}

bool has_no_number(const github::ReportedFinding& finding) {
  return finding.verdict == "missing" || finding.verdict == "not_comparable" || is_lost_count(finding);
}

bool can_be_waived(const github::ReportedFinding& finding) {
  return has_no_number(finding) || finding.verdict == "regressed" || finding.verdict == "suspected" ||
         finding.verdict == "changed";
}

double measured(const github::ReportedFinding& finding) {
  if (finding.exact) return finding.value.value_or(0);
  const double ratio = 1 + finding.change.value_or(0);
  return (finding.lower_is_better ? ratio : 1 / ratio) - 1;
}

// Of a confirmed change a second estimate may be the larger one: the far end of its interval holds that, too. (Suspects are compared by their near end.)
double default_ceiling_of(const github::ReportedFinding& finding) {
  if (finding.exact || finding.verdict != "regressed" || !finding.interval) return measured(finding);
  github::ReportedFinding far = finding;
  far.change = finding.lower_is_better ? finding.interval->high : finding.interval->low;
  const double farthest = measured(far);
  return std::isfinite(farthest) ? std::max(measured(finding), farthest) : measured(finding);
}

// What of the case fails; where nothing does, what warns. An error says why there is nothing to accept.
base::Result<std::vector<const github::ReportedFinding*>> wanted(const github::SavedReport& report,
                                                                 const std::string& name,
                                                                 const std::optional<std::string>& metric,
                                                                 const std::string& file) {
  std::set<std::string> names;
  std::vector<const github::ReportedFinding*> fails;
  std::vector<const github::ReportedFinding*> warns;
  std::string verdicts;
  for (const github::ReportedFinding& finding : report.findings) {
    names.insert(finding.case_name);
    if (finding.case_name != name) continue;
    verdicts += fmt::format("{}{}{}", verdicts.empty() ? "" : ", ", finding.metric.empty() ? "" : finding.metric + " ",
                            finding.verdict);
    if (metric && finding.metric != *metric) continue;
    if (finding.over_budget && finding.action == "fail") {
      return Error{
          ErrorCode::bad_input,
          fmt::format("{} ({}): over its budget, which no waiver lifts; change the budget of its [[case]] table", name,
                      finding.metric)};
    }
    if (!can_be_waived(finding)) continue;
    if (finding.action == "fail") fails.push_back(&finding);
    if (finding.action == "warn") warns.push_back(&finding);
  }
  if (!fails.empty()) return fails;
  if (!warns.empty()) return warns;
  if (verdicts.empty()) {
    const auto near = policy::nearest_names(name, names, 1);
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: no case {}{}", file, name,
                             near.empty() ? "" : fmt::format("; did you mean {}?", near.front()))};
  }
  return Error{ErrorCode::bad_input,
               fmt::format("{}{}: nothing to accept in {} ({}); only a failing or warning finding that "
                           "regressed, is suspected, changed, missing or not comparable can be waived",
                           name, metric ? " (" + *metric + ")" : "", file, verdicts)};
}

// 0 of what has no number, and needs none.
base::Result<double> ceiling_of(const github::ReportedFinding& finding, const AcceptCommand& command) {
  if (has_no_number(finding)) {
    if (!command.ceiling) return 0.0;
    return Error{ErrorCode::bad_input,
                 is_lost_count(finding)
                     ? "a count that is lost has no value; leave --ceiling out"
                     : fmt::format("a case that is {} has no number; leave --ceiling out", finding.verdict)};
  }
  if (!finding.exact && !finding.change) {
    return Error{
        ErrorCode::bad_input,
        "0 or less before, so its change is not a share that can be accepted; set what this does in a [[case]] table"};
  }
  const double least = command.ceiling ? measured(finding) : default_ceiling_of(finding);
  if (!std::isfinite(least)) {
    return Error{ErrorCode::bad_input,
                 "it fell to 0, and no ceiling is above that change; set what this does in a [[case]] table"};
  }
  return policy::waiver_ceiling(command.ceiling, least, finding.exact, finding.lower_is_better);
}

// What the change is of, where that is a commit: not of a modified tree, nor of two builds of one commit. A merge that was made for a test never
// enters the branch's history: what it merges does.
std::optional<std::string> commit_of_change(const github::SavedReport& report) {
  if (report.after_modified || report.commit == report.before_commit) return std::nullopt;
  return report.head ? report.head : report.commit;
}

// A waiver of what is not a hash would never be spent.
base::Result<void> check_commit(const AcceptCommand& command, const github::SavedReport& report,
                                const std::string& file) {
  const auto commit = command.commit ? std::nullopt : commit_of_change(report);
  if (!commit || record::is_commit_name(*commit)) return {};
  return Error{ErrorCode::bad_input, fmt::format("{}: its commit, {}, is not {}; name it with --commit SHA", file,
                                                 base::shown(*commit), record::commit_name_form)};
}

base::Result<std::vector<policy::Waiver>> new_waivers(const AcceptCommand& command, const github::SavedReport& report,
                                                      const std::string& report_file, const policy::Policy& policy) {
  const auto expires = policy::waiver_expiry(command.expires, *policy.today);
  if (!expires) return expires.error();
  std::vector<policy::Waiver> waivers;
  for (const std::string& name : command.cases) {
    const auto findings = wanted(report, name, command.metric, report_file);
    if (!findings) return findings.error();
    for (const github::ReportedFinding* finding : *findings) {
      policy::Waiver waiver;
      waiver.missing = has_no_number(*finding);
      const auto ceiling = ceiling_of(*finding, command);
      if (!ceiling) return ceiling.error().within(fmt::format("{} ({})", name, finding->metric));
      waiver.case_name = name;
      waiver.metric = finding->metric;
      waiver.ceiling = *ceiling;
      waiver.reason = command.reason;
      waiver.expires = *expires;
      waiver.by = command.by;
      waiver.commit = command.commit ? command.commit : commit_of_change(report);
      waiver.since = report.pin;
      waivers.push_back(std::move(waiver));
    }
  }
  return waivers;
}

// Reading, appending and replacing are one step for all that accept at once. The folder is locked, because the file is replaced. Some
// file systems (NFS) cannot lock a folder; there they are three.
base::PosixFile locked_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  base::PosixFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (opened.is_open() && ::flock(opened.descriptor(), LOCK_EX) != 0 && errno == EINTR) continue;
  return opened;
}

base::Result<void> append(const std::filesystem::path& file, const std::vector<policy::Waiver>& waivers) {
  const base::PosixFile lock = locked_folder_of(file);
  constexpr std::int64_t largest_file = 4 << 20;
  std::string text;
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    auto there = base::read_file(file, largest_file, base::Links::refused);
    if (!there) return there.error();
    text = std::move(there).value();
  }
  const auto longer = policy::append_waivers(text, waivers, file);
  if (!longer) return longer.error();
  return base::write_file_atomically(file, *longer, true);
}

// Each becomes a key of the waiver, which takes no empty text.
base::Result<void> check_words(const AcceptCommand& command) {
  const auto is_blank = [](const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; };
  if (is_blank(command.reason))
    return Error{ErrorCode::bad_input, "--reason: its text is empty; write why the slow-down is accepted"};
  if (command.by && is_blank(*command.by)) return Error{ErrorCode::bad_input, "--by: its text is empty; leave it out"};
  if (command.commit && !record::is_commit_name(*command.commit))
    return Error{ErrorCode::bad_input,
                 fmt::format("--commit {}: not {}", base::shown(*command.commit), record::commit_name_form)};
  return {};
}

ExitCode accept_command(const AcceptCommand& command, const policy::Policy& policy, const Console& console) {
  if (const auto words = check_words(command); !words) return console.fail(words.error());
  const std::string report_file = command.report.value_or(github::last_report_file);
  const auto report = github::load_report(report_file);
  if (!report) return console.fail(report.error());
  if (const auto named = check_commit(command, *report, report_file); !named) return console.fail(named.error());
  const auto waivers = new_waivers(command, *report, report_file, policy);
  if (!waivers) return console.fail(waivers.error());
  const std::string file = command.waivers.value_or(policy.waivers_file);
  if (const auto written = append(file, *waivers); !written) return console.fail(written.error());
  // It may be of another comparison than the reader thinks of.
  console.out << report_file << ": " << report->headline << "\nadded to " << file << ":\n";
  for (const policy::Waiver& waiver : *waivers) console.out << '\n' << policy::waiver_text(waiver);
  const std::string since = report->pin ? " " + base::option_for_a_shell("--since", *report->pin) : "";
  const std::string until = "Until " + policy::date_text(waivers->front().expires);
  const std::string how =
      command.waivers
          ? fmt::format("{} `torchgate gate{} {}`", until, since, base::option_for_a_shell("--waivers", file))
          : fmt::format("Review it and commit it (of a pull request: to its target branch). {} `torchgate gate{}`",
                        until, since);
  const bool ceilings = std::any_of(waivers->begin(), waivers->end(), [](const auto& each) { return !each.missing; });
  console.out << fmt::format("\n{} accepts {}{}.\n", how, waivers->size() == 1 ? "this finding" : "these findings",
                             ceilings ? " up to the ceiling" : "");
  // A pin is what the change is measured against as long as it stands.
  const bool is_known = std::all_of(waivers->begin(), waivers->end(),
                                    [](const auto& each) { return each.commit || each.since || each.missing; });
  if (!is_known)
    console.warn(
        "no commit is recorded, as the report is of modified files or of one commit: until it expires, each further "
        "slow-down up to the ceiling passes as well; commit, measure and accept that report, or give --commit SHA");
  return ExitCode::ok;
}

}  // namespace

Invocation define_accept(Options& options) {
  const auto command = std::make_shared<AcceptCommand>();
  options.add("cases CASE...", &command->cases, "Full case names, as in the report").required();
  options.add("--reason TEXT", &command->reason, "Why the slow-down is accepted").required();
  options.add("--metric NAME", &command->metric, "Only this metric (default: all failing metrics of the case)");
  options.add("--ceiling CEILING", &command->ceiling,
              "Largest slow-down that passes: 12% or 0.12; for an exact metric the largest value, or the lowest "
              "where larger is better (default: what was measured, a change rounded up to a whole per cent)");
  options.add("--expires WHEN", &command->expires,
              "Last day: 90d from today, or a date such as 2027-01-31 (default 90d)");
  options.add("--report FILE", &command->report,
              "Report with the failing cases (default: the newest report of `gate`, `ab`, `compare` or `report`)");
  options.add("--by LOGIN", &command->by, "Record who accepts it");
  options.add("--commit SHA", &command->commit,
              "Record this commit (default: that of the report, unless its tree was modified)");
  options.add("--waivers FILE", &command->waivers,
              "Add to this file (default: gate.waivers, torchgate-waivers.toml); see `torchgate gate --waivers`");
  return invocation(command, accept_command);
}

}  // namespace torchgate::cli
