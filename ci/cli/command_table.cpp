// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/command_table.hpp"

#include <array>

namespace torchgate::cli {

// Each is defined in the file of its name.
using Define = Invocation(Options&);
Define define_run;
Define define_compare;
Define define_gate;
Define define_ab;
Define define_bisect;
Define define_accept;
Define define_baseline_add;
Define define_baseline_list;
Define define_baseline_show;
Define define_baseline_pin;
Define define_baseline_unpin;
Define define_baseline_pull;
Define define_baseline_push;
Define define_import;
Define define_merge;
Define define_report;
Define define_calibrate;
Define define_comment;
Define define_perf;
Define define_history;
Define define_explain;
Define define_advise;
Define define_doctor;
Define define_unpack;
Define define_triage;

namespace {

constexpr std::array table{
    CommandRow{"run", "Measure suites and save the results", define_run, Trust::measures},
    CommandRow{"compare", "Compare two runs, or measure again and compare with one run", define_compare,
               Trust::verdict},
    CommandRow{
        "gate",
        "Compare this build with its baseline: in pairs from the start (--suite), or a run that was measured before",
        define_gate, Trust::verdict},
    CommandRow{"ab", "Measure two builds or commits in interleaved pairs and compare them", define_ab, Trust::verdict},
    CommandRow{"bisect", "Find the commit that made cases slower: git bisect, with pairs at each step", define_bisect,
               Trust::verdict},
    CommandRow{"accept", "Accept a slow-down: add a waiver to torchgate-waivers.toml", define_accept},
    CommandRow{"baseline", "Add, list, show, pin and share baselines"},
    CommandRow{"baseline add", "Add a run and its binaries as the baseline of its commit", define_baseline_add,
               Trust::stored_runs},
    CommandRow{"baseline list", "List the stored runs, oldest first, and the pins", define_baseline_list,
               Trust::stored_runs},
    CommandRow{"baseline show", "Show one stored run, or that of a pin", define_baseline_show, Trust::stored_runs},
    CommandRow{"baseline pin", "Name the stored runs of a commit, such as a release, for `gate --since`",
               define_baseline_pin, Trust::stored_runs},
    CommandRow{"baseline unpin", "Remove a pin; its runs stay", define_baseline_unpin, Trust::stored_runs},
    // The data branch, and the store, have the runs that a change is judged against.
    CommandRow{"baseline pull", "Copy what the data branch has and the store lacks", define_baseline_pull,
               Trust::verdict},
    CommandRow{"baseline push", "Append to the data branch what it lacks, never by force", define_baseline_push,
               Trust::stored_runs},
    CommandRow{"import", "Import result files of other tools as one run", define_import},
    CommandRow{"merge", "Combine shard results into one run (run --shard i/n)", define_merge},
    CommandRow{"report", "Show one run or the comparison of two in a chosen format, or a store as web pages",
               define_report},
    CommandRow{"calibrate", "Measure one build repeatedly: noise, smallest detectable slow-down, false alarms per rule",
               define_calibrate, Trust::stored_runs},
    CommandRow{"comment", "Post the verdict on a pull request on GitHub: one comment, updated in place, and one check",
               define_comment},
    CommandRow{"perf",
               "Answer /perf accept CASE REASON and /perf rerun in a pull request's thread (event issue_comment)",
               define_perf},
    CommandRow{"history", "Show where a case's level changed over the stored runs", define_history, Trust::stored_runs},
    CommandRow{"explain", "Show why a case's time changed: operators, counters, processes", define_explain},
    CommandRow{"advise", "Show which optimisations the models of a run leave out, by what the run recorded",
               define_advise},
    CommandRow{"doctor", "Check whether this machine is quiet enough to benchmark on, and how to fix it",
               define_doctor},
    CommandRow{"unpack",
               "Unpack the artifact (a zip file) of an untrusted job; whatever is not a plain result file is refused",
               define_unpack},
    CommandRow{"triage",
               "Keep one issue on GitHub per cause of regressions on the default branch: created, updated, closed",
               define_triage},
};

}  // namespace

std::span<const CommandRow> command_rows() {
  return table;
}

}  // namespace torchgate::cli
