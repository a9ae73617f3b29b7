// SPDX-License-Identifier: Apache-2.0
// Options of several commands. Each is declared here once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options.hpp"
#include "ci/workflow/measure/effort.hpp"

namespace torchgate::cli {

/// How a command shows its result: on standard output in one format (unless quiet), and in files.
struct ShowFlags {
  std::string format = "terminal";
  std::vector<std::string> write;  ///< "FORMAT=FILE"
  bool quiet = false;
  bool verbose = false;
};

/// --format alone: which formats a MODEL has.
template <class Model>
void format_option(Options& options, ShowFlags& flags);

/// --write alone.
void write_option(Options& options, ShowFlags& flags);

/// What every command that ends with a result takes. WHAT: "the report". VERBOSE: what --verbose does; empty: there is none.
template <class Model>
void show_options(Options& options, ShowFlags& flags, const std::string& what, const std::string& verbose);

/// What a command reads, as it was named: files, lists of files ("a.json,b.json") and saved runs.
using Inputs = std::function<std::vector<std::string>()>;

/// bad_input where one of FILES, which a command writes, is one of INPUTS: it would be replaced by what is said about it.
base::Result<void> check_inputs_stay(const std::vector<std::string>& files, const std::vector<std::string>& inputs);

/// Refuses to write what FLAGS name over one of INPUTS, before anything is read or removed.
void keep_inputs(Options& options, const ShowFlags& flags, Inputs inputs);

/// The same as show_options() for a report; INPUTS are kept.
void show_report_options(Options& options, ShowFlags& flags, Inputs inputs);

/// Which suites to measure.
void suite_option(Options& options, std::vector<std::string>& suites);
/// --quick and --full.
void profile_options(Options& options, workflow::Effort& effort);
/// Which cases to measure, and how thoroughly; measure_options() with the seed.
void effort_options(Options& options, workflow::Effort& effort);
void measure_options(Options& options, workflow::Effort& effort);
/// --warmup and --samples.
void sampling_options(Options& options, workflow::Effort& effort);
/// What each process gets, and how long it may take.
void limit_options(Options& options);
void save_option(Options& options, std::optional<std::string>& name);
/// `--resume` resumes the only unfinished run (an empty name), `--resume ID` that one.
Option resume_option(Options& options, std::optional<std::string>& resume, const std::string& help);
/// WHERE: "With --resume: ".
Option recorded_files_option(Options& options, bool& run_recorded_files, const std::string& where);
void threads_option(Options& options);
/// WHAT: "Baseline store", or more where only some of the command reads it.
void store_option(Options& options, const std::string& what = "Baseline store");

/// How a verdict is reached. LATENCY is the key that --gate sets.
void judging_options(
    Options& options, std::function<const char*()> latency = [] { return "gate.latency"; });
/// BUDGET is the key that it sets.
void budget_option(
    Options& options, std::function<const char*()> budget = [] { return "gate.budget"; });
void better_option(Options& options);
void noisy_option(Options& options);
/// Leaves out the cases that one side alone has.
Option common_option(Options& options, bool& common_only);
/// Facts that differ between the sides on purpose. MORE: what else the command does with them.
void vary_option(Options& options, std::vector<std::string>& names, const std::string& more = "");
/// From which commit the policy is, and more waivers than it names.
void policy_from_option(Options& options);
void waivers_option(Options& options);

/// Of the commands that speak to GitHub. WHAT: "Where the issues are".
void repository_option(Options& options, std::optional<std::string>& repository, const std::string& what);
void author_option(Options& options, std::optional<std::string>& author);

}  // namespace torchgate::cli
