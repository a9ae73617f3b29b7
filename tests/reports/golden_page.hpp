// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace torchgate::reports {

/// A page without the style and the scripts that it carries, and without their hashes: a golden file is about the report. Other text stays.
inline std::string golden_page(std::string page) {
  for (const auto& [begin, end] :
       {std::pair<std::string, std::string>{"<style>", "</style>"}, {"<script>", "</script>"}, {"'sha256-", "'"}}) {
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + begin.size())) {
      const std::size_t from = at + begin.size();
      const std::size_t to = page.find(end, from);
      if (to != std::string::npos) page.erase(from, to - from);
    }
  }
  return page;
}

}  // namespace torchgate::reports
