// SPDX-License-Identifier: Apache-2.0
#include "baselines/copy_store.hpp"

#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "baselines/store_checks.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// Others would fail, too.
bool ends_copying(const Error& error) {
  return error.code == ErrorCode::io || error.code == ErrorCode::interrupted;
}

class StoreCopy {
 public:
  StoreCopy(const Store& from, Store& to, const CopyOptions& options) : from_(from), to_(to), options_(options) {}

  Result<CopyReport> make() {
    const auto entries = from_.list({});
    if (!entries) return entries.error();
    const auto stored = to_.list({});
    if (!stored) return stored.error();
    for (const Entry& entry : *stored) known_.emplace(entry.id, entry);
    std::size_t done = 0;
    for (const Entry& entry : *entries) {
      if (options_.stop && options_.stop())
        return Error{ErrorCode::interrupted, "copied " + std::to_string(done) + " of " +
                                                 std::to_string(entries->size()) +
                                                 " runs; repeat the command for the others"};
      if (auto copied = note(copy_run(entry)); !copied) return copied.error();
      ++done;
      if (options_.tell) options_.tell(done, entries->size());
    }
    if (auto copied = copy_calibrations(); !copied) return copied.error();
    if (auto copied = copy_pins(); !copied) return copied.error();
    return std::move(report_);
  }

 private:
  /// A failure that concerns one run is noted and is not one of the copy.
  Result<void> note(const Result<void>& copied) {
    if (copied) return {};
    if (ends_copying(copied.error())) return copied;
    report_.not_copied.push_back(copied.error().message);
    return {};
  }

  Result<void> copy_run(const Entry& entry) {
    const auto known = known_.find(entry.id);
    if (known != known_.end() && known->second != entry)
      return Error{ErrorCode::bad_input,
                   "run " + entry.id + ": " + to_.location() +
                       " has another run of that id, or the same in another role; it was not changed"};
    auto run = from_.load(entry.id);
    if (!run) return run.error();
    if (run->samples) {
      auto filled = from_.load_samples(*run);
      if (!filled && filled.error().code != ErrorCode::not_found) return filled;  // pruned ones stay away
    }
    // An object that is missing is missing in the copy, too, and costs no run.
    for (const std::string& sha256 : objects_of(*run)) {
      if (auto copied = note(copy_object(sha256)); !copied) return copied;
    }
    const auto put = to_.put(*run, entry.commit.has_value());
    if (!put) return put.error();
    if (*put == PutOutcome::already_there) {  // put() has compared them
      ++report_.runs_already_there;
      return {};
    }
    if (auto checked = check_copy(*run); !checked) return checked;
    ++report_.runs_added;
    return {};
  }

  Result<void> check_copy(const record::Run& run) const {
    auto copy = to_.load(run.id);
    if (!copy) return copy.error();
    const auto load = [&](record::Run& loaded) { return to_.load_samples(loaded); };
    if (is_same_run(run, std::move(copy).value(), load)) return {};
    return Error{ErrorCode::io, "run " + run.id + ": what " + to_.location() +
                                    " returns differs from what was written; check its disk and repeat the command"};
  }

  static std::set<std::string> objects_of(const record::Run& run) {
    std::set<std::string> hashes;
    for (const auto& object : run.objects)
      if (check_object_hash(object.sha256)) hashes.insert(object.sha256);
    for (const auto& file : run.files)
      if (check_object_hash(file.sha256)) hashes.insert(file.sha256);
    return hashes;
  }

  /// Both sides check the hash: get_object() of what it reads, put_object() of what it stores.
  Result<void> copy_object(const std::string& sha256) {
    if (!seen_.insert(sha256).second) return {};
    const auto there = from_.has_object(sha256);
    if (!there) return there.error();
    if (!*there) return {};
    const auto stored = to_.has_object(sha256);
    if (!stored) return stored.error();
    if (*stored) return {};
    const auto file = options_.scratch / sha256;
    auto copied = from_.get_object(sha256, file);
    if (copied) {
      const auto put = to_.put_object(file, sha256);
      if (!put) copied = Error{put.error()};
      if (put) ++report_.objects_added;
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return copied;
  }

  Result<void> copy_calibrations() {
    const auto hosts = from_.calibrated_hosts();
    if (!hosts) return hosts.error();
    for (const std::string& host : *hosts) {
      if (auto copied = note(copy_calibration(host)); !copied) return copied;
    }
    return {};
  }

  Result<void> copy_calibration(const std::string& host) {
    const auto calibration = from_.calibration(host);
    if (!calibration) return calibration.error();
    const auto stored = to_.calibration(host);
    if (!stored) return stored.error();
    if (!*calibration || (*stored && (*stored)->created >= (*calibration)->created)) return {};
    if (auto put = to_.put_calibration(**calibration); !put) return put;
    ++report_.calibrations_added;
    return {};
  }

  Result<void> copy_pins() {
    const auto pins = from_.pins();
    if (!pins) return pins.error();
    report_.not_copied.insert(report_.not_copied.end(), pins->damaged.begin(), pins->damaged.end());
    for (const Pin& pin : pins->pins) {
      const auto stored = to_.pin(pin.name);
      if (!stored) return stored.error();
      if (*stored && (*stored)->created >= pin.created) continue;
      auto put = to_.put_pin(pin);
      if (put) ++report_.pins_added;
      if (auto noted = note(put); !noted) return noted;
    }
    return {};
  }

  const Store& from_;
  Store& to_;
  const CopyOptions& options_;
  std::map<std::string, Entry> known_;  // of TO, by id
  std::set<std::string> seen_;          // objects
  CopyReport report_;
};

}  // namespace

Result<CopyReport> copy_store(const Store& from, Store& to, const CopyOptions& options) {
  return StoreCopy(from, to, options).make();
}

}  // namespace torchgate::baselines
