// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/store_site.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "baselines/store_files.hpp"
#include "ci/git/repository.hpp"
#include "ci/history/points.hpp"
#include "ci/policy/waivers.hpp"
#include "ci/workflow/site/commit_order.hpp"
#include "ci/workflow/site/site_commits.hpp"
#include "ci/workflow/site/stored_points.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/creation_time.hpp"
#include "reports/site/site.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::int64_t largest_page_bytes = 64LL * 1024 * 1024;

/// An empty folder, or one that has the mark of a site.
Result<void> check_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    fs::create_directories(folder, error);
    if (error) return Error{ErrorCode::io, fmt::format("{}: cannot be created: {}", folder.string(), error.message())};
    return {};
  }
  if (!fs::is_directory(status))
    return Error{ErrorCode::bad_input, fmt::format("{}: not a folder; name a new one for the site", folder.string())};
  const bool ours = fs::exists(folder / site_cache_file, error);
  if (!ours && !fs::is_empty(folder, error)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: not a site of torchgate, and not empty; name a new folder", folder.string())};
  }
  return {};
}

/// Returns false and keeps the file if it has this text already. Does not wait for the disk: a page cut off by a crash differs, and is written again.
Result<bool> write_page(const fs::path& folder, const reports::SitePage& page) {
  const fs::path file = folder / page.file;
  if (const auto known = base::read_file(file, largest_page_bytes, base::Links::refused); known && *known == page.text)
    return false;
  const fs::path temporary = folder / fmt::format(".{}.{}", page.file, ::getpid());
  const auto give_up = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return Error{ErrorCode::io, fmt::format("{}: cannot be written: {}", file.string(), why)};
  };
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(page.text.data(), static_cast<std::streamsize>(page.text.size()));
  stream.close();
  if (!stream) return give_up("no space left, or not allowed; check the folder");
  std::error_code error;
  fs::rename(temporary, file, error);
  if (error) return give_up(error.message());
  return true;
}

bool is_page_of_case(const std::string& name) {
  return (name.starts_with("case-") || name.starts_with("suite-")) && name.ends_with(".html");
}

std::size_t remove_others(const fs::path& folder, const std::set<std::string>& files) {
  std::size_t removed = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (is_page_of_case(name) && !files.contains(name) && fs::remove(entry.path(), error)) ++removed;
  }
  return removed;
}

/// All runs of the store that are a commit's baseline, oldest first; those that the cache knows are not read.
Result<std::vector<history::RunPoints>> read_runs(const baselines::Store& store, const std::optional<std::string>& host,
                                                  StoredPoints& points, SiteUpdate& update) {
  const auto entries = store.list({});
  if (!entries) return entries.error();
  std::vector<history::RunPoints> runs;
  std::size_t unreadable = 0;
  std::string first_problem;
  for (const baselines::Entry& entry : *entries) {
    if (!entry.commit || (host && entry.host_key != *host) || base::is_from_the_future(entry.created)) continue;
    auto run = points.take(entry);
    if (run) {
      runs.push_back(std::move(run).value());
    } else if (++unreadable == 1) {
      first_problem = run.error().message;
    }
  }
  update.runs_read = points.runs_read();
  if (unreadable > 0)
    update.unreadable = fmt::format("{} left out: {}", base::counted(unreadable, "run is", "runs are"), first_problem);
  update.runs = runs.size();
  return runs;
}

void add_waiver(reports::Site& site, const policy::Waiver& waiver) {
  site.waivers.push_back({waiver.case_name, waiver.metric, waiver.commit.value_or(""), "",
                          policy::date_text(waiver.expires),
                          waiver.missing ? std::nullopt : std::optional(waiver.ceiling), waiver.reason});
}

/// Those of `/perf accept`, which only a folder has. A damaged file costs its waivers and no page.
void add_waivers_of_commits(reports::Site& site) {
  const auto files = baselines::shared_files(site.store);
  if (!files) return;
  for (const baselines::StoreFile& file : *files) {
    if (file.kind != baselines::FileKind::waivers) continue;
    const auto text =
        base::read_file(fs::path(site.store) / file.path, baselines::waivers_limit_bytes, base::Links::refused);
    const auto waivers = text ? policy::parse_waivers(*text, file.path) : text.error();
    if (!waivers) continue;
    for (const policy::Waiver& waiver : *waivers) {
      add_waiver(site, waiver);
      // Not the file's word for it: the gate finds the file by this name.
      site.waivers.back().commit = fs::path(file.path).parent_path().filename();
      site.waivers.back().one_commit = true;
    }
  }
}

/// A damaged record of a pin costs the mark of that pin and no page.
Result<reports::Site> site_of(const std::vector<history::RunPoints>& runs, const baselines::Store& store,
                              const policy::Policy& policy) {
  reports::Site site;
  site.store = store.location();
  std::map<std::string, std::vector<const history::RunPoints*>> of_host;
  for (const history::RunPoints& run : runs) of_host[run.host_key].push_back(&run);
  history::SeriesOptions options;
  options.store = site.store;
  options.smallest_change = policy.margin;
  const auto repository = git::Repository::open(".");
  for (const auto& [host, points] : of_host)
    site.hosts.push_back({host, points.size(), points.back()->created,
                          history::histories_of(repository ? in_commit_order(points, *repository) : points, options)});
  for (const policy::Waiver& waiver : policy.waivers) add_waiver(site, waiver);
  add_waivers_of_commits(site);
  const auto pins = store.pins();
  if (!pins) return pins.error();
  for (const baselines::Pin& pin : pins->pins) site.pins.emplace(pin.commit, pin.name);
  if (repository) add_commits(site, *repository);
  return site;
}

}  // namespace

Result<SiteUpdate> update_site(const baselines::Store& store, const policy::Policy& policy,
                               const std::optional<std::string>& host, const fs::path& folder) {
  if (auto usable = check_folder(folder); !usable) return usable.error();
  SiteUpdate update;
  StoredPoints points(store, folder / site_cache_file);
  const auto runs = read_runs(store, host, points, update);
  if (!runs) return runs.error();
  if (runs->empty() && !update.unreadable.empty())
    return Error{ErrorCode::no_verdict, fmt::format("{}: no usable baseline of a commit{}: {}", store.location(),
                                                    host ? " of " + *host : "", update.unreadable)};
  if (runs->empty()) {
    return Error{ErrorCode::no_verdict,
                 fmt::format("{}: no baseline of a commit{}; add one with `torchgate baseline add`", store.location(),
                             host ? " of " + *host : "")};
  }
  // The mark first: a folder with pages and without it would be refused the next time.
  if (auto kept = points.keep(*runs); !kept) return kept.error();
  const auto site = site_of(*runs, store, policy);
  if (!site) return site.error();
  const std::vector<reports::SitePage> pages = reports::render_site(*site);
  std::set<std::string> files;
  for (const reports::SitePage& page : pages) {
    const auto written = write_page(folder, page);
    if (!written) return written.error();
    if (*written) ++update.written;
    files.insert(page.file);
  }
  update.pages = pages.size();
  update.removed = remove_others(folder, files);
  return update;
}

}  // namespace torchgate::workflow
