// SPDX-License-Identifier: Apache-2.0
// What the pages of a site share: head and foot, links, lines for releases and waivers, a small drawing of a series.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// From the doctype to the opened <main>. The policy allows the site's own files and nothing else.
std::string site_head(std::string_view title);
std::string site_foot(bool with_charts);

/// Runs that a release or a waiver names, by their place in the history, with what stands beside the line. Waivers of this case only.
struct SiteLine {
  std::size_t run = 0;
  std::string text;
  bool waiver = false;
};
std::vector<SiteLine> site_lines(const History& history, const Site& site);

/// One of the small multiples of a suite: points, levels, changes and lines, 320 by 90. Empty with fewer than two runs.
std::string small_multiple(const History& history, const std::vector<SiteLine>& lines);

/// The last level in the metric's unit, or the newest value without one.
double newest_level(const History& history);

}  // namespace torchgate::reports
