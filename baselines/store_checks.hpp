// SPDX-License-Identifier: Apache-2.0
// What every kind of store checks alike: what it is given, and whether a run is the stored one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/calibration.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

/// bad_input: not 64 lower-case hexadecimal digits.
base::Result<void> check_object_hash(const std::string& sha256);

/// bad_input: not at least four hexadecimal digits of a run id.
base::Result<void> check_run_prefix(const std::string& id_or_prefix);

/// IDS: of the runs whose id starts with PREFIX. not_found: none; bad_input: several, which the message names.
base::Result<void> check_only_one(const std::string& prefix, const std::vector<std::string>& ids,
                                  const std::string& location);

/// TIME is "YYYY-MM-DDThh:mm:ss.mmmZ" of a day and an hour that exist: a database computes with it.
bool is_utc_time(std::string_view time);

/// The digits of an ISO time, which sort as the times do.
std::string time_digits(const std::string& time);

/// bad_input: its host key or time cannot name it, or problem_of() returns a problem.
base::Result<void> check_calibration(const record::Calibration& calibration);

/// The warning of a calibration from the future; REPAIR removes it.
std::string calibration_ignored(const std::string& where, const std::string& repair);

/// Fills in the raw samples of a stored run.
using LoadSamples = std::function<base::Result<void>(record::Run&)>;

/// RUN has the content of STORED. Samples that were pruned (not_found), or that the caller did not read, contradict nothing. Other errors of
/// LOAD_SAMPLES are returned: nothing is known.
base::Result<bool> is_same_run(const record::Run& run, record::Run stored, const LoadSamples& load_samples);

}  // namespace torchgate::baselines
