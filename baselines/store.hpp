// SPDX-License-Identifier: Apache-2.0
// A place that keeps runs and the objects they ran: append-only, safe under concurrent writers. It never judges; which
// runs may become a baseline is decided in add.hpp, which of them is one in select.hpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/calibration.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

/// What a listing knows of a run without reading it.
struct Entry {
  std::string id;  ///< Run::id
  std::string host_key;
  std::string created;                ///< Run::created: UTC, ISO 8601 with milliseconds
  std::optional<std::string> commit;  ///< first 12 digits of the commit whose baseline it is; absent: nobody's baseline

  bool operator==(const Entry&) const = default;
};

struct ListFilter {
  std::optional<std::string> host_key;  ///< absent: every host
};

enum class PutOutcome { added, already_there };

class Store {
 public:
  virtual ~Store() = default;

  /// For messages: where this store is.
  [[nodiscard]] virtual std::string location() const = 0;

  /// Keeps RUN with whatever raw samples it holds; when this returns, it is on disk. With `of_commit`, it is a baseline
  /// of its side's commit (REQUIRES one), otherwise nobody's. A run that is here already with the same content is
  /// `already_there`; the same id with other content, or with another `of_commit`, is bad_input and changes nothing.
  virtual base::Result<PutOutcome> put(const record::Run& run, bool of_commit) = 0;

  /// Oldest first; equal times by id. What is no whole run (a writer's temporary file) is not listed.
  [[nodiscard]] virtual base::Result<std::vector<Entry>> list(const ListFilter& filter) const = 0;

  /// By id or by a prefix of at least four digits that only one run has. Without raw samples.
  /// not_found: no such run; bad_input: the prefix is ambiguous (the message names the candidates) or the record
  /// damaged.
  [[nodiscard]] virtual base::Result<record::Run> load(const std::string& id_or_prefix) const = 0;

  /// Fills in the raw samples of a run that `load` gave. not_found when they were pruned.
  virtual base::Result<void> load_samples(record::Run& run) const = 0;

  /// Keeps the content of FILE under its hash. bad_input when the file's content is not SHA256 (any more).
  virtual base::Result<PutOutcome> put_object(const std::filesystem::path& file, const std::string& sha256) = 0;

  /// Makes a file TO (which must not exist) with the content of a kept object. not_found when it is not kept; bad_input
  /// when the kept bytes no longer have that hash.
  virtual base::Result<void> get_object(const std::string& sha256, const std::filesystem::path& to) const = 0;

  /// Keeps what was found out about a machine beside the earlier ones. bad_input: its host key or time cannot be part of
  /// a file name, or there is one of the same host and time.
  virtual base::Result<void> put_calibration(const record::Calibration& calibration) = 0;

  /// The newest calibration of this host key; absent when it was never calibrated.
  [[nodiscard]] virtual base::Result<std::optional<record::Calibration>> calibration(
      const std::string& host_key) const = 0;
};

enum class OpenMode {
  existing,  ///< no store there: no_verdict, with a message that says how to make one
  create     ///< no store there: makes one
};

}  // namespace torchgate::baselines
