// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/shared_options.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "ci/workflow/workspace/recorded_files.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/named_output.hpp"
#include "harness/base/posix_file.hpp"
#include "reports/formats/registry.hpp"

namespace torchgate::cli {
namespace {

// "terminal, markdown or json".
template <class Model>
std::string format_names() {
  const auto formats = reports::formats_of<Model>();
  std::string names;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    names += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
    names += formats[i].name;
  }
  return names;
}

// `--json FILE` and its like are short for `--write json=FILE`.
void file_option(Options& options, ShowFlags& flags, const std::string& format, const std::string& help) {
  options
      .on(
          "--" + format + " FILE",
          [&flags, format](const std::string& file) { flags.write.push_back(format + "=" + file); }, help)
      .not_empty();
}

// By what it begins with: a report may be large.
bool is_json_report(const std::filesystem::path& file) {
  std::array<char, 64> begin{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), begin.size());
  const std::string_view text(begin.data(), static_cast<std::size_t>(stream.gcount()));
  return text.find("\"torchgate.report/") != std::string_view::npos ||
         text.find("\"torchgate.matrix/") != std::string_view::npos;
}

std::vector<std::string> files_of(const ShowFlags& flags) {
  std::vector<std::string> files;
  for (const std::string& written : flags.write)
    if (const std::size_t equals = written.find('='); equals != std::string::npos)
      files.push_back(written.substr(equals + 1));
  return files;
}

// The files that FLAGS name, where an earlier call left them: after an error they would pass for the report of this one. Of a link, the file that it
// leads to. Files that would not be replaced stay, and so does JSON that is not a report: it may be a run that is to be judged.
base::Result<void> remove_earlier_reports(const ShowFlags& flags) {
  for (const std::string& written : flags.write) {
    const std::size_t equals = written.find('=');
    if (equals == std::string::npos) continue;
    const auto file = base::output_file(written.substr(equals + 1));
    std::error_code failed;
    if (!file || !std::filesystem::is_regular_file(*file, failed)) continue;
    if (written.starts_with("json=") && !is_json_report(*file)) continue;
    std::filesystem::remove(*file, failed);
    if (failed) return base::system_error(*file, "remove the report of an earlier call", failed.value());
  }
  return {};
}

}  // namespace

template <class Model>
void format_option(Options& options, ShowFlags& flags) {
  std::vector<std::string> names;
  for (const auto& format : reports::formats_of<Model>()) names.emplace_back(format.name);
  options.add("--format NAME", &flags.format, "Print this format (default terminal): " + format_names<Model>())
      .suggested(std::move(names));
}

void write_option(Options& options, ShowFlags& flags) {
  options.add("--write FORMAT=FILE", &flags.write, "Also write a file in one of these formats (repeatable)");
}

template <class Model>
void show_options(Options& options, ShowFlags& flags, const std::string& what, const std::string& verbose) {
  format_option<Model>(options, flags);
  write_option(options, flags);
  file_option(options, flags, "json", "Also write " + what + " as JSON");
  if (reports::find_format<Model>("markdown") != nullptr)
    file_option(options, flags, "markdown", "Also write " + what + " as Markdown");
  if (reports::find_format<Model>("html") != nullptr)
    file_option(options, flags, "html", "Also write " + what + " as one HTML page");
  options.add("--quiet", &flags.quiet, "Do not print " + what).excludes("--format");
  if (!verbose.empty()) options.add("--verbose", &flags.verbose, verbose);
}

base::Result<void> check_inputs_stay(const std::vector<std::string>& files, const std::vector<std::string>& inputs) {
  std::error_code absent;
  for (const std::string& input : inputs) {
    std::vector<std::filesystem::path> read{input, workflow::Workspace().runs() / (input + ".json")};
    std::istringstream list(input);
    for (std::string part; std::getline(list, part, ',');) read.emplace_back(part);
    for (const std::string& file : files)
      for (const std::filesystem::path& each : read)
        if (std::filesystem::equivalent(file, each, absent))
          return base::Error{base::ErrorCode::bad_input,
                             file + ": is also read (" + input + "), and would be replaced; name another file"};
  }
  return {};
}

void keep_inputs(Options& options, const ShowFlags& flags, Inputs inputs) {
  options.begin_with([&flags, inputs = std::move(inputs)] { return check_inputs_stay(files_of(flags), inputs()); });
}

void show_report_options(Options& options, ShowFlags& flags, Inputs inputs) {
  show_options<reports::Report>(options, flags, "the report",
                                "List every case, including those within the margin, and define the terms");
  options.begin_with([&flags, inputs = std::move(inputs)]() -> base::Result<void> {
    if (auto kept = check_inputs_stay(files_of(flags), inputs()); !kept) return kept;
    return remove_earlier_reports(flags);
  });
}

template void format_option<reports::DoctorReport>(Options&, ShowFlags&);
template void show_options<reports::Explanation>(Options&, ShowFlags&, const std::string&, const std::string&);
template void show_options<reports::History>(Options&, ShowFlags&, const std::string&, const std::string&);
template void show_options<reports::ModelAdvice>(Options&, ShowFlags&, const std::string&, const std::string&);
template void show_options<record::Calibration>(Options&, ShowFlags&, const std::string&, const std::string&);

void suite_option(Options& options, std::vector<std::string>& suites) {
  options.add("--suite,--suite-dir PATH", &suites,
              "Suite executable, or folder of suites (repeatable; default: run.suites in torchgate.toml)");
}

void profile_options(Options& options, workflow::Effort& effort) {
  options.on_flag(
      "--quick", [&effort] { effort.profile = "quick"; }, "Take a fifth of the time, with less statistical power");
  options
      .on_flag(
          "--full", [&effort] { effort.profile = "full"; },
          "Measure also the cases that are too long for every run (those that suites mark with only_full())")
      .excludes("--quick");
}

