// SPDX-License-Identifier: Apache-2.0
// Over 400 lines because it makes one of everything that a record has.
#include "tests/harness/record/arbitrary_record.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "harness/base/limits.hpp"

namespace torchgate::record::testing {
namespace {

namespace gen = rc::gen;

std::string utf8(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80U) return {byte(code)};
  if (code < 0x800U) return {byte(0xC0U | (code >> 6U)), byte(0x80U | (code & 0x3FU))};
  if (code < 0x10000U) {
    return {byte(0xE0U | (code >> 12U)), byte(0x80U | ((code >> 6U) & 0x3FU)), byte(0x80U | (code & 0x3FU))};
  }
  return {byte(0xF0U | (code >> 18U)), byte(0x80U | ((code >> 12U) & 0x3FU)), byte(0x80U | ((code >> 6U) & 0x3FU)),
          byte(0x80U | (code & 0x3FU))};
}

bool flip() {
  return *gen::arbitrary<bool>();
}

template <class T>
std::optional<T> maybe(T value) {
  return flip() ? std::optional<T>(std::move(value)) : std::nullopt;
}

std::string text() {
  return *arbitrary_text();
}
std::int64_t count() {
  return *gen::nonNegative<std::int64_t>() % base::max_count;
}
std::uint64_t seed() {
  return *gen::element<std::uint64_t>(0, 1, 1ULL << 53U, (1ULL << 53U) + 1, ~0ULL);
}
double magnitude() {
  return std::abs(*arbitrary_double());
}
double seconds() {
  return std::min(magnitude(), base::max_seconds);
}
double positive() {
  return std::max(magnitude(), std::numeric_limits<double>::denorm_min());
}
std::size_t few(std::size_t most) {
  return *gen::inRange<std::size_t>(0, most + 1);
}

std::string hex(std::size_t digits) {
  return *gen::container<std::string>(digits, gen::elementOf(std::string("0123456789abcdef")));
}

template <class Enum>
Enum one_of(std::initializer_list<Enum> values) {
  return *gen::elementOf(std::vector<Enum>(values));
}

std::vector<std::string> texts() {
  std::vector<std::string> list(few(3));
  for (std::string& element : list) element = text();
  return list;
}

// A different name each time: the number makes it so.
std::string name(std::size_t number) {
  return text() + std::to_string(number);
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> list;
  for (std::size_t i = few(3); i > 0; --i) list.push_back({name(i), text()});
  return list;
}

std::string timestamp() {
  return *gen::element<std::string>("2026-01-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "2016-12-31T23:59:60.000Z");
}

std::vector<Metric> metrics() {
  std::vector<Metric> list(few(3));
  bool primary = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Metric& metric = list[i];
    metric.name = name(i);
    metric.unit = *gen::element<std::string>("ns", "s", "bytes", "1", "\u00b5J");
    metric.direction = one_of({Direction::lower_is_better, Direction::higher_is_better});
    metric.kind = one_of({MetricKind::timed, MetricKind::exact});
    metric.primary = metric.kind == MetricKind::timed && !primary && flip();
    primary = primary || metric.primary;
    metric.gated = metric.kind == MetricKind::exact && flip();
  }
  return list;
}

std::vector<Case> cases() {
  std::vector<Case> list(few(4));
  for (std::size_t i = 0; i < list.size(); ++i) {
    Case& c = list[i];
    c.name = name(i);
    c.suite = text();
    c.group = text();
    c.variant = text();
    c.parameters = parameters();
    c.device = *gen::element<std::string>("cpu", "cuda");
    c.protocol = text();
    c.input_seed = seed();
    c.items_per_call = maybe(positive());
    c.bytes_per_call = maybe(positive());
    c.metrics = metrics();
    c.skipped = maybe(text());
    c.ambiguous = maybe(text());
    c.sides_differ = maybe(text());
    c.settings = maybe(text());
    c.other_name = maybe(text());
  }
  return list;
}

Claim claim() {
  Claim claim;
  claim.case_name = name(1);
  claim.metric = name(3);
  if (flip()) {
    claim.limit = positive();
  } else {
    claim.reference_case = name(2);
    claim.reference_metric = maybe(name(4));
    claim.reference_quantile = one_of({Quantile::median, Quantile::p95, Quantile::p99});
  }
  claim.quantile = one_of({Quantile::median, Quantile::p95, Quantile::p99});
  claim.relation = one_of({Relation::at_most, Relation::at_least});
  claim.ratio = positive();
  claim.per_item = flip();
  claim.text = text();
  if (flip()) claim.not_claimed = text();
  return claim;
}

std::vector<Group> groups() {
  std::vector<Group> list(few(2));
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {name(i), text(), maybe(text()), {}, count() % base::max_ranks + 1};
    for (std::size_t k = few(2); k > 0; --k) {
      list[i].claims.push_back(claim());
    }
  }
  return list;
}

