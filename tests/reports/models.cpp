// SPDX-License-Identifier: Apache-2.0
// Over 400 lines because every situation is a function of its own, and all() lists them below.
#include "tests/reports/models.hpp"

#include <cmath>
#include <utility>

#include "reports/families.hpp"
#include "tests/reports/model_parts.hpp"

namespace torchgate::reports::models {

Report all_pass() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "no case became slower";
  add_quiet_cases(report, 12);
  report.findings.push_back(
      timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::improved, GateAction::pass, 12.31e6, -0.183));
  Finding noisy = timed("dataloader/disk/workers:4", Verdict::inconclusive, GateAction::note, 4.02e6, 0.021, 0.09);
  noisy.smallest_detectable = 0.104;
  noisy.processes_needed = 9;
  report.findings.push_back(noisy);
  report.findings.push_back(without_numbers("fusion/gelu/fused/device:cpu", Verdict::new_case, GateAction::note,
                                            "The baseline has no such case"));
  report.findings.back().after = side(2.2e6);
  report.findings.push_back(
      without_numbers("fusion/gelu/fused/device:cuda", Verdict::skipped, GateAction::note, "No CUDA device"));
  report.cases_judged += 2;
  report.claims.push_back({"fusion/conv_bn/folded/device:cpu/batch:8",
                           "fusion/conv_bn/eager/device:cpu/batch:8",
                           "time",
                           "time() <= 0.9 * reference()",
                           ClaimState::holds,
                           GateAction::pass,
                           0.9,
                           true,
                           0.743,
                           0.751,
                           {}});
  return report;
}

Report confirmed_regression() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "fusion/conv_bn/folded/device:cpu/batch:8 is 12.7 % slower, confirmed by 12 interleaved pairs";
  report.doubts = {{"Load average 3.2 on 4 cores during the run: other programs were running", DoubtKind::machine}};
  report.doubts.front().fix = "stop other programs";
  report.differences = {{"compiler", "g++ 12.2.0", "g++ 13.1.0", false}, {"kernel", "6.1.0-18", "6.1.0-25", false}};
  Finding worst =
      timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::regressed, GateAction::fail, 12.31e6, 0.127);
  confirm(worst, 12, 0.02, 0.00048828125, 0.005);
  worst.after->peak_bytes = 60225126;
  worst.after->p99 = Tail{16.02e6, std::nullopt};
  worst.reasons = {"aten::_convolution takes 11.9 ms instead of 10.6 ms of self time; its number of calls is the same",
                   "The output matches its reference (relative L2 2.1e-07)"};
  worst.operators = {
      {"aten::copy_", "Float 8x64x56x56, Float 8x64x56x56 strided", "", 1, 3, 120e3, 361e3, 0.17, true},
      {"aten::_convolution", "Float 8x64x56x56 | \x1b[31m`x`", "Float 4x64x56x56", 1, 1, 10.6e6, 11.9e6, 0.94, true},
      {"aten::relu", "", "", 1, 1, 210e3, 199e3, std::nullopt, true}};
  report.findings.push_back(worst);
  Finding second = timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::suspected, GateAction::warn, 3.4e6, 0.043);
  second.interval->level = 0.995;
  second.confirmation = undecided_after(48, 0.011, 0.02, 0.19, 0.005);
  report.findings.push_back(second);
  Finding cpu = timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::regressed, GateAction::warn, 24.6e6, 0.119);
  cpu.metric = cpu_time;
  confirm(cpu, 12, 0.02, 0.00048828125, 0.005);
  report.findings.push_back(cpu);
  add_quiet_cases(report, 9);
  report.cases_judged += 2;
  report.suspects = 2;
  report.notes = {"The merge base 77aa01b has no stored run: its ancestor 1a2b3c4d5e6f is the baseline"};
  return report;
}

