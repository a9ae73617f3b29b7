// SPDX-License-Identifier: Apache-2.0
// How the tables word findings, tested without judging runs: sentences with parts that may be absent, with plurals, and with facts in them.
#include <gtest/gtest.h>

#include "reports/facts/about_causes.hpp"
#include "reports/facts/about_counts.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_machine.hpp"
#include "reports/facts/about_outcome.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_settings.hpp"
#include "reports/facts/about_states.hpp"
#include "reports/facts/about_tests.hpp"

namespace torchgate::facts {
namespace {

using reports::Verdict;

TEST(FactSentences, Pairs) {
  EXPECT_EQ(within_of_pairs(0.05, 20), "within ±5 % at 20 pairs");
  EXPECT_EQ(interval_beyond_gate(1 - 0.01 / 2, 0.05), "its whole 99.5 % interval lies beyond the gate of 5 %");
  EXPECT_EQ(not_confirmed(undecided_by_pairs(1)), "not confirmed: 1 interleaved pair did not decide it");
  EXPECT_EQ(suggestion_unconfirmed(0.084, 12),
            "the stored baseline suggested +8.4 %; 12 interleaved pairs did not confirm it");
  EXPECT_EQ(
      screen_left_open(9, 6, 61.7, {too_noisy_of_them(2, 48), without_time_of_them(1)}),
      "the screen left 9 cases open: 6 decided by 62 s of interleaved pairs, 2 too noisy for 48 pairs, 1 when the "
      "time was spent");
  EXPECT_EQ(screen_left_open(3, 2, 61.7, {in_missing_shards_of_them(1)}),
            "the screen left 3 cases open: 2 decided by 62 s of interleaved pairs, 1 in missing shards");
  EXPECT_EQ(groups_without_pairs({"a", "b"}, shards_missing({"2"}, 3)),
            "INCOMPLETE: groups a, b were not measured in pairs (shard 2 of 3 is missing)");
  EXPECT_EQ(not_confirmed(group_without_pairs(shards_missing({"2"}, 3))),
            "not confirmed: its group was not measured in pairs: shard 2 of 3 is missing");
  EXPECT_EQ(pairs_raised(8, 6, 11),
            "gate.pairs = 8: too few to show any regression, 6 verdicts need at least 11; up to 11 are measured");
  EXPECT_EQ(cases_with_too_few_pairs(1, 3),
            "1 of 3 cases had too few pairs: no regression could have been found in it");
  EXPECT_EQ(budget_spent(budget_of_both(5, 1), 3, 48),
            "the pairs' budget of 5 s or 1 pair was spent after 3 of at most 48 pairs");
  EXPECT_EQ(
      failed_before({case_and_failure("a", did_fail(in_processes(2, 5, "no model"))), case_and_failure("b", "c")}),
      "2 cases were not compared, as the before side has no numbers: a (failed in 2 of 5 processes: no model), b (c)");
}

TEST(FactSentences, FilesAndVariables) {
  EXPECT_EQ(
      data_changed({"a.csv", "b.csv", "c.csv"}),
      "a.csv and 2 more changed since the baseline, which files the suite reads is not known, and both sides of the "
      "pairs read the present one");
  EXPECT_EQ(
      noise_of_same(same_programs_of_groups(1, 2), 1, 0.012, 0.034, "g/v"),
      "1 of 2 groups ran the same executables and libraries on both sides: what differs there is noise, over 1 case "
      "1.2 % in the median and at most 3.4 % (g/v)");
  EXPECT_EQ(identical_to_run(1, 2, "aa"), "executable, 1 library and 2 files are byte-identical to those of run aa");
  EXPECT_EQ(cases_unchanged(1, 1), "1 of 1 case unchanged: nothing was measured for it");
  EXPECT_EQ(other_tool("go", {"criterion", "hyperfine"}, 1),
            "the baseline is of go, and the files of this run are of criterion, hyperfine: 1 case of the baseline is "
            "missing");
}

TEST(FactSentences, StatesAndRuns) {
  EXPECT_EQ(of_side("baseline", lost_processes(1, 5, "killed by signal 9")),
            "baseline: 1 of 5 processes was lost (killed by signal 9)");
  EXPECT_EQ(attribute_differs("parameter n", "8", "16"), "its parameter n was 8 and is 16");
  EXPECT_EQ(other_work(twice, 0.8, "time", 1.0 / 9, "throughput"),
            "does twice the work per call: +80.0 % time, +11.1 % throughput");
  EXPECT_EQ(baseline_is_older(stored_run_of_commit("aaaa", "1a2b", "2026-01-01"), "bbbb", lacks_the_case),
            "baseline: run aaaa of 1a2b (2026-01-01); the newest stored run, bbbb, does not have the case");
  EXPECT_EQ(incomplete(shards_missing({"2", "3"}, 3)), "INCOMPLETE: shards 2, 3 of 3 are missing");
  EXPECT_EQ(not_planned(1200, "the baseline", {by_profile("quick"), by_suites({"a", "b"})}),
            "1200 cases of the baseline were not judged: this run's plan leaves them out (profile quick, suites a b)");
  EXPECT_EQ(of_runs({"baseline", "this run"}, process_lost("g", "crash")),
            "baseline and this run: a process of g was lost: crash");
}

TEST(FactSentences, MachinesAndTests) {
  EXPECT_EQ(load_found("busy", {"load"}, "other_load"), "busy (also: load)");
  EXPECT_EQ(machine_of({"this run"}, {check_found("turbo is on", "turbo"), unchecked({"governor"})}),
            "machine (this run): turbo is on; could not be checked: governor (`torchgate doctor` shows why)");
  EXPECT_EQ(
      suite_corrected_by_probes(0.08, 0.01),
      "the suite as a whole has moved by +8.0 %, probes in interleaved pairs by +1.0 %: corrected as machine drift");
  EXPECT_EQ(within_of_runs(0.05, 5, 5, 1), "within ±5 % at 5 v 5 processes of 1 v 1 run");
  EXPECT_EQ(test(stats::Reason::no_values), stats::describe(stats::Reason::no_values));
}

TEST(FactSentences, Counts) {
  EXPECT_EQ(
      instructions_change(0.00499, 0.006, spread_of_processes(0.003), 0.002),
      "+0.499 % instructions per call; tolerance 0.6 % (processes of a side differ by 0.3 %), judged from 0.2 % on");
  EXPECT_EQ(
      no_more_instructions(counted_change(0.002, "callgrind", 4), {timed_other_kernels("AVX2", "AVX512")}),
      "counted: no more instructions: +0.2 % instructions per call (callgrind, 4 processes); counted with kernels for "
      "AVX2, timed with those for AVX512");
  EXPECT_EQ(
      open_cases_counted(3, 1, 1, 1),
      "times left 3 counted cases open; by their instructions 1 regressed, 1 executes no more instructions in the "
      "counted calls, 1 undecided");
}

TEST(FactSentences, RareCalls) {
  EXPECT_EQ(rare_calls_slower(2, "g/v", 4.923),
            "rare calls are slower: 2 cases have a slower mean and no slower median; the largest is g/v, 4.92x; judge "
            "them with gate.tails");
}

TEST(FactSentences, Settings) {
  EXPECT_EQ(budget_undecided("g/v", {measured_value({9.7e7, "ns"})}, "time", "100 ms",
                             {because_of({"too noisy", "one process"})}),
            "g/v: 97 ms, the budget time = 100 ms is undecided: too noisy; one process");
  EXPECT_EQ(budget_undecided("g/v", {}, "time", "100 ms", {}), "g/v: the budget time = 100 ms is undecided");
  EXPECT_EQ(
      waived_change("g/v", "time", change_of(0.099), ceiling_of(0.12),
                    waiver_reason("better output", "2027-01-31", {accepted_by("me")})),
      "waived: g/v (time), +9.9 %, ceiling 12 %: better output, until 2027-01-31; accepted for this commit by me");
  EXPECT_EQ(beyond_own_gate(0.02), "beyond its gate of 2 %");
  EXPECT_EQ(waiver_exceeded("g/v", "rate", change_of({-0.5, -0.4}), ceiling_of_fall({-0.4, -0.5}), "w.toml:1"),
            "waiver exceeded: g/v (rate), -50.0 %, is beyond its ceiling of -40.0 % (w.toml:1)");
  EXPECT_EQ(waiver_needs_number("time", Verdict::not_comparable),
            "its waiver (time) does not apply: it has a ceiling, and a case that is not comparable has no number; use "
            "missing = true in its place");
  EXPECT_EQ(measured_with_less({less_than_asked("run.processes", 1, 5), other_profile("quick", "full")}),
            "the run was measured with less than the base branch asks for: run.processes 1 instead of 5, profile quick "
            "instead of full (gate.weaker_run)");
  EXPECT_EQ(other_setting("--warmup", "not set", "1"),
            "--warmup differs: not set in the baseline, 1 in this run; measure both with the same --warmup");
}

TEST(FactSentences, Headlines) {
  EXPECT_EQ(worst_case("g/v", {metric_of_worst("rate")}, Verdict::regressed, {by_change(0.1)}, {and_more(2)}),
            "g/v: rate regressed (+10.0 %) and 2 more");
  EXPECT_EQ(what_cases_show(no_regression, 98,
                            {some_decided(91, 7, {with_no_more_instructions(2)}, 0.05, 93), moved_without_code(1),
                             waived_cases(1)}),
            "no regression in 98 cases, 91 decided and 7 undecided (2 with no more instructions counted); a 5 % "
            "slow-down would "
            "have been seen in 93; 1 moved without a change of its code; 1 waived");
  EXPECT_EQ(what_was_compared_shows("g/v", {}, {because_of({facts::not_in_baseline})}, failed),
            "g/v: not comparable: not in the baseline; what was compared shows failed");
  EXPECT_EQ(common_and_worst("3 of 4 slower", failed), "3 of 4 slower; worst: failed");
  EXPECT_EQ(with_waived(failed, 2), "failed; 2 waived");
  EXPECT_EQ(with_common(failed, "3 of 4 slower"), "failed; 3 of 4 slower");
  EXPECT_EQ(no_case_judged({cause_of_cases(one_process_per_side, 12), more_causes(3)}),
            "no case could be judged: 1 process per side: no between-process variance (12 cases); 3 more");
}

TEST(FactSentences, Causes) {
  EXPECT_EQ(function_changed("fold", {of_the_set_up}, "6 of 40 instructions differ", {of_functions(2, 212)}),
            "fold of the set-up changed (6 of 40 instructions differ), and 2 more of 212 functions");
  EXPECT_EQ(function_count(function_in("copy_", "libtorch_cpu.so"), 123500, at_most(0), exactly(123500)),
            "copy_ (libtorch_cpu.so): +123500 instructions per call (at most 0 before, 123500 after)");
  EXPECT_EQ(calls_changed({calls_of(1, "aten::copy_"), calls_of(-2, "aten::mul")}, {more_operators(3)},
                          {and_part(part_of_added(0.31))}),
            "per call +1 aten::copy_, -2 aten::mul and 3 more operators, 31 % of the added time");
  EXPECT_EQ(more_operators(1), " and 1 more operator");
  EXPECT_EQ(count_changed("allocations", 1000001, 1000000), "allocations 1,000,001 instead of 1,000,000");
  EXPECT_EQ(bytes_changed("allocated_bytes", 1474560, 1343488), "allocated_bytes 1,474,560 instead of 1,343,488 bytes");
  EXPECT_EQ(
      no_cause(same_operators({outside_operators(0.6)})),
      "no cause visible: the same operators with the same calls, the same counters; 60 % of the added time is spent "
      "outside of all operators");
}

}  // namespace
}  // namespace torchgate::facts