std::vector<LoadedObject> objects() {
  std::vector<LoadedObject> list(few(6));
  for (LoadedObject& object : list) {
    object = {text(), text(), count(), seed(), *gen::arbitrary<std::int64_t>(), flip() ? hex(64) : "", flip(), flip()};
  }
  return list;
}

std::vector<ReadFile> files() {
  std::vector<ReadFile> list(few(4));
  for (ReadFile& file : list) file = {text(), flip() ? hex(64) : ""};
  return list;
}

// Some of so many, in their order.
std::vector<std::int64_t> positions(std::size_t size) {
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < size; ++i) {
    if (*gen::inRange(0, 4) > 0) some.push_back(static_cast<std::int64_t>(i));
  }
  return some;
}

std::vector<UnchangedGroup> unchanged(const Run& run) {
  std::vector<UnchangedGroup> list(few(2));
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = {name(i), hex(16), positions(run.objects.size()), positions(run.files.size())};
  return list;
}

std::vector<InstructionCount> instruction_counts(const Run& run) {
  std::vector<InstructionCount> counts(few(2));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i].case_name = name(i);
    counts[i].side = static_cast<std::int64_t>(few(run.sides.size() - 1));
    counts[i].counter = text();
    counts[i].cpu_capability = text();
    counts[i].per_call.assign(few(3), magnitude());
    if (counts[i].per_call.empty()) counts[i].unknown = "not known";
    counts[i].functions = count();
    counts[i].largest.assign(few(2), {text(), text(), magnitude()});
  }
  return counts;
}

std::vector<CodeComparison> comparisons_of_code() {
  std::vector<CodeComparison> list(few(2));
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = {name(i),
               count(),
               count(),
               count(),
               {few(2), {text(), text(), text(), flip()}},
               2,
               {few(2), {text(), text(), text(), flip()}},
               count(),
               text(),
               magnitude(),
               magnitude()};
  return list;
}

double value_of(const Metric& metric) {
  const bool time = metric.unit == "ns" || metric.unit == "s";
  return metric.kind == MetricKind::exact || time ? magnitude() : *arbitrary_double();
}

SampleSummary summary(const Metric& metric, std::int64_t n) {
  std::vector<double> values(8);
  for (double& value : values) value = value_of(metric);
  std::sort(values.begin(), values.end());
  SampleSummary s;
  s.n = n;
  s.min = values[0];
  s.p25 = values[1];
  s.median = values[2];
  s.p75 = values[3];
  s.p95 = maybe(values[4]);
  s.p99 = maybe(values[5]);
  s.max = values[6];
  s.mean = values[few(6)];
  if (n > 1) s.sd = maybe(magnitude());
  s.lag1 = maybe(*gen::element(-1.0, -0.25, 0.0, 1e-300, 1.0));
  return s;
}

Measurement measurement(const Metric& metric, std::int64_t discarded) {
  Measurement m;
  m.metric = metric.name;
  if (metric.kind == MetricKind::exact) {
    m.value = value_of(metric);
    return m;
  }
  m.samples.resize(few(5));
  for (double& sample : m.samples) sample = value_of(metric);
  const auto samples = static_cast<std::int64_t>(m.samples.size());
  const std::int64_t n = samples == 0 ? count() % 1000 + 1 : std::max<std::int64_t>(1, samples - discarded);
  m.summary = samples > 0 ? maybe(summary(metric, n)) : summary(metric, n);
  return m;
}

