// SPDX-License-Identifier: Apache-2.0
// Whether a machine was fit to be measured on, by what the doctor found (Machine::checks_*), and what follows for verdicts.
// Counters, failures, wrong outputs and missing cases need no quiet machine: they are judged anyway.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/machine_doubts.hpp"  // IWYU pragma: export
#include "ci/gate/judge.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Why the times of these runs are not judged: "unfit: this run: ..."; absent when they are, also when --allow-noisy of this
/// command says so. That a run was measured with it is the record's word and overrules nothing.
std::optional<facts::Fact> unfit_because(const std::vector<LabelledRun>& runs, const policy::Gate& policy);

/// The guard against times that mean nothing: makes every verdict on one inconclusive, for that reason.
void distrust_times(std::vector<Judged>& cases, const facts::Fact& reason);

/// The same where only some cases mean nothing, because their samples are too short for the clock, in most processes of a side: their times and
/// the CLAIMS about them, with a doubt. BEFORE and AFTER: of the cases that have no evidence of their own.
void distrust_short_samples(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims,
                            const SideEvidence& before, const SideEvidence& after, const policy::Gate& policy,
                            Remarks& remarks);

/// The same for claims about times: they become undecided.
void distrust_claims(std::vector<reports::ClaimFinding>& claims, const facts::Fact& reason);

/// The nearest stored run and the current one, as the report calls them.
std::vector<LabelledRun> sides_of(const Comparison& comparison);

/// unfit_because() of both sides; absent, too, where nothing was measured.
std::optional<facts::Fact> unfit_because(const Comparison& comparison, const policy::Gate& policy);

/// Without stored runs of another host, by their facts (refuse_comparison), whatever their host keys are: their numbers are never compared. But for
/// the nearest, for which there is no comparison at all.
Comparison without_other_hosts(Comparison comparison);

/// Without stored runs of an unfit machine (but for the nearest, which decides what is compared at all), and without pairs
/// that were measured on one: their suspects are unconfirmed.
Comparison without_unfit(Comparison comparison, const policy::Gate& policy);

}  // namespace torchgate::gate
