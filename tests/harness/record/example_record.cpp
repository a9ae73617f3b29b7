// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record::testing {
namespace {

const Metric time{"time", "ns", Direction::lower_is_better, MetricKind::timed, true};
const Metric throughput{"images/s", "images/s", Direction::higher_is_better, MetricKind::timed, false};
const Metric peak_bytes{"peak_bytes", "bytes", Direction::lower_is_better, MetricKind::exact, false};

Case example_case(const std::string& variant, const std::string& device) {
  Case c;
  c.name = "fusion/conv_bn/" + variant + "/device:" + device + "/batch:8";
  c.suite = "fusion";
  c.group = "fusion/conv_bn";
  c.variant = variant;
  c.parameters = {{"device", device}, {"batch", "8"}};
  c.device = device;
  c.protocol = device == "cpu" ? "cpu-wall/1" : "cuda-events/1";
  c.input_seed = 18446744073709551615U;
  c.items_per_call = 8;
  c.metrics = {time, throughput, peak_bytes};
  return c;
}

std::vector<Case> example_cases() {
  std::vector<Case> cases = {example_case("eager", "cpu"), example_case("folded", "cpu"),
                             example_case("folded", "cuda")};
  cases[2].metrics = {time};
  cases[2].skipped = "no CUDA device";
  return cases;
}

std::vector<Group> example_groups() {
  Claim claim;
  claim.case_name = "fusion/conv_bn/folded/device:cpu/batch:8";
  claim.reference_case = "fusion/conv_bn/eager/device:cpu/batch:8";
  claim.metric = "time";
  claim.relation = Relation::at_most;
  claim.ratio = 0.9;
  claim.per_item = true;
  claim.text = "time <= 0.9 x reference";
  claim.not_claimed = "this CPU has no avx512_vnni";
  return {{"fusion/conv_bn", "fusion", "eager", {claim}}, {"fusion/batch_sweep", "fusion", std::nullopt, {}}};
}

std::vector<LoadedObject> example_objects() {
  const std::string executable_hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const std::string torch_hash = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
  return {
      {"/srv/build/suites/fusion/fusion", "", 1234567, 42, 1767225600000000000, executable_hash, true, false},
      {"/opt/libtorch/lib/libtorch_cpu.so", "libtorch_cpu.so", 456789012, 43, 1767225600000000001, torch_hash, false,
       false},
      {"/usr/lib/libm.so.6", "libm.so.6", 907784, 44, -1, "", false, true},
      {"/usr/lib/libc.so.6", "libc.so.6", 1922136, 45, 0, "", false, true},
  };
}

SampleSummary example_summary() {
  return {4, 103, 2.1602468994692867, 101, 101.75, 102.5, 103.75, {}, {}, 106, -0.25};
}

CaseResult example_result(const Case& c) {
  CaseResult result;
  result.name = c.name;
  result.calls_per_sample = 64;
  result.warmup_calls = 640;
  result.steady = true;
  result.measurements = {
      {"time", example_summary(), std::nullopt, {102, 101, 106, 103}},
      {"images/s", SampleSummary{1, 7.75e7, {}, 7.75e7, 7.75e7, 7.75e7, 7.75e7, {}, {}, 7.75e7, {}}, std::nullopt, {}},
      {"peak_bytes", std::nullopt, 8388608, {}},
  };
  return result;
}

CaseResult example_checked_result(const std::vector<Case>& cases) {
  CaseResult result = example_result(cases[1]);
  result.steady = false;
  result.discarded_samples = 1;
  result.discard_reason = "the clock frequency fell";
  result.check = OutputCheck{cases[0].name, 1.5e-7, 2.5e-8, 0.999999999, 1e-4, true};
  result.proofs = {{"aten::batch_norm called at most 0 times", 0, true}};
  result.profile = OperatorProfile{
      20, 104.5, {{"aten::conv2d", "Float 8x3x32x32, Float 8x3x3x3", 1, 60}, {"aten::empty", "", 2.5, 4.25}}, 3, 12};
  result.only_summary = true;
  result.measured_at = "2026-01-31T23:59:57.000Z";
  return result;
}

Process example_process(std::int64_t index, std::int64_t side) {
  Process process;
  process.index = index;
  process.side = side;
  process.pair = 0;
  process.order_in_pair = index % 2;
  process.suite = "fusion";
  process.group = "fusion/conv_bn";
  process.seed = 12345678901234567890U;
  process.started = "2026-01-31T23:59:58.125Z";
  process.wall_ns = 1500000000;
  process.exit_code = 0;
  process.peak_resident_bytes = 300000000;
  process.cpu_ns = 1400000000;
  process.usage = ProcessUsage{25000, 2, 17, 40};
  process.start = ProcessStart{180000000, 230000000, 1700000, "fusion/conv_bn/eager/device:cpu/batch:8", 90000000};
  process.environment = {{"OMP_NUM_THREADS", "2"}};
  process.objects = {0, 1, 2, 3};
  process.files = {0, 1};
  return process;
}

Process crashed_process() {
  Process process;
  process.index = 2;
  process.side = 1;
  process.pair = 1;
  process.suite = "fusion";
  process.group = "fusion/conv_bn";
  process.status = ProcessStatus::crashed;
  process.message = "killed by SIGSEGV; last words: \"terminate called\"\n";
  process.signal = 11;
  process.rank = 0;
  process.objects = {3, 0};
  process.files_unknown = "it starts another program";
  return process;
}

}  // namespace

