// SPDX-License-Identifier: Apache-2.0
// What the pages of a site share: head and foot, links, a small drawing of a series.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/format.hpp"
#include "reports/site/recent_changes.hpp"
#include "reports/site/site_marks.hpp"
#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// From the doctype to the opened <main>. The policy allows the site's own files and nothing else.
std::string site_head(std::string_view title);
std::string site_foot(bool with_charts);

/// "suite-fusion-1a2b3c4d.html": readable, and unique by its hash, whatever the name is.
std::string site_file(std::string_view kind, std::string_view host_key, std::string_view name);

/// The name of the case as a link to its page.
std::string case_link(const SiteHost& host, const History& history);

/// The suite of a case: the first part of its name.
std::string_view suite_of(std::string_view case_name);

/// The page of COMMIT, and that of what lies between two commits. Empty: the address of the repository is not known, or no full hash; of two,
/// also where the second is known not to be after the first.
std::string commit_page(const std::optional<std::string>& commit, const Site& site);
std::string compare_page(const std::optional<std::string>& before, const std::optional<std::string>& after,
                         const Site& site);

/// The abbreviated hash, as a link where there is a page.
std::string commit_link(const std::optional<std::string>& commit, const Site& site);

/// "SUBJECT, AUTHOR, DAY" in HTML; empty: the commit is not known here.
std::string commit_facts_html(const std::optional<std::string>& commit, const Site& site);

/// "+20.7 % [+19.1 %, +22.3 %]" in HTML.
std::string change_html(const HistoryChange& change, const Format& format);

/// What the intervals of changes are: once on each page with one.
inline constexpr std::string_view interval_note =
    "99 % intervals, nominal: the change was found in the same runs, so small changes look larger than they are.";

/// Whether a change still holds, in HTML with the class of its colour: "still slower on 2026-03-04, also in pin v1.2".
std::string change_now_html(const ChangeNow& now, const HistoryChange& change, const Format& format);

/// One of the small multiples of a suite: points, levels, changes, marks and waivers, 320 by 90. Empty with fewer than two runs.
std::string small_multiple(const History& history, const SiteMarks& marks);

}  // namespace torchgate::reports
