// SPDX-License-Identifier: Apache-2.0
// Stores runs and the objects they ran: append-only, safe under concurrent writers. It never judges; add.hpp decides
// which runs may become a baseline, select.hpp which of them is the baseline.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "baselines/pin.hpp"
#include "harness/base/result.hpp"
#include "harness/record/calibration.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

/// Entry of a listing, made without reading the run.
struct Entry {
  std::string id;  ///< Run::id
  std::string host_key;
  std::string created;                ///< Run::created: UTC, ISO 8601 with milliseconds
  std::optional<std::string> commit;  ///< first 12 digits of the commit whose baseline it is; absent: not a baseline

  bool operator==(const Entry&) const = default;
};

struct ListFilter {
  std::optional<std::string> host_key;  ///< absent: every host
};

enum class PutOutcome { added, already_there };

struct NewestCalibration {
  std::optional<record::Calibration> calibration = {};  ///< absent: the host was never calibrated
  std::string warning = {};                             ///< which one is ignored, and why; empty: none
};

class Store {
 public:
  virtual ~Store() = default;

  /// For messages: where this store is.
  [[nodiscard]] virtual std::string location() const = 0;

  /// Stores RUN with its raw samples, if any; when this returns, it is on disk. With `of_commit`, it is a baseline
  /// of its side's commit (REQUIRES one), otherwise of none. A run that is already stored with the same content is
  /// `already_there`; the same id with other content, or with another `of_commit`, is bad_input and changes nothing.
  virtual base::Result<PutOutcome> put(const record::Run& run, bool of_commit) = 0;

  /// Oldest first; equal times by id. Incomplete files (a writer's temporary file) are not listed.
  [[nodiscard]] virtual base::Result<std::vector<Entry>> list(const ListFilter& filter) const = 0;

  /// By id or by a prefix of at least four digits that only one run has. Without raw samples.
  /// not_found: no such run; bad_input: the prefix is ambiguous (the message names the candidates) or the record
  /// damaged.
  [[nodiscard]] virtual base::Result<record::Run> load(const std::string& id_or_prefix) const = 0;

  /// Fills in the raw samples of a run returned by `load`. not_found when they were pruned.
  virtual base::Result<void> load_samples(record::Run& run) const = 0;

  /// Stores the content of FILE under its hash. bad_input if the hash of the file's content is not (or no longer) SHA256.
  virtual base::Result<PutOutcome> put_object(const std::filesystem::path& file, const std::string& sha256) = 0;

  /// Whether put_object takes a file of that size; asked before it is fetched from elsewhere. bad_input or io: why not.
  [[nodiscard]] virtual base::Result<void> may_put_object(std::uintmax_t /*bytes*/) const { return {}; }

  /// Creates a file TO (which must not exist) with the content of a stored object. not_found if it is not stored;
  /// bad_input if the stored bytes no longer have that hash.
  virtual base::Result<void> get_object(const std::string& sha256, const std::filesystem::path& to) const = 0;

  /// Whether an object of that hash is stored, whatever its bytes are now. bad_input: not a hash.
  [[nodiscard]] virtual base::Result<bool> has_object(const std::string& sha256) const = 0;

  /// Stores a calibration beside the earlier ones. bad_input: its host key or time cannot be part of
  /// a file name, or one with the same host and time exists.
  virtual base::Result<void> put_calibration(const record::Calibration& calibration) = 0;

  /// The newest calibration of this host key. One of a later time than now is ignored, with a warning.
  [[nodiscard]] virtual base::Result<NewestCalibration> calibration(const std::string& host_key) const = 0;

  /// The host keys that have a calibration, sorted.
  [[nodiscard]] virtual base::Result<std::vector<std::string>> calibrated_hosts() const = 0;

  /// Adds a record of a pin: its name means the newest one. bad_input: PIN is not valid, a record of its name is not older, or one of its
  /// runs is not stored as a baseline of its commit.
  virtual base::Result<void> put_pin(const Pin& pin) = 0;

  /// Adds a record of a pin, as next_pin() makes it of the newest one: of several writers at once each sees the one before it. What was added.
  /// Errors: those of next_pin(), and of put_pin() but for its time.
  virtual base::Result<Pin> add_pin(const Pin& pin, PinBefore before) = 0;

  /// What NAME means; absent: no such pin, or it was removed. bad_input: its record is damaged.
  [[nodiscard]] virtual base::Result<std::optional<Pin>> pin(const std::string& name) const = 0;

  /// All pins, the names that were removed, and those whose record is damaged.
  [[nodiscard]] virtual base::Result<PinList> pins() const = 0;
};

enum class OpenMode {
  existing,  ///< a missing store is no_verdict, with a message how to create one
  create     ///< creates a missing store
};

}  // namespace torchgate::baselines
