// SPDX-License-Identifier: Apache-2.0
// The page of a case in a site: its history on a time axis, with the changes, pins, releases, versions and waivers as text, too.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/json_writer.hpp"
#include "reports/site/site_marks.hpp"
#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// TODAY, "2026-03-01": the day of the newest run of the site, on which waivers hold or not. MARKS are those of HISTORY.
std::string case_page(const Site& site, const SiteHost& host, const History& history, const SiteMarks& marks,
                      std::string_view today);

/// [[ms since 1970, value], ...] of a series, for the scripts of pages.
void write_site_runs(json::JsonWriter& json, const History& history);

}  // namespace torchgate::reports