Run example_run() {
  Run run;
  run.id = "0123456789abcdef";
  run.created = "2026-01-31T23:59:59.999Z";
  run.tool_version = "0.1.0";
  run.plan = {"quick", "conv_bn", 5, 2, 3, 7, {"fusion", "batching"}, 60.5, 600.0, {}, {}, {}, {}, {}};
  run.plan.division = {{"fusion/conv_bn", "batching/mlp"}, {"fusion/linear"}, {}};
  run.plan.missing_shards = {3};
  run.plan.count = CountPlan{"any", 2, 3};
  run.plan.warmup_calls = 10;
  run.plan.samples = 100;
  run.plan.confirms = Confirms{"00000000000000aa", "00000000000000bb", 4};
  run.plan.varied = {"libtorch", "kernel"};
  run.plan.libtorch_versions = {"2.11.0", "2.15.0"};
  run.plan.informs = true;
  run.machine.host_key = "x86_64-xeon-2cpu-3f9a2c1b";
  run.machine.device_key = "NVIDIA H200, 141 GB, MIG off";
  run.machine.facts = {{"cpu_model", "Intel(R) Xeon(R) 6975P-C", "", FactClass::host},
                       {"gpu_model", std::nullopt, "no such file: libnvidia-ml.so.1", FactClass::device},
                       {"kernel", "6.1.0", "", FactClass::warn},
                       {"hostname", "bench-01", "", FactClass::info}};
  run.sides = {{"before", {"6dd1f3ab", false, "main"}, {"build-main/suites/fusion"}},
               {"after",
                {std::nullopt, std::nullopt, std::nullopt, {"version.h"}},
                {"build/suites/fusion", "build/suites/batching"}}};
  run.objects = example_objects();
  run.files = {{"/srv/data/weights.pt", run.objects[0].sha256}, {"/etc/fusion.conf", ""}};
  run.groups = example_groups();
  run.cases = example_cases();
  run.processes = {example_process(0, 0), example_process(1, 1), crashed_process()};
  run.processes[0].cases = {example_result(run.cases[0]), example_checked_result(run.cases)};
  run.processes[1].cases = {example_result(run.cases[0]), example_checked_result(run.cases)};
  run.processes[1].cases[1].check->against = "fusion/conv_bn/a_case_that_was_filtered_out";
  run.instructions = {{run.cases[0].name,
                       1,
                       "callgrind-3.19.0",
                       "AVX2",
                       {14262, 14263},
                       "",
                       212,
                       {{"_ZN2at6native4add_E", "libtorch_cpu.so", 9000}, {"???", "", 12.5}}},
                      {run.cases[1].name, 1, "", "", {}, "several threads", 0, {}}};
  run.code = {{run.cases[0].name,
               212,
               40,
               3,
               {{"fold", "fusion", "6 of 40 instructions differ", false}},
               1,
               {{"unfold", "fusion", "it exists after only", false}},
               2,
               "",
               100,
               103},
              {run.cases[1].name, 0, 0, 0, {}, 0, {}, 0, "valgrind is not installed", 0, 0}};
  run.unchanged = {{"fusion/batch_sweep", "00000000000000cc", {0, 1}, {0}}};
  run.warnings = {"the machine was busy: \u00b5-benchmarks ran beside this"};
  run.interrupted = true;
  run.unknown_keys = R"({"later":{"a":[1,2.50,null]},"x/y~z":"\u00e9"})";
  return run;
}

ProcessReport example_report() {
  ProcessReport report;
  report.suite = "fusion";
  report.groups = example_groups();
  report.cases = example_cases();
  report.objects = example_objects();
  report.files_read = std::vector<std::string>{"/srv/data/weights.pt", "/etc/fusion.conf"};
  report.facts = {{"libtorch", "2.11.0"}, {"threads", "2"}};
  report.seconds_estimate = 12.5;
  report.loaded_at_ns = 8000000180;
  report.main_at_ns = 8000000230;
  report.first_call_ns = 1700000;
  report.first_case = report.cases[0].name;
  CaseResult wrong;
  wrong.name = report.cases[1].name;
  wrong.status = CaseStatus::wrong;
  wrong.message = "relative L2 distance 0.5 is outside 0.0001";
  wrong.check = OutputCheck{report.cases[0].name, 3.5, 0.5, std::nullopt, 1e-4, false};
  CaseResult skipped;
  skipped.name = report.cases[2].name;
  skipped.status = CaseStatus::skipped;
  skipped.message = "no CUDA device";
  report.results = {example_result(report.cases[0]), wrong, skipped};
  return report;
}

Run without_samples(Run run) {
  for (Process& process : run.processes) {
    for (CaseResult& result : process.cases) {
      for (Measurement& measurement : result.measurements) measurement.samples.clear();
    }
  }
  return run;
}

}  // namespace torchgate::record::testing