Report suspected_unconfirmed() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "attention/sdpa/flash/device:cpu/seq:512 may be 7.2 % slower; nobody has confirmed it";
  report.before.run_ids = {"r-0191"};
  Finding finding =
      timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::suspected, GateAction::warn, 3.4e6, 0.072, 0.05);
  finding.confirmation = Confirmation{};
  finding.confirmation->note = "the baseline keeps no objects";
  finding.reasons = {"Only 1 stored run: how much runs differ on this machine is taken from its calibration"};
  finding.after->noise->two_modes = {true, 4, 5};
  finding.after->noise->modes = Modes{3.41e6, 3.92e6, 0.44};
  finding.after->noise->not_steady = {true, 3, 5};
  report.findings.push_back(finding);
  add_quiet_cases(report, 4);
  report.cases_judged += 1;
  report.suspects = 1;
  return report;
}

Report suspected_fails() {
  Report report = suspected_unconfirmed();
  report.outcome = Outcome::fail;
  report.headline = "attention/sdpa/flash/device:cpu/seq:512 is 61 % slower than its baseline, not confirmed";
  Finding finding =
      timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::suspected, GateAction::fail, 3.4e6, 0.61, 0.2);
  finding.reasons = {"The whole interval of the change lies beyond the gate (+5 %)"};
  report.findings.front() = finding;
  return report;
}

Report below_gate() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "batching/linear/device:cpu/batch:1/width:1024 is 2.3 % slower, which is less than the gate";
  Finding finding = timed("batching/linear/device:cpu/batch:1/width:1024", Verdict::regressed, GateAction::warn,
                          84213.0, 0.023, 0.008);
  confirm(finding, 24, 0.008, 1.2e-7, 0.01);
  finding.reasons = {"Below the gate of +5 %: it warns and does not fail"};
  finding.before->noise->run.sd = 0.0144;
  finding.after->noise->process = {0, true};
  report.findings.push_back(finding);
  add_quiet_cases(report, 3);
  report.cases_judged += 1;
  report.suspects = 1;
  return report;
}

Report layout() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "no regression in 4 cases, all decided; 1 moved without a change of its code";
  Finding finding = timed("BM_ZFlat/0", Verdict::layout, GateAction::warn, 84213.0, 0.029, 0.008);
  confirm(finding, 28, 0.008, 8e-6, 0.01);
  finding.reasons = {
      "all 212 functions that it executes are identical, and 1043 of its set-up (4 files; 812004 instructions per call "
      "before, 812004 after): its time changed because addresses of code or data moved",
      "changed, and not executed by it: snappy::RawUncompress and 1 more"};
  report.findings.push_back(finding);
  add_quiet_cases(report, 3);
  report.cases_judged += 1;
  report.suspects = 1;
  return report;
}

namespace {

constexpr const char* counter = "callgrind-3.19.0";

// Slower in the median of its pairs, which do not decide.
Finding left_open(const std::string& name, Verdict verdict, double change, double half_width) {
  const GateAction action = verdict == Verdict::suspected ? GateAction::warn : GateAction::note;
  Finding finding = timed(name, verdict, action, 3.4e6, change, half_width);
  finding.confirmation = undecided_after(48, change, half_width, 0.19, 0.005);
  return finding;
}

}  // namespace

