// SPDX-License-Identifier: Apache-2.0
// A folder of static pages that shows what a store knows: what changed in the last month, a page per suite, a page per case. Works from
// file:// and needs no network.
#pragma once

#include <string>
#include <vector>

#include "reports/site/site_model.hpp"

namespace torchgate::reports {

struct SitePage {
  std::string file;  ///< in the folder; no folder of its own
  std::string text;
};

/// All pages, index.html first, then the files that they share. The same site gives the same bytes.
std::vector<SitePage> render_site(const Site& site);

}  // namespace torchgate::reports
