// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/postgresql_store.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include "baselines/entry_name.hpp"
#include "baselines/place_file.hpp"
#include "baselines/postgresql/database.hpp"
#include "baselines/postgresql/records.hpp"
#include "baselines/postgresql/run_values.hpp"
#include "baselines/postgresql/stored_bytes.hpp"
#include "baselines/postgresql/versions.hpp"
#include "baselines/safe_name.hpp"
#include "baselines/store_checks.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;
using postgresql::bytes;
using postgresql::BytesTable;
using postgresql::Database;
using postgresql::Session;
using postgresql::text;

// Larger objects are LibTorch and CUDA, which every machine has installed: in the database they take 0.05 s per MB and its backup, in a
// folder nothing (README.md).
constexpr std::uintmax_t largest_object_in_database = link_from_bytes;
constexpr auto samples_limit = static_cast<std::size_t>(record::max_samples_bytes);

Entry entry_in(const postgresql::Rows& rows, int row) {
  return {std::string(rows.at(row, 0)), std::string(rows.at(row, 1)), std::string(rows.at(row, 2)),
          rows.optional_at(row, 3)};
}

class PostgresqlStore final : public Store {
 public:
  explicit PostgresqlStore(Database database) : database_(std::move(database)) {}

  [[nodiscard]] std::string location() const override { return database_.url().shown; }

  Result<PutOutcome> put(const record::Run& run, bool of_commit) override {
    const auto entry = entry_of(run, of_commit);
    if (!entry) return entry.error();
    record::Run written = run;
    const auto content = record::bytes_of_run(written, "run " + run.id);
    if (!content) return content.error();
    bool inserted_before = false;  // by this call; whether it was committed is known only now
    return database_.transact([&](Session& session) -> Result<PutOutcome> {
      const auto inserted = insert_run(session, written, *entry, content->record);
      if (!inserted) return inserted.error();
      if (!*inserted) {
        const auto outcome = compare_with_stored(session, run, *entry);
        return outcome && inserted_before ? Result<PutOutcome>(PutOutcome::added) : outcome;
      }
      inserted_before = true;
      if (!content->samples.empty()) {
        const auto samples = insert_bytes(session, BytesTable::samples, written.samples->sha256, content->samples);
        if (!samples) return samples.error();
      }
      if (auto values = insert_values(session, written); !values) return values.error();
      return PutOutcome::added;
    });
  }

  [[nodiscard]] Result<std::vector<Entry>> list(const ListFilter& filter) const override {
    return database_.transact([&](Session& session) -> Result<std::vector<Entry>> {
      const auto rows = session.query(
          "SELECT id, host_key, created, commit_digits FROM torchgate_run WHERE $1::text IS NULL OR host_key = $1"
          " ORDER BY created, id",
          {text(filter.host_key)});
      if (!rows) return rows.error();
      std::vector<Entry> entries;
      entries.reserve(static_cast<std::size_t>(rows->size()));
      for (int row = 0; row < rows->size(); ++row) entries.push_back(entry_in(*rows, row));
      return entries;
    });
  }

  [[nodiscard]] Result<record::Run> load(const std::string& id_or_prefix) const override {
    return database_.transact([&](Session& session) -> Result<record::Run> {
      const auto entry = find_one(session, id_or_prefix);
      if (!entry) return entry.error();
      return load_stored(session, entry->id);
    });
  }

  Result<void> load_samples(record::Run& run) const override {
    return database_.transact([&](Session& session) -> Result<void> {
      const auto entry = find_one(session, run.id);
      if (!entry) return entry.error();
      return fill(session, run);
    });
  }

  Result<PutOutcome> put_object(const fs::path& file, const std::string& sha256) override {
    const auto stored = is_stored(sha256);
    if (!stored) return stored.error();
    if (*stored) return PutOutcome::already_there;
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    if (failed) return Error{ErrorCode::not_found, "cannot read " + file.string() + ": " + failed.message()};
    if (auto may = may_put_object(size); !may) return may.error().within(file.string());
    if (size > largest_object_in_database) return put_large_object(file, sha256);
    const auto content = base::read_file(file, static_cast<std::int64_t>(largest_object_in_database));
    if (!content) return content.error();
    if (const std::string hash = base::sha256(*content); hash != sha256)
      return Error{ErrorCode::bad_input, file.string() + " changed: its SHA-256 is " + hash + ", expected " + sha256};
    return database_.transact([&](Session& session) -> Result<PutOutcome> {
      const auto added = insert_bytes(session, BytesTable::objects, sha256, *content);
      if (!added) return added.error();
      return *added ? PutOutcome::added : PutOutcome::already_there;
    });
  }