OperatorProfile profile() {
  OperatorProfile p;
  p.passes = count() + 1;
  p.call_ns = magnitude();
  for (std::size_t i = few(3); i > 0; --i) p.operators.push_back({name(i), text(), magnitude(), magnitude()});
  p.left_out = count();
  p.left_out_self_ns = magnitude();
  return p;
}

CaseResult result(const Case& c, const std::vector<Case>& all) {
  CaseResult r;
  r.name = c.name;
  r.status = one_of({CaseStatus::ok, CaseStatus::failed, CaseStatus::wrong, CaseStatus::skipped});
  r.message = text();
  r.calls_per_sample = count() + 1;
  r.warmup_calls = count();
  r.steady = maybe(flip());
  r.discarded_samples = static_cast<std::int64_t>(few(3));
  r.discard_reason = text();
  if (flip()) {
    const double deviation = flip() ? std::numeric_limits<double>::infinity() : magnitude();
    r.check = OutputCheck{flip() ? (*gen::elementOf(all)).name : text(),
                          deviation,
                          magnitude(),
                          maybe(*arbitrary_double()),
                          magnitude(),
                          flip()};
  }
  for (std::size_t i = few(2); i > 0; --i) r.proofs.push_back({text(), count(), flip()});
  if (flip()) r.profile = profile();
  r.only_summary = flip();
  if (flip()) r.measured_at = timestamp();
  if (r.status != CaseStatus::ok) return r;
  for (const Metric& metric : c.metrics) r.measurements.push_back(measurement(metric, r.discarded_samples));
  return r;
}

std::vector<CaseResult> results(const std::vector<Case>& all) {
  std::vector<CaseResult> list;
  for (const Case& c : all) {
    if (flip()) list.push_back(result(c, all));
  }
  return list;
}

Process process(const Run& run) {
  Process p;
  p.index = count();
  p.side = static_cast<std::int64_t>(few(run.sides.size() - 1));
  p.pair = maybe(count() % base::max_processes);
  p.order_in_pair = static_cast<std::int64_t>(few(1));
  p.suite = text();
  p.group = text();
  p.seed = seed();
  p.started = flip() ? timestamp() : "";
  p.wall_ns = count();
  p.status = one_of({ProcessStatus::ok, ProcessStatus::crashed, ProcessStatus::failed, ProcessStatus::timed_out,
                     ProcessStatus::not_a_suite, ProcessStatus::bad_report, ProcessStatus::not_started});
  p.message = text();
  p.exit_code = maybe(std::int64_t{*gen::arbitrary<std::int32_t>()});
  p.signal = maybe(count() % 128 + 1);
  p.peak_resident_bytes = maybe(count());
  p.cpu_ns = maybe(count());
  if (flip()) p.usage = ProcessUsage{count(), count(), count(), count()};
  if (flip()) p.start = ProcessStart{maybe(count()), maybe(count()), maybe(count()), text(), maybe(count())};
  p.environment = parameters();
  p.rank = maybe(count() % base::max_ranks);
  p.objects = positions(run.objects.size());
  if (flip()) std::reverse(p.objects.begin(), p.objects.end());
  if (flip()) p.files = positions(run.files.size());
  p.files_unknown = text();
  p.cases = results(run.cases);
  return p;
}

MachineChecks checks() {
  MachineChecks list;
  for (std::size_t i = few(3); i > 0; --i) {
    list.push_back({name(i), one_of({CheckAnswer::ok, CheckAnswer::bad, CheckAnswer::unknown}),
                    one_of({CheckSeverity::fatal, CheckSeverity::warning, CheckSeverity::info}), text(), text()});
  }
  return list;
}

Machine machine() {
  Machine m;
  m.host_key = *gen::element<std::string>("", "x86_64-xeon-2cpu-3f9a2c1b", "A._-9");
  m.device_key = maybe(text());
  for (std::size_t i = few(3); i > 0; --i) {
    MachineFact fact{name(i), maybe(text()), "",
                     one_of({FactClass::host, FactClass::device, FactClass::warn, FactClass::info})};
    if (!fact.value) fact.unknown_reason = text();
    m.facts.push_back(fact);
  }
  m.checks_before = checks();
  m.checks_after = checks();
  m.noisy_allowed = flip();
  return m;
}

