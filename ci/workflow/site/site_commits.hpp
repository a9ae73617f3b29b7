// SPDX-License-Identifier: Apache-2.0
// What the clone here knows of the commits that a site names: who made them, what lies between two runs, which tags there are, and where they
// can be read in a browser.
#pragma once

#include "ci/git/repository.hpp"
#include "reports/site/site_model.hpp"

namespace torchgate::workflow {

/// Fills releases, commits, ranges and addresses of SITE, and of its waivers the first days and the changes that `/perf accept` accepted; its
/// hosts, pins and waivers are given. What REPOSITORY does not know is left out: a store can be looked at anywhere.
void add_commits(reports::Site& site, const git::Repository& repository);

}  // namespace torchgate::workflow