Report counted_regression() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "attention/sdpa/flash/device:cpu/seq:512: regressed (+10.0 % instructions, counted)";
  Finding counted = exact("attention/sdpa/flash/device:cpu/seq:512",
                          {"instructions", "1", record::Direction::lower_is_better, record::MetricKind::exact, false},
                          Verdict::regressed, GateAction::fail, 1234500, 1358000);
  counted.counted = CountEvidence{counter, 1234500, 1358000, 0.100040502, CountAnswer::regressed};
  counted.reasons = {
      "its times leave it open; counted in the pairs: +10 % instructions per call (callgrind-3.19.0, 10 processes), at "
      "or "
      "above the gate of 5 %"};
  counted.causes = {"at::native::copy_ (libtorch_cpu.so): +123500 instructions per call (0 before, 123500 after)"};
  report.findings.push_back(counted);
  Finding slower = left_open("attention/sdpa/flash/device:cpu/seq:512", Verdict::suspected, 0.275, 0.43);
  slower.counted = counted.counted;
  slower.reasons = {"its times leave it open; counted: +10 % instructions per call, which decides"};
  report.findings.push_back(slower);
  Finding same = left_open("attention/sdpa/math/device:cpu/seq:512", Verdict::inconclusive, 0.031, 0.12);
  same.counted = CountEvidence{counter, 2000000, 2000100, 0.00005, CountAnswer::no_more};
  same.reasons = {"counted: no more instructions: +0.005 % instructions per call (callgrind-3.19.0, 4 processes)"};
  same.smallest_detectable = 0.11;
  report.findings.push_back(same);
  Finding between = left_open("attention/sdpa/efficient/device:cpu/seq:512", Verdict::inconclusive, 0.052, 0.14);
  between.counted = CountEvidence{counter, 2000000, 2046000, 0.023, CountAnswer::undecided};
  between.reasons = {"counted: +2.3 % instructions per call (callgrind-3.19.0, 4 processes), below the gate of 5 %"};
  report.findings.push_back(between);
  add_quiet_cases(report, 2);
  report.cases_judged += 3;
  report.decided = {5, 3, 3, 1};
  report.suspects = 1;
  report.notes = {
      "times left 3 counted cases open; by their instructions 1 regressed, 1 executes no more instructions than "
      "before, "
      "1 undecided"};
  return report;
}

Report too_few_decided() {
  Report report = base();
  report.outcome = Outcome::no_verdict;
  report.too_few_decided = true;
  report.headline =
      "too few cases decided for gate.min_decided = 0.5: no regression in 3 cases, 1 decided and 2 undecided (1 with "
      "no "
      "more instructions); a 5 % slow-down would have been seen in 1";
  Finding same = left_open("attention/sdpa/math/device:cpu/seq:512", Verdict::inconclusive, 0.031, 0.12);
  same.counted = CountEvidence{counter, 2000000, 2000100, 0.00005, CountAnswer::no_more};
  same.reasons = {"counted: no more instructions: +0.005 % instructions per call (callgrind-3.19.0, 4 processes)"};
  report.findings.push_back(same);
  report.findings.push_back(left_open("attention/sdpa/flash/device:cpu/seq:512", Verdict::inconclusive, 0.09, 0.2));
  add_quiet_cases(report, 1);
  report.cases_judged += 2;
  report.decided = {3, 1, 1, 1};
  report.notes = {
      "instructions of the open case attention/sdpa/flash/device:cpu/seq:512 were not counted: several ranks are not "
      "counted: they wait for each other, and how often they look depends on time"};
  return report;
}

Report over_budget() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "serving/pipeline/separate: time over its budget and 1 more";
  Finding time = timed("serving/pipeline/separate", Verdict::over_budget, GateAction::fail, 121.4e6, 0.004, 0.02);
  time.reasons = {"121.9 ms (at least 120.7 ms) is above the budget of 100 ms"};
  report.findings.push_back(time);
  Finding memory =
      exact("serving/pipeline/in_place", peak_bytes, Verdict::over_budget, GateAction::fail, 0, 4509715660);
  memory.before.reset();
  memory.change.reset();
  memory.reasons = {"4509715660 bytes is above the budget of 4 GB"};
  report.findings.push_back(memory);
  add_quiet_cases(report, 2);
  report.cases_judged += 2;
  report.notes = {
      "torchgate.toml:7: [[case]] match = \"^serving/pipeline/\": budget peak_bytes 4 GB, budget time 100 ms for 2 "
      "cases"};
  return report;
}

Report failed_wrong_missing() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "quantization/linear/int8/device:cpu crashed; 1 wrong, 1 missing";
  Finding failed = without_numbers("quantization/linear/int8/device:cpu", Verdict::failed, GateAction::fail,
                                   "Signal 11 (segmentation fault) in its second process");
  failed.before = side(4.4e6);
  report.findings.push_back(failed);
  Finding wrong = without_numbers("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::wrong, GateAction::fail,
                                  "The output differs from its reference: max abs 0.13, allowed 1e-04");
  wrong.before = side(12.31e6);
  wrong.after = side(7.3e6);
  report.findings.push_back(wrong);
  Finding missing = without_numbers("memory/checkpoint/on/device:cpu", Verdict::missing, GateAction::fail,
                                    "Measured in the baseline and in this run's plan, but not here");
  missing.before = side(88.0e6);
  report.findings.push_back(missing);
  add_quiet_cases(report, 2);
  report.cases_judged += 3;
  return report;
}

