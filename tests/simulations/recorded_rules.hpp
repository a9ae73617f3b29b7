// SPDX-License-Identifier: Apache-2.0
// The calls of the rules on recorded timings: counts by rule and variant.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulations/bars.hpp"
#include "tests/simulations/recordings.hpp"

namespace torchgate::simulations {

struct Count {
  double alarms = 0.0;  ///< a share of one where a suspect was confirmed in some of the sequences only
  std::size_t tests = 0;
};

/// Rules in the order they were first counted, so that a table keeps it.
class CountTable {
 public:
  void add(const std::string& rule, const std::string& column, double alarms);
  [[nodiscard]] const std::vector<std::string>& rules() const { return rules_; }
  [[nodiscard]] Count at(const std::string& rule, const std::string& column) const;

 private:
  std::vector<std::string> rules_;
  std::map<std::pair<std::string, std::string>, Count> counts_;
};

/// A new session against the sessions before it, for the sessions of this folder.
CountTable judge_sessions(const Recordings& recordings, std::size_t folder);
/// Unconfirmed suspects, with changes multiplied into the same binary's timings.
CountTable judge_unconfirmed(const Recordings& recordings, std::size_t folder);
/// The gate with its pairs of suspects, and with those of open cases too: the screen of a session, then recorded sequences,
/// each as if it were the session's own and up to its last pair.
CountTable judge_gate(const Recordings& recordings, std::size_t folder);
/// 99 % intervals of the screen that do not contain the change of unchanged code, 0.
CountTable missed_intervals(const Recordings& recordings, std::size_t folder);
/// Interleaved sequences of this folder.
CountTable judge_sequences(const Recordings& recordings, std::size_t folder);

/// The bars of bars.hpp for recordings.
std::vector<BarResult> bars_of(const CountTable& sessions, const CountTable& gate, const CountTable& sequences);

}  // namespace torchgate::simulations
