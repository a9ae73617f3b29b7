// SPDX-License-Identifier: Apache-2.0
// What the pages of a site show: hosts with their histories, releases, waivers.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/history.hpp"

namespace torchgate::reports {

struct SiteHost {
  std::string host_key;
  std::size_t runs = 0;
  std::string newest;              ///< time of its newest run, UTC
  std::vector<History> histories;  ///< judged, by case name
};

/// An accepted slow-down.
struct SiteWaiver {
  std::string case_name;
  std::string metric;
  std::string commit;   ///< for which it was accepted; empty: not known
  std::string expires;  ///< "2027-01-31"
  std::string reason;
};

struct Site {
  std::string store;
  std::vector<SiteHost> hosts;
  std::map<std::string, std::string> releases;  ///< tag by commit
  std::vector<SiteWaiver> waivers;
};

}  // namespace torchgate::reports