Report exact_change() {
  Report report = base();
  report.outcome = Outcome::pass;
  report.headline = "3 counts changed; no case became slower";
  report.findings.push_back(
      exact("memory/checkpoint/on/device:cpu", peak_bytes, Verdict::changed, GateAction::warn, 52113408, 60225126));
  report.findings.push_back(exact("fusion/conv_bn/folded/device:cpu/batch:8", operator_calls, Verdict::changed,
                                  GateAction::warn, 1000000, 1000001));
  report.findings.push_back(
      exact("fusion/conv_bn/folded/device:cpu/batch:8",
            {"allocations", "1", record::Direction::lower_is_better, record::MetricKind::exact, false},
            Verdict::changed, GateAction::warn, 0, 3));
  report.findings.push_back(
      exact("memory/checkpoint/off/device:cpu", peak_bytes, Verdict::changed, GateAction::warn, 104226816, 104226880));
  report.findings.push_back(
      exact("batching/linear/device:cpu/batch:1", operator_calls, Verdict::changed, GateAction::note, 7, 8));
  report.findings.back().reasons = {"LibTorch differs between the sides: listed only"};
  add_quiet_cases(report, 2);
  return report;
}

Report no_baseline() {
  Report report = base();
  report.outcome = Outcome::no_verdict;
  report.headline = "no baseline: the store has no run of 1a2b3c4d5e6f or of an ancestor on this machine";
  report.before = {};
  report.before.label = "baseline";
  Finding finding =
      without_numbers("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::new_case, GateAction::note, "");
  finding.reasons.clear();
  finding.after = side(12.31e6);
  report.findings.push_back(finding);
  return report;
}

Report host_differs() {
  Report report = base();
  report.outcome = Outcome::no_verdict;
  report.headline = "the two sides were measured on different machines";
  report.after.host_key = "Xeon-8370C-4c4t-x86_64";
  report.differences = {{"governor", "performance", "powersave", false},
                        {"CPU model", "AMD EPYC 7763", "Intel Xeon Platinum 8370C", true}};
  return report;
}

Report claims_broken() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "fusion/conv_bn/folded/device:cpu/batch:1 no longer gives what it promises";
  report.claims.push_back({"fusion/conv_bn/folded/device:cpu/batch:1",
                           "fusion/conv_bn/eager/device:cpu/batch:1",
                           "time",
                           "time() <= 0.9 * reference()",
                           ClaimState::broken,
                           GateAction::warn,
                           0.9,
                           true,
                           0.981,
                           0.962,
                           {"Even the lower 99 % bound is above what is promised"}});
  report.claims.push_back({"memory/checkpoint/on/device:cpu",
                           "memory/checkpoint/off/device:cpu",
                           "peak_bytes",
                           "peak_bytes() <= 0.4 * reference()",
                           ClaimState::broken,
                           GateAction::fail,
                           0.4,
                           true,
                           0.62,
                           std::nullopt,
                           {"Counted: it repeats exactly"}});
  report.claims.push_back({"attention/sdpa/flash/device:cpu/seq:512",
                           "attention/sdpa/math/device:cpu/seq:512",
                           "time",
                           "",
                           ClaimState::undecided,
                           GateAction::note,
                           1.5,
                           false,
                           1.52,
                           1.43,
                           {}});
  report.claims.push_back({"attention/sdpa/flash/device:cuda/seq:512",
                           "",
                           "time",
                           "time() <= 0.5 * reference()",
                           ClaimState::not_measured,
                           GateAction::note,
                           0.5,
                           true,
                           std::nullopt,
                           std::nullopt,
                           {"No CUDA device"}});
  report.claims.push_back({"precision/linear/int8/device:cpu/batch:64",
                           "precision/linear/fp32/device:cpu/batch:64",
                           "time",
                           "time <= 0.6 x reference (only with avx512_vnni)",
                           ClaimState::not_claimed,
                           GateAction::note,
                           0.6,
                           true,
                           std::nullopt,
                           std::nullopt,
                           {"this CPU has no avx512_vnni"}});
  add_quiet_cases(report, 2);
  return report;
}

