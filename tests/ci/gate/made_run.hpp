// SPDX-License-Identifier: Apache-2.0
// Small runs with known truth for the tests of the gate.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::gate::testing {

/// A run of one side with no cases yet, on host "host-a".
record::Run empty_run(const std::string& id);

/// Adds a timed case of group "g/one": one process per median (shared by all cases of the run), three samples each.
void add_case(record::Run& run, const std::string& name, const std::vector<double>& medians_ns);

/// Makes the run a paired one: `before` and `after` become the medians of the pairs, in order.
record::Run paired_run(const std::string& id);
void add_paired_case(record::Run& run, const std::string& name, const std::vector<double>& before,
                     const std::vector<double>& after);

/// Adds an exact value of a case in all its processes.
void add_exact(record::Run& run, const std::string& name, const std::string& metric, double value);

/// A run of "g/one/ref" and "g/one/opt" with these medians, whose group claims the METRIC of the second one to be RATIO of the first.
record::Run with_claim(const std::vector<double>& reference, const std::vector<double>& claimed,
                       record::Relation relation, double ratio, const std::string& metric = "time");

/// Twenty pairs, `slower` times as slow after, a little apart from pair to pair.
void add_slower(record::Run& run, const std::string& name, double slower);

/// Spread of process medians on a quiet machine.
inline constexpr double quiet = 0.002;

/// `n` values within 0.6 % of `centre`; another `step` gives them another order.
std::vector<double> wobble(double centre, int step, int n = 20);

/// Five values around `centre` with a spread of about `share`.
std::vector<double> around(double centre, double share);

/// Whether a sentence has the words.
template <class Sentences>
bool mentions(const Sentences& sentences, const std::string& words) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
}

record::CaseResult& result_of(record::Run& run, std::size_t process, const std::string& name);

}  // namespace torchgate::gate::testing