void effort_options(Options& options, workflow::Effort& effort) {
  options
      .add("--filter REGEX", &effort.filter,
           "Measure only cases whose name matches this regular expression (RE2 syntax)")
      .pattern();
  profile_options(options, effort);
  options.add("--instructions", &effort.instructions,
              "Also count the instructions of each case, in processes that time nothing (with the CPU's counter, or "
              "Callgrind); "
              "--quick counts one call");
  options.add("--counter NAME", &effort.counter, "With --instructions: any, callgrind or hardware")
      .one_of({"any", "callgrind", "hardware"})
      .needs("--instructions");
}

void measure_options(Options& options, workflow::Effort& effort) {
  effort_options(options, effort);
  options.add("--seed N", &effort.seed, "Seed of all random orders (default: random; it is recorded)");
}

void sampling_options(Options& options, workflow::Effort& effort) {
  constexpr int most_asked = 1'000'000;
  options
      .add("--warmup CALLS", &effort.warmup_calls,
           "At least so many calls before the first sample of a case (default: 10, for at least 50 ms)")
      .from_to(1, most_asked);
  options
      .add("--samples N", &effort.samples,
           "So many samples of each case and process (default: 40 to 400, as 0.3 s pay for)")
      .from_to(1, most_asked);
}

void limit_options(Options& options) {
  threads_option(options);
  options.key("--allocator NAME", "run.allocator",
              "malloc of the suites: steady (default) or system (as the C library does it)");
  options.key(
      "--ranks-with PROGRAM", "run.ranks_with",
      "What starts groups with ranks: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a "
      "job with several tasks or nodes)");
  options.key("--device-metric METRIC", "run.device_metric",
              "What cases on a GPU are judged by: time (default), gpu_time_hot or gpu_time_cold (the device's own)");
  options.key("--group-limit SECONDS", "run.group_limit_s", "Kill a process after this many seconds (default 600)");
  options.key("--total-limit SECONDS", "run.total_limit_s",
              "Start no more processes after this many seconds (default 18000)");
}

void save_option(Options& options, std::optional<std::string>& name) {
  options.add("--save NAME", &name, "Save the run under this name (replaces an existing one)");
}

Option resume_option(Options& options, std::optional<std::string>& resume, const std::string& help) {
  return options
      .on(
          "--resume [ID]", [&resume](const std::string& value) { resume = value == "true" ? "" : value; }, help)
      .value_may_be_absent();
}

Option recorded_files_option(Options& options, bool& run_recorded_files, const std::string& where) {
  return options.add(
      workflow::run_recorded_files_flag, &run_recorded_files,
      where +
          "run recorded programs that this workspace has not launched before (default: only those, and the "
          "copies in the store); use it only in a job that may run any code, with records that you trust");
}

void threads_option(Options& options) {
  options.key("--threads N", "run.threads", "Intra-operator threads of a suite (default 1)");
}

void store_option(Options& options, const std::string& what) {
  options.key("--store DIR|URL", "baseline.store", what + " (default .torchgate/store)");
}

void judging_options(Options& options, std::function<const char*()> latency) {
  better_option(options);
  noisy_option(options);
  options.key("--rule NAME", "gate.rule", "Statistical rule: default, textbook, welch, history, paired or exact");
  options.key("--gate FRACTION", std::move(latency),
              "Fail the build on a confirmed slow-down of at least this fraction (default 0.05)");
}

void budget_option(Options& options, std::function<const char*()> budget) {
  options.key("--budget BUDGET", std::move(budget),
              "Time for interleaved pairs of suspects and undecided cases: 5m, \"200 pairs\", none (suspects only), or "
              "run "
              "(default: suspects first, then as long as the run took)");
}

void better_option(Options& options) {
  options.repeated_key("--better NAME=higher|lower", "import.better",
                       "Direction of a metric, unit or benchmark that the file leaves open (repeatable; \"*\" is all "
                       "others; also "
                       "import.better)");
}

void noisy_option(Options& options) {
  options.on_flag(
      "--allow-noisy", [&policy = options.policy()] { policy.settings.emplace_back("gate.allow_noisy", "true"); },
      "Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`: recorded only");
}

void vary_option(Options& options, std::vector<std::string>& names, const std::string& more) {
  options
      .add(
          "--vary NAME", &names,
          "A difference between the sides that is intended, e.g. libtorch; it is not reported as a doubt (repeatable)" +
              more)
      .one_value_each();
}

Option common_option(Options& options, bool& common_only) {
  return options.add("--common", &common_only,
                     "Judge only the cases of both sides, where one of them is a part of the other: what one side "
                     "alone has is counted "
                     "in a note");
}

void policy_from_option(Options& options) {
  options.add("--policy-from REF", &options.policy().from,
              "Read torchgate.toml and waivers from this commit (default in a pull request: the base branch)");
}

void waivers_option(Options& options) {
  options
      .add("--waivers FILE", &options.policy().waiver_files,
           "Also apply the waivers of this file (repeatable); one of the same case and metric replaces the "
           "policy's. Trusted, also in a pull request: name no file of the change")
      .one_value_each();
}

void repository_option(Options& options, std::optional<std::string>& repository, const std::string& what) {
  options.add("--repository OWNER/NAME", &repository, what + " (default: GITHUB_REPOSITORY)");
}

void author_option(Options& options, std::optional<std::string>& author) {
  options.add("--author LOGIN", &author,
              "The login that the token writes as (default: asked from GitHub; needed for the token of an app, such as "
              "my-app[bot])");
}

}  // namespace torchgate::cli
