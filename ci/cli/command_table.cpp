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
Define define_store_copy;
Define define_store_migrate;
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
Define define_help;
Define define_completion;

namespace {

constexpr std::array table{
    CommandRow{"run", Purpose::measure, "Measure suites and save the results",
               "torchgate run --suite build/bin --save before  # a folder of suites\n"
               "torchgate run --quick --filter '^BM_parse'     # run.suites of torchgate.toml; a fifth of the time",
               define_run, Trust::measures},
    CommandRow{"doctor", Purpose::measure,
               "Check whether this machine is quiet enough to benchmark on, and how to fix it", "torchgate doctor",
               define_doctor},
    CommandRow{"calibrate", Purpose::measure,
               "Measure one build repeatedly: noise, smallest detectable slow-down, false alarms per rule",
               "torchgate calibrate --runs 6  # the gate uses the result while few runs are stored", define_calibrate,
               Trust::stored_runs},
    CommandRow{"import", Purpose::measure, "Import result files of other tools as one run",
               "torchgate import before1.json before2.json --save before  # one file per process", define_import},

    CommandRow{"ab", Purpose::judge, "Measure two builds or commits in interleaved pairs and compare them",
               "torchgate ab --before build/old/bin --after build/new/bin\n"
               "torchgate ab --before main --after HEAD --build 'make -C {dir}' --suites bin  # two commits",
               define_ab, Trust::verdict},
    CommandRow{"compare", Purpose::judge, "Compare two runs, or measure again and compare with one run",
               "torchgate compare before        # measures again what it measured\n"
               "torchgate compare before after  # names, files or ids of runs, or result files of other tools",
               define_compare, Trust::verdict},
    CommandRow{"gate", Purpose::judge,
               "Compare this build with its baseline: in pairs from the start (--suite), or a run that was measured "
               "before",
               "torchgate gate --suite build/bin   # all cases in pairs with the baseline's binaries\n"
               "torchgate gate --json report.json  # the newest run; suspects in pairs",
               define_gate, Trust::verdict},
    CommandRow{"accept", Purpose::judge, "Accept a slow-down: add a waiver to torchgate-waivers.toml",
               "torchgate accept BM_parse/4096 --reason 'checks its input now' --expires 90d", define_accept},
    CommandRow{"baseline", Purpose::judge, "Add, list, show, pin and share baselines",
               "torchgate baseline add before  # a run and its binaries, for `torchgate gate`"},
    CommandRow{"baseline add", Purpose::judge, "Add a run and its binaries as the baseline of its commit",
               "torchgate baseline add before  # of `torchgate run --save before`", define_baseline_add,
               Trust::stored_runs},
    CommandRow{"baseline list", Purpose::judge, "List the stored runs, oldest first, and the pins",
               "torchgate baseline list --json", define_baseline_list, Trust::stored_runs},
    CommandRow{"baseline show", Purpose::judge, "Show one stored run, or that of a pin",
               "torchgate baseline show v1.2 --format json", define_baseline_show, Trust::stored_runs},
    CommandRow{"baseline pin", Purpose::judge,
               "Name the stored runs of a commit, such as a release, for `gate --since`",
               "torchgate baseline pin v1.2        # the stored runs of HEAD\n"
               "torchgate baseline pin v1.2 --move --commit main",
               define_baseline_pin, Trust::stored_runs},
    CommandRow{"baseline unpin", Purpose::judge, "Remove a pin; its runs stay", "torchgate baseline unpin v1.2",
               define_baseline_unpin, Trust::stored_runs},
    // The data branch, and the store, have the runs that a change is judged against.
    CommandRow{"baseline pull", Purpose::judge, "Copy what the data branch has and the store lacks",
               "torchgate baseline pull  # in a job, before `torchgate gate`", define_baseline_pull, Trust::verdict},
    CommandRow{"baseline push", Purpose::judge, "Append to the data branch what it lacks, never by force",
               "torchgate baseline push  # on the main branch, after `torchgate baseline add`", define_baseline_push,
               Trust::stored_runs},

    CommandRow{"report", Purpose::understand,
               "Show one run or the comparison of two in a chosen format, or a store as web pages",
               "torchgate report before after --html report.html  # one page that works offline\n"
               "torchgate report --site trends                    # trends/index.html: what changed, worst first",
               define_report},
    CommandRow{"explain", Purpose::understand, "Show why a case's time changed: operators, counters, processes",
               "torchgate explain BM_parse/4096                # the newest pairs, or run and its baseline\n"
               "torchgate explain BM_parse/4096 before after",
               define_explain},
    CommandRow{"history", Purpose::understand, "Show where a case's level changed over the stored runs",
               "torchgate history BM_parse/4096", define_history, Trust::stored_runs},
    CommandRow{"bisect", Purpose::understand,
               "Find the commit that made cases slower: git bisect, with pairs at each step",
               "torchgate bisect BM_parse/4096 --good v1.2 --bad main --build 'make -C {dir}' --suites bin",
               define_bisect, Trust::verdict},
    CommandRow{"advise", Purpose::understand,
               "Show which optimisations the models of a run leave out, by what the run recorded",
               "torchgate advise before", define_advise},

    CommandRow{"store", Purpose::in_ci, "Copy stores, and bring those in PostgreSQL to this version",
               "torchgate store copy .torchgate/store postgresql://torchgate@db.example/torchgate"},
    CommandRow{"store copy", Purpose::in_ci,
               "Copy one store into another one, folder or PostgreSQL; stored runs are skipped",
               "torchgate store copy .torchgate/store postgresql://torchgate@db.example/torchgate", define_store_copy},
    CommandRow{"store migrate", Purpose::in_ci, "Make a store, or bring its schema to the version of this torchgate",
               "torchgate store migrate  # the store of torchgate.toml, as the owner of the database",
               define_store_migrate, Trust::stored_runs},
    CommandRow{"merge", Purpose::in_ci, "Combine shard results into one run (run --shard i/n)",
               "torchgate merge shard-1.json shard-2.json --save all", define_merge},
    CommandRow{"comment", Purpose::in_ci,
               "Post the verdict on a pull request on GitHub: one comment, updated in place, and one check",
               "torchgate comment --report report.json --markdown report.md  # of `torchgate gate`", define_comment},
    CommandRow{"perf", Purpose::in_ci,
               "Answer /perf accept CASE REASON and /perf rerun in a pull request's thread (event issue_comment)",
               "torchgate perf --workflow performance.yml --output \"$GITHUB_OUTPUT\"", define_perf},
    CommandRow{"triage", Purpose::in_ci,
               "Keep one issue on GitHub per cause of regressions on the default branch: created, updated, closed",
               "torchgate triage --report report.json  # of `torchgate gate --json report.json`", define_triage},
    CommandRow{"unpack", Purpose::in_ci,
               "Unpack the artifact (a zip file) of an untrusted job; whatever is not a plain result file is refused",
               "torchgate unpack artifact.zip --into results", define_unpack},

    CommandRow{"help", Purpose::this_program, "Show this list, the help of a command, or one of the topics below",
               "torchgate help gate      # as `torchgate gate --help`\n"
               "torchgate help verdicts",
               define_help, Trust::anything, Settings::unread},
    CommandRow{"completion", Purpose::this_program, "Print what completes commands and options in bash, zsh or fish",
               "source <(torchgate completion bash)\n"
               "torchgate completion fish >~/.config/fish/completions/torchgate.fish",
               define_completion, Trust::anything, Settings::unread},
};

}  // namespace

const char* heading(Purpose purpose) {
  switch (purpose) {
    case Purpose::measure:
      return "Measure";
    case Purpose::judge:
      return "Judge";
    case Purpose::understand:
      return "Understand";
    case Purpose::in_ci:
      return "In CI";
    case Purpose::this_program:
      return "Help";
  }
  return "";
}

std::span<const CommandRow> command_rows() {
  return table;
}

}  // namespace torchgate::cli