Plan plan() {
  Plan p;
  p.profile = text();
  p.filter = text();
  p.processes = count() % base::max_processes;
  p.shard = count() % base::max_shards + 1;
  p.shards = std::max(p.shard, count() % base::max_shards);
  p.seed = seed();
  p.suites = texts();
  p.warmup_calls = maybe(count() + 1);
  p.samples = maybe(count() + 1);
  p.group_limit_s = maybe(seconds());
  p.total_limit_s = maybe(seconds());
  p.budget_s = maybe(seconds());
  p.budget_pairs = maybe(count());
  p.division.resize(few(3));
  std::size_t group = 0;
  for (auto& shard : p.division) {
    for (std::size_t i = few(2); i > 0; --i) shard.push_back(name(++group));
  }
  for (std::size_t i = 1; i <= p.division.size(); ++i) {
    if (flip()) p.missing_shards.push_back(static_cast<std::int64_t>(i));
  }
  if (flip()) p.confirms = Confirms{flip() ? hex(16) : "", hex(16), count() + 1};
  p.varied = texts();
  if (flip()) p.libtorch_versions = {text(), text()};
  p.informs = flip();
  return p;
}

}  // namespace

rc::Gen<std::string> arbitrary_text() {
  const auto character =
      gen::oneOf(gen::inRange<std::uint32_t>(0x20, 0x7F),
                 gen::element<std::uint32_t>(0, '\n', '"', '\\', '/', '~', 0x1F, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF,
                                             0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x1F525, 0x2028));
  return gen::map(gen::container<std::vector<std::uint32_t>>(character), [](const std::vector<std::uint32_t>& codes) {
    std::string text;
    for (const std::uint32_t code : codes) text += utf8(code);
    return text;
  });
}

rc::Gen<double> arbitrary_double() {
  using Limits = std::numeric_limits<double>;
  const auto bits = gen::map(gen::arbitrary<std::uint64_t>(), [](std::uint64_t pattern) {
    const auto value = std::bit_cast<double>(pattern * 0x9E3779B97F4A7C15ULL);  // spread over all exponents
    return std::isfinite(value) ? value : 0.1;
  });
  return gen::oneOf(
      bits, gen::element(0.0, 1.0, 0.1, 1.0 / 3, 1e22, 1e23, 9007199254740993.0, Limits::max(), Limits::lowest(),
                         Limits::min(), Limits::denorm_min(), Limits::epsilon(), 123456.789));
}

rc::Gen<Run> arbitrary_run(bool with_samples_file) {
  return gen::exec([=] {
    Run run;
    run.id = hex(16);
    run.created = timestamp();
    run.tool_version = text();
    run.plan = plan();
    run.machine = machine();
    run.sides.resize(1 + few(1));
    for (Side& side : run.sides) side = {text(), {maybe(hex(40)), maybe(flip()), maybe(text()), texts()}, texts()};
    run.objects = objects();
    run.files = files();
    run.unchanged = unchanged(run);
    run.instructions = instruction_counts(run);
    run.code = comparisons_of_code();
    run.groups = groups();
    run.cases = cases();
    for (std::size_t i = few(3); i > 0; --i) run.processes.push_back(process(run));
    run.warnings = texts();
    if (flip()) run.changed_data = texts();
    run.interrupted = flip();
    if (with_samples_file) run.samples = maybe(SamplesFile{hex(64), count(), count()});
    run.unknown_keys = *gen::element<std::string>("{}", R"({"\n":1e5})", R"({"later":{"a":[ 1, {} ]},"z":null})");
    return run;
  });
}

rc::Gen<ProcessReport> arbitrary_report() {
  return gen::exec([] {
    ProcessReport report;
    report.suite = text();
    report.groups = groups();
    report.cases = cases();
    report.results = results(report.cases);
    report.objects = objects();
    if (flip()) report.files_read = texts();
    report.files_unknown = text();
    report.files_restored = flip();
    report.facts = parameters();
    report.loaded_at_ns = maybe(count());
    report.main_at_ns = maybe(count());
    report.first_call_ns = maybe(count());
    report.first_case = text();
    report.untimed_ns = maybe(count());
    report.seconds_estimate = maybe(seconds());
    return report;
  });
}

}  // namespace torchgate::record::testing
