// SPDX-License-Identifier: Apache-2.0
// Whether a machine was fit to be measured on, by what the doctor found (Machine::checks_*), and what follows for verdicts.
// Counters, failures, wrong outputs and missing cases need no quiet machine: they are judged all the same.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// A run and how the report calls it: "baseline", "this run".
using LabelledRun = std::pair<const record::Run*, std::string>;

/// The first fatal row that is bad, "name: what was seen"; absent when there is none, or nobody looked.
std::optional<std::string> fatal_finding(const record::Machine& machine);

/// Why the times of these runs are not judged: "unfit: this run: ..."; absent when they are, also when --allow-noisy of this
/// command says so. That a run was measured with it is the record's word and overrules nothing.
std::optional<std::string> unfit_because(const std::vector<LabelledRun>& runs, const policy::Policy& policy);

/// What the doctor found of one run's machine, as sentences, worst first: fatal findings (saying whether times are judged
/// all the same), warnings, and which rows could not be answered.
std::vector<std::string> machine_sentences(const record::Run& run, const policy::Policy& policy);

/// Says what the doctor found bad, as doubts: fatal findings and warnings, what both runs share once, and what could not be
/// found out in one sentence. Says too when --allow-noisy overrules a fatal finding.
void add_machine_doubts(reports::Report& report, const std::vector<LabelledRun>& runs, const policy::Policy& policy);

/// Makes every verdict on a time inconclusive (of the cases that MATTERS to; all without it), and every claim about one
/// undecided. Call it before conclude().
void distrust_times(reports::Report& report, const std::string& reason, const policy::Policy& policy,
                    const std::function<bool(const std::string& case_name)>& matters = nullptr);

/// The nearest stored run and the current one, as the report calls them.
std::vector<LabelledRun> sides_of(const StoredComparison& comparison);

/// Distrusts all times where a side was unfit (Report::unfit), and those of CUDA cases where the devices differ.
void distrust_unfit_or_other_device(reports::Report& report, const StoredComparison& comparison,
                                    const policy::Policy& policy);

/// Without stored runs of an unfit machine (but for the nearest, which decides what is compared at all), and without pairs
/// that were measured on one: their suspects are unconfirmed.
StoredComparison without_unfit(StoredComparison comparison, const policy::Policy& policy);

}  // namespace torchgate::gate
