// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/case_filter.hpp"

#include <regex>

namespace torchgate::bench {

record::Result<std::function<bool(const std::string&)>> case_filter(const std::string& pattern) {
  try {
    std::regex regex(pattern, std::regex::ECMAScript);
    return std::function<bool(const std::string&)>(
        [regex = std::move(regex)](const std::string& name) { return std::regex_search(name, regex); });
  } catch (const std::regex_error& error) {
    return record::Error{record::ErrorCode::bad_input,
                         "--torchgate_filter is no regular expression: " + pattern + " (" + error.what() + ")"};
  }
}

}  // namespace torchgate::bench