Report interleaved() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "fusion/conv_bn/folded/device:cpu/batch:8 is 6.1 % slower";
  report.before = {"build-main/suites/fusion", {"r-7001"}, std::nullopt, true, "2026-01-31T09:40:51Z",
                   "EPYC-7763-4c4t-x86_64"};
  report.after = {"build/suites/fusion",  {"r-7001"}, std::nullopt, true, "2026-01-31T09:40:51Z",
                  "EPYC-7763-4c4t-x86_64"};
  Finding slower =
      timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::regressed, GateAction::fail, 12.31e6, 0.061, 0.015);
  slower.before->processes = slower.after->processes = 24;
  confirm(slower, 24, 0.015, 1.19e-7, 0.005);
  report.findings.push_back(slower);
  Finding same = equivalent("fusion/conv_bn/eager/device:cpu/batch:8", 16.2e6, -0.003);
  same.before->processes = same.after->processes = 12;
  confirm(same, 12, 0.02, 0.47, 0.005);
  same.confirmation->confirmed = false;
  report.findings.push_back(same);
  report.cases_judged = 2;
  return report;
}

Report in_turns() {
  Report report = interleaved();
  Finding& by_floor = report.findings.front();
  by_floor.estimator = stats::Estimator::floor;
  by_floor.confirmation->measure = stats::Measure::floor;
  by_floor.confirmation->other_change = 0.012;
  Finding& by_typical = report.findings.back();
  by_typical.estimator = stats::Estimator::typical;
  by_typical.confirmation->measure = stats::Measure::typical;
  report.notes = {
      "1 case was measured one process after the other, not in turns (a cold start, ranks, a process of their own, a "
      "device without memory for both, or a suite of an older torchgate): other load on the machine moves it more"};
  return report;
}

Report since_pin() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.since = SincePin{"v1.2", "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d", "2025-12-01T09:40:51.000Z"};
  report.paired = true;
  report.rule = "paired";
  report.headline =
      "since v1.2 (1a2b3c4d5e6f, 2025-12-01): fusion/conv_bn/folded/device:cpu/batch:8: regressed (+9.4 %)";
  report.before.label = "pin v1.2";
  report.before.commit = report.since->commit;
  report.before.run_ids = {"r-0102"};
  report.before.created = report.since->created;
  const std::string since =
      "change since v1.2 (1a2b3c4d5e6f, 2025-12-01); the pairs ran the recorded binaries of both sides (verified by "
      "hash)";
  Finding slower =
      timed("fusion/conv_bn/folded/device:cpu/batch:8", Verdict::regressed, GateAction::fail, 12.31e6, 0.094, 0.015);
  slower.before->processes = slower.after->processes = 24;
  confirm(slower, 24, 0.015, 1.19e-7, 0.005);
  slower.reasons = {since};
  report.findings.push_back(slower);
  Finding same = equivalent("fusion/conv_bn/eager/device:cpu/batch:8", 16.2e6, -0.003);
  same.before->processes = same.after->processes = 12;
  confirm(same, 12, 0.02, 0.47, 0.005);
  same.confirmation->confirmed = false;
  same.reasons = {since};
  report.findings.push_back(same);
  report.findings.push_back(without_numbers("fusion/gelu/fused/device:cpu", Verdict::missing, GateAction::note,
                                            "measured at the pin, and no longer in this run"));
  report.cases_judged = 2;
  report.notes = {
      "changes are those since v1.2 (1a2b3c4d5e6f, 2025-12-01), run r-0102: 2 cases compared in interleaved "
      "pairs, 1 no longer measured"};
  return report;
}

