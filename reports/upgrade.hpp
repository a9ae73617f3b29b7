// SPDX-License-Identifier: Apache-2.0
// What another LibTorch does to the same code (`--vary libtorch`): the part of a report that groups its cases by suite and by operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/difference.hpp"

namespace torchgate::reports {

/// Cases counted by what their time or rate came to: those of a suite, of a version. A case is in one of the first five counts.
struct CaseGroup {
  std::string name;  ///< of the suite; empty: all cases
  std::int64_t slower = 0;
  std::int64_t faster = 0;
  std::int64_t equal = 0;  ///< equivalent, the same content, or moved without a change of code
  std::int64_t undecided = 0;
  std::int64_t not_compared = 0;  ///< failed, wrong, or on one side alone
  /// Geometric mean of after / before of the cases that were compared, undecided ones too, minus 1; rates are inverted: positive is slower.
  std::optional<double> mean_change;
  std::int64_t counts_changed = 0;   ///< cases of which an exact metric differs; not known here: 0
  std::int64_t outputs_changed = 0;  ///< cases whose output differs (Upgrade::outputs); not known here: 0

  [[nodiscard]] std::int64_t compared() const { return slower + faster + equal + undecided; }
};

/// An operator in the profiles of the cases that call it.
struct UpgradeOperator {
  std::string name;
  std::int64_t cases = 0;        ///< that call it on at least one side
  std::int64_t slower = 0;       ///< cases in which its self time is larger by more than the processes differ (p < 1 %)
  std::int64_t faster = 0;       ///< the same, smaller
  std::int64_t other_calls = 0;  ///< cases that call it another number of times, or on other inputs
  double calls_before = 0;       ///< over all cases, per call of each
  double calls_after = 0;
  /// Geometric mean of its self time after / before over the cases that call it on both sides, minus 1.
  std::optional<double> mean_change;

  [[nodiscard]] bool changed() const { return slower > 0 || faster > 0 || other_calls > 0; }
};

/// How far the output of a case is from that of its reference in the same build; the reference itself has none.
struct UpgradeDeviation {
  double max_abs = 0;
  double relative_l2 = 0;
};

/// A case whose output changed as far as a record shows it: its deviation from its reference differs, or it is wrong on one side.
struct UpgradeOutput {
  std::string case_name;
  std::string against;                     ///< name of the reference case; empty: not checked
  std::optional<UpgradeDeviation> before;  ///< absent: not checked, wrong or failed
  std::optional<UpgradeDeviation> after;
  bool wrong_before = false;  ///< outside of its tolerance
  bool wrong_after = false;
};

struct Upgrade {
  std::optional<std::string> before;  ///< version of LibTorch; absent: not recorded, or the same on both sides
  std::optional<std::string> after;
  std::vector<Difference> build;           ///< of the two LibTorch builds, key by key
  CaseGroup all;                           ///< without a name
  std::vector<CaseGroup> suites;           ///< by name
  std::int64_t profiled = 0;               ///< cases with operator profiles on both sides
  std::vector<UpgradeOperator> operators;  ///< that changed, those of most cases first
  std::int64_t operators_unchanged = 0;
  std::int64_t checked = 0;  ///< cases whose output was compared with their reference on both sides
  std::int64_t not_repeatable =
      0;  ///< of them: the deviation differs between processes of one side, so nothing follows from it
  std::vector<UpgradeOutput> outputs;  ///< that changed; wrong ones first, then by name
};

}  // namespace torchgate::reports
