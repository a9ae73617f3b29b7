// SPDX-License-Identifier: Apache-2.0
// A folder of static pages that shows what a store knows: what changed in the last month, a page per suite, a page per case. Works from
// file:// and needs no network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// Days before the newest run whose changes are on the first page.
inline constexpr int recent_days = 30;

struct SitePage {
  std::string file;  ///< in the folder; no folder of its own
  std::string text;
};

/// "suite-fusion-1a2b3c4d.html": readable, and unique by its hash, whatever the name is.
std::string site_file(std::string_view kind, std::string_view host_key, std::string_view name);

/// All pages, index.html first, then the files that they share. The same site gives the same bytes.
std::vector<SitePage> render_site(const Site& site);

}  // namespace torchgate::reports