Report textbook_rule() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "attention/sdpa/flash/device:cpu/seq:512 is 6.4 % slower by the textbook rule";
  report.rule = "textbook";
  report.doubts = {"The textbook rule treats the samples of one process as independent: its false-alarm rate is high"};
  Finding finding =
      timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::regressed, GateAction::fail, 3.4e6, 0.064);
  finding.p = 3.1e-17;
  finding.cohens_d = 0.87;
  finding.estimator = stats::Estimator::sample_mean;
  finding.textbook = textbook(3.1e-17, 0.87, "large", "regressed");
  report.findings.push_back(finding);
  Finding small = timed("batching/linear/device:cpu/batch:1", Verdict::inconclusive, GateAction::note, 84213.0, 0.004);
  small.estimator = stats::Estimator::sample_mean;
  small.p = 0.0312;
  small.cohens_d = 0.17;
  small.cohens_d_word = "negligible";
  small.textbook = textbook(0.0312, 0.17, "negligible", "no change");
  report.findings.push_back(small);
  report.cases_judged = 2;
  return report;
}

Report hostile_names() {
  Report report = base();
  report.outcome = Outcome::fail;
  const std::string pipes = "a|b\\|c `tick` ``two`` </details><img src=x onerror=alert(1)>";
  const std::string mention =
      "@octocat #12 GH-7 https://example.org www.example.org :shipit: $x$ [click](https://example.org)";
  const std::string turned = "safe\u202Egnp.exe\u200B\x1B[31mred\x07 \n\n| new | row |\n<!-- -->";
  const std::string malformed = "bad\xC3\x28\xFF utf8 \xED\xA0\x80";
  report.headline = "- # " + pipes + " and " + mention;
  report.doubts = {turned, "1. " + mention, malformed};
  report.differences = {{pipes, turned, mention, false}};
  report.notes = {"> quoted *bold* __under__ ~~gone~~ " + pipes};
  for (const std::string& name : {pipes, mention, turned, malformed, std::string(), std::string(400, 'x')}) {
    Finding finding = timed(name, Verdict::regressed, GateAction::fail, 1.0e6, 0.2);
    finding.metric.name = pipes;
    finding.metric.unit = "img|s";
    finding.metric.primary = false;
    finding.cohens_d_word = "la|rge";
    finding.reasons = {turned, mention};
    finding.textbook->samples = pipes;
    report.findings.push_back(finding);
    report.claims.push_back(
        {name, turned, pipes, mention, ClaimState::broken, GateAction::warn, 0.9, true, 1.2, 1.1, {pipes}});
  }
  report.findings.push_back(equivalent("日本語/モデル/バッチ:8", 5.0e6, 0.001));
  report.before.label = mention;
  report.before.host_key = pipes;
  report.after.host_key = turned;
  report.rule = "*rule*";
  report.cases_judged = 7;
  return report;
}

Report unknown_everywhere() {
  Report report;
  for (const Verdict verdict :
       {Verdict::failed, Verdict::wrong, Verdict::missing, Verdict::not_comparable, Verdict::regressed,
        Verdict::suspected, Verdict::claim_broken, Verdict::changed, Verdict::inconclusive, Verdict::improved,
        Verdict::equivalent, Verdict::unchanged, Verdict::new_case, Verdict::skipped}) {
    Finding finding;
    finding.case_name = std::string("unknown/") + to_string(verdict);
    finding.metric = time_metric;
    finding.verdict = verdict;
    report.findings.push_back(finding);
    finding.metric = peak_bytes;
    finding.before = SideNumbers{};
    finding.after = SideNumbers{};
    finding.before->value = std::nan("");
    finding.after->value = std::nan("");
    finding.change = std::nan("");
    finding.interval = Interval{std::nan(""), std::nan(""), 0.99};
    finding.p = std::nan("");
    finding.cohens_d = std::nan("");
    finding.textbook = TextbookAnswer{};
    finding.confirmation = Confirmation{};
    report.findings.push_back(finding);
  }
  report.claims.push_back({"unknown/claim",
                           "",
                           "",
                           "",
                           ClaimState::not_measured,
                           GateAction::note,
                           1,
                           true,
                           std::nullopt,
                           std::nullopt,
                           {}});
  return report;
}

