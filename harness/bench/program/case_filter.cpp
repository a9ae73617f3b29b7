// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/case_filter.hpp"

#include <utility>

#include "harness/base/pattern.hpp"

namespace torchgate::bench {

base::Result<std::function<bool(const std::string&)>> case_filter(const std::string& pattern) {
  auto compiled = base::Pattern::compile(pattern);  // of any length: torchgate sends lists of names
  if (!compiled) return compiled.error().within("--torchgate_filter");
  return std::function<bool(const std::string&)>(
      [compiled = std::move(compiled).value()](const std::string& name) { return compiled.found_in(name); });
}

}  // namespace torchgate::bench
