// SPDX-License-Identifier: Apache-2.0
#include "baselines/copy_store.hpp"

#include <algorithm>
#include <cstdint>
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

  /// An error of FROM, or of the scratch folder between: one unreadable file costs its run, and not the others, unless nothing more can
  /// be read from it.
  [[nodiscard]] Error of_source(const Error& error) const {
    if (error.code != ErrorCode::io || !from_.list({})) return error;
    return {ErrorCode::bad_input, error.message};
  }

  Result<void> copy_run(const Entry& entry) {
    const auto known = known_.find(entry.id);
    if (known != known_.end() && known->second != entry)
      return Error{ErrorCode::bad_input,
                   "run " + entry.id + ": " + to_.location() +
                       " has another run of that id, or the same in another role; it was not changed"};
    auto run = from_.load(entry.id);
    if (!run) return of_source(run.error());
    if (run->samples) {
      auto filled = from_.load_samples(*run);
      if (!filled && filled.error().code != ErrorCode::not_found)  // pruned ones stay away
        return of_source(filled.error());
    }
    // An object that is missing is missing in the copy, too, and costs no run.
    for (const auto& [sha256, bytes] : objects_of(*run)) {
      if (auto copied = note(copy_object(sha256, bytes)); !copied) return copied;
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
    const auto same = is_same_run(run, std::move(copy).value(), load);
    if (!same) return same.error();
    if (*same) return {};
    return Error{ErrorCode::io, "run " + run.id + ": what " + to_.location() +
                                    " returns differs from what was written; check its disk and repeat the command"};
  }

  /// By hash, with their size; 0 where the record does not say it: files that suites read are small, or not stored.
  static std::map<std::string, std::uintmax_t> objects_of(const record::Run& run) {
    std::map<std::string, std::uintmax_t> sizes;
    for (const auto& object : run.objects)
      if (check_object_hash(object.sha256))
        sizes.emplace(object.sha256, static_cast<std::uintmax_t>(std::max<std::int64_t>(object.bytes, 0)));
    for (const auto& file : run.files)
      if (check_object_hash(file.sha256)) sizes.emplace(file.sha256, 0);
    return sizes;
  }

  /// Both sides check the hash: get_object() of what it reads, put_object() of what it stores.
  Result<void> copy_object(const std::string& sha256, std::uintmax_t bytes) {
    if (!seen_.insert(sha256).second) return {};
    const auto there = from_.has_object(sha256);
    if (!there) return of_source(there.error());
    if (!*there) return {};
    const auto stored = to_.has_object(sha256);
    if (!stored) return stored.error();
    if (*stored) return {};
    if (auto may = to_.may_put_object(bytes); !may) return may.error().within("object " + sha256);
    const auto file = options_.scratch / sha256;
    const auto copied = put_from(sha256, file);
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return copied;
  }

  Result<void> put_from(const std::string& sha256, const std::filesystem::path& file) {
    if (auto got = from_.get_object(sha256, file); !got) return of_source(got.error());
    if (auto put = to_.put_object(file, sha256); !put) return put.error();
    ++report_.objects_added;
    return {};
  }

  Result<void> copy_calibrations() {
    const auto hosts = from_.calibrated_hosts();
    if (!hosts) return note(of_source(hosts.error()));
    for (const std::string& host : *hosts) {
      if (auto copied = note(copy_calibration(host)); !copied) return copied;
    }
    return {};
  }

  Result<void> copy_calibration(const std::string& host) {
    const auto calibration = from_.calibration(host);
    if (!calibration) return of_source(calibration.error());
    const auto stored = to_.calibration(host);
    if (!stored) return stored.error();
    if (!calibration->warning.empty()) report_.not_copied.push_back(calibration->warning);
    const auto& newest = calibration->calibration;
    if (!newest || (stored->calibration && stored->calibration->created >= newest->created)) return {};
    if (auto put = to_.put_calibration(*newest); !put) return put;
    ++report_.calibrations_added;
    return {};
  }

  Result<void> copy_pins() {
    const auto pins = from_.pins();
    if (!pins) return note(of_source(pins.error()));
    const auto there = to_.pins();
    if (!there) return there.error();
    std::map<std::string, std::string> removed;  // in TO: when, by name
    for (const Pin& pin : there->removed) removed.emplace(pin.name, pin.created);
    report_.not_copied.insert(report_.not_copied.end(), pins->damaged.begin(), pins->damaged.end());
    for (const Pin& pin : pins->pins) {
      const auto later = removed.find(pin.name);
      if (later != removed.end() && later->second >= pin.created) continue;
      if (auto copied = note(copy_pin(pin)); !copied) return copied;
    }
    return {};
  }

  Result<void> copy_pin(const Pin& pin) {
    const auto stored = to_.pin(pin.name);
    if (!stored) return stored.error();
    if (*stored && (*stored)->created >= pin.created) return {};
    if (auto put = to_.put_pin(pin); !put) return put;
    ++report_.pins_added;
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