Report one_of_two_benchmarks() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "BM_UFlat/9: regressed (+7.6 %) and 3 more";
  report.paired = true;
  report.doubts = {
      {"The machine was busy: preempted 120 times per CPU second (quiet machines: below 50)", DoubtKind::machine},
      "A virtual machine: the hypervisor may move it between processors",
      "4 of 96 processes were measured again because another program ran beside them",
      "No calibration of this machine: how much its runs differ is assumed"};
  for (int i = 0; i < 12; ++i) {
    const std::string input = "/" + std::to_string(i);
    const double change = i == 4 ? 0.004 : 0.012 + 0.0071 * i;
    const bool slower = i != 4;
    Finding flat = timed("BM_UFlat" + input, slower ? Verdict::regressed : Verdict::inconclusive,
                         !slower         ? GateAction::note
                         : change < 0.05 ? GateAction::warn
                                         : GateAction::fail,
                         1e5 * (1 + i), change, 0.006);
    confirm(flat, 24 + 2 * i, 0.006, 1.2e-7 * (1 + i), 0.01 / 11);
    flat.confirmation->confirmed = slower;
    flat.reasons = {"P95 and P99 are of 12-iteration blocks"};
    if (slower && change < 0.05) flat.reasons.emplace_back("below the gate of 5 %");
    if (!slower) flat.reasons.emplace_back("still open after the last pair");
    if (i == 7) flat.causes = {"per call +1 aten::copy_, 31 % of the added time"};
    report.findings.push_back(flat);
    Finding other = equivalent("BM_ZFlat" + input, 4e5 * (1 + i), 0.0004 * i);
    confirm(other, 16, 0.006, 0.4, 0.01 / 11);
    other.confirmation->confirmed = false;
    other.reasons = {"P95 and P99 are of 3-iteration blocks"};
    report.findings.push_back(other);
  }
  report.families = families_of(report.findings);
  report.headline = family_words(*report.families) + "; worst: " + report.headline.words();
  report.cases_judged = 24;
  report.suspects = 11;
  return report;
}

Report five_hundred_rows() {
  Report report = base();
  report.outcome = Outcome::fail;
  report.headline = "500 cases are slower; the worst is sweep/case/number:499";
  for (int i = 0; i < 500; ++i) {
    Finding finding = timed("sweep/case/device:cpu/number:" + std::to_string(i), Verdict::regressed, GateAction::fail,
                            1.0e6 * (1 + i), 0.06 + 0.001 * i);
    finding.reasons = {"Its own reason, number " + std::to_string(i)};
    report.findings.push_back(finding);
  }
  add_quiet_cases(report, 60);
  report.cases_judged += 500;
  report.suspects = 500;
  return report;
}

std::vector<Named> all() {
  return {{"all_pass", all_pass()},
          {"confirmed_regression", confirmed_regression()},
          {"suspected_unconfirmed", suspected_unconfirmed()},
          {"suspected_fails", suspected_fails()},
          {"below_gate", below_gate()},
          {"over_budget", over_budget()},
          {"layout", layout()},
          {"counted_regression", counted_regression()},
          {"too_few_decided", too_few_decided()},
          {"failed_wrong_missing", failed_wrong_missing()},
          {"exact_change", exact_change()},
          {"no_baseline", no_baseline()},
          {"host_differs", host_differs()},
          {"claims_broken", claims_broken()},
          {"interleaved", interleaved()},
          {"in_turns", in_turns()},
          {"since_pin", since_pin()},
          {"textbook_rule", textbook_rule()},
          {"one_of_two_benchmarks", one_of_two_benchmarks()},
          {"hostile_names", hostile_names()},
          {"unknown_everywhere", unknown_everywhere()},
          {"five_hundred_rows", five_hundred_rows()}};
}

}  // namespace torchgate::reports::models
