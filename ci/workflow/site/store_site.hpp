// SPDX-License-Identifier: Apache-2.0
// Writes the static site of a store, and brings it up to date: what was read of a run is kept in the folder, so that one more run costs
// one more file to read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "baselines/store.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// In the folder of a site: its mark, and the numbers of each run.
inline constexpr const char* site_cache_file = ".torchgate-site.jsonl";

struct SiteUpdate {
  std::size_t pages = 0;    ///< of the site
  std::size_t written = 0;  ///< of these, the ones that are new or differ
  std::size_t removed = 0;  ///< pages of cases that the store no longer has
  std::size_t runs = 0;
  std::size_t runs_read = 0;  ///< of these, the ones that the folder did not know
  std::string unreadable;     ///< a sentence on runs that are left out; empty: none
};

/// HOST: only its runs. bad_input: FOLDER has other files in it, or is not a folder; io: it cannot be written. Pages are replaced one by
/// one and whole. A damaged cache is rebuilt.
base::Result<SiteUpdate> update_site(const baselines::Store& store, const policy::Policy& policy,
                                     const std::optional<std::string>& host, const std::filesystem::path& folder);

}  // namespace torchgate::workflow
