// SPDX-License-Identifier: Apache-2.0
#include "reports/model_advice.hpp"

#include "harness/base/counted.hpp"

namespace torchgate::reports {

std::optional<double> ModelAdvice::score() const {
  double followed = 0;
  double applicable = 0;
  for (const AdviceRow& row : rows) {
    followed += row.answer == AdviceAnswer::followed ? 1 : 0;
    applicable += row.answer == AdviceAnswer::not_applicable ? 0 : 1;
  }
  if (applicable == 0) return std::nullopt;
  return followed / applicable;
}

std::string ModelAdvice::gaps() const {
  std::string text = complete ? "" : "incomplete";
  if (cases_without_result > 0)
    text += (text.empty() ? "" : ", ") + base::counted(cases_without_result, "case", "cases") + " without a result";
  return text;
}

const char* to_string(AdviceAnswer answer) {
  switch (answer) {
    case AdviceAnswer::followed:
      return "yes";
    case AdviceAnswer::not_followed:
      return "no";
    case AdviceAnswer::not_applicable:
      return "n/a";
  }
  return "n/a";
}

}  // namespace torchgate::reports
