// SPDX-License-Identifier: Apache-2.0
// What a run says about the models in it: which practices they follow and which they do not, with the evidence: `torchgate doctor` checks a
// machine, this checks models. Made by ci/advise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::reports {

enum class AdviceAnswer : std::uint8_t {
  followed,        ///< every case that it applies to does it
  not_followed,    ///< at least one case does not
  not_applicable,  ///< nothing was recorded that it could be judged by
};

/// One case that does not follow a practice.
struct AdviceEvidence {
  std::string case_name;
  std::string text;  ///< "copies of strided tensors take 31 % of a call"
  double size = 0;   ///< for the order: the larger, the worse
};

struct AdviceRow {
  std::string id;  ///< "contiguous_inputs"
  std::string
      category;  ///< "memory", "computation", "fusion and model structure", "compilation, data and distribution"
  std::string practice;  ///< "Operators get their inputs without a copy"
  AdviceAnswer answer = AdviceAnswer::not_applicable;
  std::int64_t applicable = 0;           ///< cases that it was judged for
  std::vector<AdviceEvidence> evidence;  ///< of cases that do not follow it, the worst first
  std::optional<double> saves =
      {};                ///< at most this share of saves_of, in the case where it is largest; absent: not known
  std::string saves_of;  ///< "a call"
  std::string missing;   ///< if it does not apply: why, and what to measure
  std::string fix;       ///< an imperative, without a full stop
  std::string shown_by;  ///< the group of this project's suites that shows what it gains
};

struct ModelAdvice {
  std::string run;
  std::string created = {};                ///< of the run
  std::optional<std::string> commit = {};  ///< of the judged side
  bool modified = false;                   ///< its work tree was
  std::int64_t cases = 0;                  ///< with a result
  std::int64_t cases_without_result = 0;   ///< of those that were to be measured
  bool complete = true;                    ///< false: interrupted, or without some of its shards or suites
  std::vector<AdviceRow> rows;

  /// Practices that are followed, of those that apply. Absent if none applies.
  [[nodiscard]] std::optional<double> score() const;
  /// Why the score is not that of all cases: "incomplete, 2 cases without a result". Empty: it is.
  [[nodiscard]] std::string gaps() const;
};

const char* to_string(AdviceAnswer answer);

}  // namespace torchgate::reports