  Result<void> get_object(const std::string& sha256, const fs::path& to) const override {
    if (auto checked = check_object_hash(sha256); !checked) return checked;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(to, ignored)))
      return Error{ErrorCode::bad_input, to.string() + ": already exists; choose a new file"};
    if (is_in_folder(sha256)) return place_file(large_object(sha256), to, sha256, CopyMode::executable);
    const auto content = database_.transact([&](Session& session) -> Result<std::string> {
      return read_bytes(session, BytesTable::objects, sha256, largest_object_in_database);
    });
    if (!content) {
      if (auto there = check_folder(); !there && content.error().code == ErrorCode::not_found) return there;
      return content.error().within(location() + ": object");
    }
    if (base::sha256(*content) != sha256)
      return Error{ErrorCode::bad_input, location() + ": object " + sha256 +
                                             ": damaged: its bytes have another hash; delete its rows of "
                                             "torchgate_object and add a run of that commit again"};
    if (auto made = make_folders(to.parent_path()); !made) return made;
    if (auto written = base::write_file_atomically(to, *content, false); !written) return written;
    constexpr auto for_all = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read |
                             fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    std::error_code failed;
    fs::permissions(to, for_all, failed);
    if (!failed) return {};
    fs::remove(to, ignored);
    return Error{ErrorCode::io, "cannot set the permissions of " + to.string() + ": " + failed.message()};
  }

  [[nodiscard]] Result<bool> has_object(const std::string& sha256) const override {
    auto stored = is_stored(sha256);
    if (!stored || *stored) return stored;
    if (auto there = check_folder(); !there) return there.error();
    return false;
  }

  [[nodiscard]] Result<void> may_put_object(std::uintmax_t size) const override {
    if (size <= largest_object_in_database) return {};
    if (database_.url().objects) return check_folder();
    return Error{
        ErrorCode::bad_input,
        "not kept: larger than 32 MiB; a machine that has this file runs the stored suites with it, for others "
        "name a folder in the URL of the store (?" +
            std::string(postgresql::objects_parameter) + "=/FOLDER)"};
  }

  Result<void> put_calibration(const record::Calibration& calibration) override {
    if (auto checked = check_calibration(calibration); !checked) return checked;
    bool inserted = false;  // by this call; whether it was committed is known only now
    return database_.transact([&](Session& session) { return insert_calibration(session, calibration, inserted); });
  }

  [[nodiscard]] Result<NewestCalibration> calibration(const std::string& host_key) const override {
    if (!is_safe_folder_name(host_key)) return NewestCalibration();
    return database_.transact([&](Session& session) { return newest_calibration(session, host_key); });
  }

  [[nodiscard]] Result<std::vector<std::string>> calibrated_hosts() const override {
    return database_.transact([&](Session& session) { return hosts_with_calibration(session); });
  }

  Result<void> put_pin(const Pin& pin) override {
    Pin written = pin;
    return write_pin(written, std::nullopt);
  }

  Result<Pin> add_pin(const Pin& pin, PinBefore before) override {
    Pin written = pin;
    if (auto added = write_pin(written, before); !added) return added.error();
    return written;
  }

  [[nodiscard]] Result<std::optional<Pin>> pin(const std::string& name) const override {
    if (!is_safe_folder_name(name)) return std::optional<Pin>();
    return database_.transact([&](Session& session) { return newest_pin(session, name); });
  }

  [[nodiscard]] Result<PinList> pins() const override {
    return database_.transact([&](Session& session) { return newest_pins(session); });
  }

 private:
  Result<void> write_pin(Pin& pin, std::optional<PinBefore> before) {
    bool inserted = false;
    return database_.transact([&](Session& session) -> Result<void> {
      for (const std::string& id : pin.runs) {
        const auto entry = find_one(session, id);
        if (!entry) return entry.error();
        if (auto stored = check_pinned_run(pin, id, entry->commit); !stored) return stored;
      }
      return insert_pin(session, pin, before, inserted);
    });
  }

  /// False: a run of that id is stored.
  static Result<bool> insert_run(Session& session, const record::Run& run, const Entry& entry,
                                 const std::string& record) {
    const std::string hash = base::sha256(record);
    const std::string cases = std::to_string(run.cases.size());
    const auto samples = run.samples ? std::optional(run.samples->sha256) : std::nullopt;
    const auto rows = session.query(
        "INSERT INTO torchgate_run (id, host_key, created, commit_digits, tool_version, cases, record, record_sha256,"
        " samples_sha256) VALUES ($1, $2, $3, $4, $5, $6::integer, $7, $8, $9) ON CONFLICT (id) DO NOTHING",
        {text(entry.id), text(entry.host_key), text(entry.created), text(entry.commit), text(run.tool_version),
         text(cases), bytes(record), text(hash), text(samples)});
    if (!rows) return rows.error();
    return rows->affected() == 1;
  }

  Result<PutOutcome> compare_with_stored(Session& session, const record::Run& run, const Entry& entry) const {
    const auto found = find_one(session, run.id);
    if (!found) return found.error();
    const Error clash{ErrorCode::bad_input,
                      "run " + run.id + " is already in the store " + location() +
                          ", with different content or a different role; stored runs never change"};
    if (entry != *found) return clash;
    auto stored = load_stored(session, run.id);
    if (!stored) return stored.error();
    const auto load = [&](record::Run& loaded) { return fill(session, loaded); };
    const auto same = is_same_run(run, std::move(stored).value(), load);
    if (!same) return same.error();
    return *same ? Result<PutOutcome>(PutOutcome::already_there) : Result<PutOutcome>(clash);
  }

  Result<Entry> find_one(Session& session, const std::string& id_or_prefix) const {
    if (auto checked = check_run_prefix(id_or_prefix); !checked) return checked.error();
    const std::string beyond = id_or_prefix + "g";  // after every hexadecimal digit
    const auto rows = session.query(
        "SELECT id, host_key, created, commit_digits FROM torchgate_run WHERE id >= $1 AND id < $2 ORDER BY created, "
        "id",
        {text(id_or_prefix), text(beyond)});
    if (!rows) return rows.error();
    std::vector<std::string> ids;
    ids.reserve(static_cast<std::size_t>(rows->size()));
    for (int row = 0; row < rows->size(); ++row) ids.emplace_back(rows->at(row, 0));
    if (auto checked = check_only_one(id_or_prefix, ids, location()); !checked) return checked.error();
    return entry_in(*rows, 0);
  }

  Result<record::Run> load_stored(Session& session, const std::string& id) const {
    const auto rows = session.query("SELECT record, record_sha256 FROM torchgate_run WHERE id = $1", {text(id)});
    if (!rows) return rows.error();
    const std::string where = location() + ": run " + id;
    const std::string restore = "; restore the database from its backup";
    if (rows->size() != 1) return Error{ErrorCode::not_found, where + ": not stored"};
    if (base::sha256(rows->at(0, 0)) != rows->at(0, 1))
      return Error{ErrorCode::bad_input, where + ": damaged: its record has another hash" + restore};
    auto run = record::run_from_json(rows->at(0, 0), where);
    if (run && run->id != id)
      return Error{ErrorCode::bad_input, where + ": damaged: it contains run '" + run->id + "'" + restore};
    return run;
  }

  Result<void> fill(Session& session, record::Run& run) const {
    const std::string where = location() + ": samples of run " + run.id;
    if (!run.samples) return Error{ErrorCode::not_found, where + ": this run was stored without raw samples"};
    const auto content = read_bytes(session, BytesTable::samples, run.samples->sha256, samples_limit);
    if (!content && content.error().code == ErrorCode::not_found)
      return Error{ErrorCode::not_found, where + ": missing, possibly pruned"};
    if (!content) return content.error();
    return record::fill_samples(run, *content, where);
  }

  [[nodiscard]] fs::path large_object(const std::string& sha256) const {
    return *database_.url().objects / sha256.substr(0, 2) / sha256;
  }

  [[nodiscard]] bool is_in_folder(const std::string& sha256) const {
    std::error_code absent;
    return database_.url().objects && fs::is_regular_file(fs::symlink_status(large_object(sha256), absent));
  }

  /// io: the folder of large objects is named, and not there. It is never made: a share that is not mounted would be filled beside.
  [[nodiscard]] Result<void> check_folder() const {
    std::error_code absent;
    if (!database_.url().objects || fs::is_directory(*database_.url().objects, absent)) return {};
    return Error{ErrorCode::io, database_.url().objects->string() + ": the folder of " +
                                    std::string(postgresql::objects_parameter) + " is not there; mount it or make it"};
  }

  [[nodiscard]] Result<bool> is_stored(const std::string& sha256) const {
    if (auto checked = check_object_hash(sha256); !checked) return checked.error();
    if (is_in_folder(sha256)) return true;
    return database_.transact([&](Session& session) { return has_bytes(session, BytesTable::objects, sha256); });
  }

  Result<PutOutcome> put_large_object(const fs::path& file, const std::string& sha256) {
    const auto placed = place_file(file, large_object(sha256), sha256, CopyMode::as_it_was);
    return placed ? Result<PutOutcome>(PutOutcome::added) : Result<PutOutcome>(placed.error());
  }

  mutable Database database_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgresql_store(const std::string& location, OpenMode mode,
                                                     std::chrono::milliseconds patience) {
  auto url = postgresql::parse_database_url(location);
  if (!url) return url.error();
  Database database(std::move(url).value(), patience);
  const auto version = database.transact([](Session& session) { return postgresql::version_of(session); });
  if (!version) return version.error();
  if (*version == 0 && mode == OpenMode::create) {
    if (const auto made = postgresql::migrate(database); !made) return made.error();
  } else if (auto checked = postgresql::check_version(*version, database.url().shown); !checked) {
    return checked.error();
  }
  return std::unique_ptr<Store>(std::make_unique<PostgresqlStore>(std::move(database)));
}

Result<std::string> migrate_postgresql_store(const std::string& location) {
  auto url = postgresql::parse_database_url(location);
  if (!url) return url.error();
  Database database(std::move(url).value(), database_patience);
  const auto before = postgresql::migrate(database);
  if (!before) return before.error();
  const std::string newest = std::to_string(postgresql::newest_version());
  const std::string& shown = database.url().shown;
  if (*before == 0) return shown + ": created, schema " + newest;
  if (*before == postgresql::newest_version()) return shown + ": schema " + newest + ", nothing to do";
  return shown + ": schema " + std::to_string(*before) + " brought to " + newest;
}

}  // namespace torchgate::baselines
