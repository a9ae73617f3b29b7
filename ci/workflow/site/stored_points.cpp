// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/stored_points.hpp"

#include <cstdint>
#include <system_error>
#include <utility>

#include "ci/workflow/site/site_cache.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/workspace_folder.hpp"

namespace torchgate::workflow {
namespace {

// A run a day for thirty years with a thousand cases each, about.
constexpr std::int64_t largest_file_bytes = 512LL * 1024 * 1024;

}  // namespace

StoredPoints::StoredPoints(const baselines::Store& store, std::filesystem::path file)
    : store_(store), file_(std::move(file)) {
  auto text = base::read_file(file_, largest_file_bytes, base::Links::refused);
  if (!text) return;
  for (history::RunPoints& run : runs_of_site_cache(*text)) known_.insert_or_assign(run.run_id, std::move(run));
  if (!known_.empty()) text_ = std::move(text).value();
}

base::Result<history::RunPoints> StoredPoints::take(const baselines::Entry& entry) {
  if (auto known = known_.extract(entry.id); !known.empty()) return std::move(known.mapped());
  const auto run = store_.load(entry.id);
  if (!run) return run.error();
  read_.insert(run->id);
  return history::points_of(*run);
}

base::Result<void> StoredPoints::keep(const std::vector<history::RunPoints>& runs) const {
  const bool has_all = !text_.empty() && known_.empty();  // and none that is no longer stored
  if (has_all && read_.empty()) return {};
  std::error_code ignored;
  base::create_folders(file_.parent_path(), ignored);
  if (!has_all) return base::write_file_atomically(file_, site_cache_text(runs), true);
  std::vector<history::RunPoints> added;
  for (const history::RunPoints& run : runs) {
    if (read_.contains(run.run_id)) added.push_back(run);
  }
  return base::write_file_atomically(file_, extended_site_cache(text_, added), true);
}

}  // namespace torchgate::workflow
