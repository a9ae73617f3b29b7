// SPDX-License-Identifier: Apache-2.0
// Records and their samples as files.
#include <algorithm>

#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/internal/samples_file.hpp"

namespace torchgate::record {
namespace {

namespace fs = std::filesystem;

// A record that cannot be read back would be noticed only when it is needed as a baseline, so it is not written.
base::Result<void> check_readable(const std::string& record, const std::string& samples, const std::string& where) {
  const auto unreadable = [&](const base::Error& error) {
    return base::Error{base::ErrorCode::internal, "not written: it could not be read back: " + error.message};
  };
  auto copy = run_from_json(record, where);
  if (!copy) return unreadable(copy.error());
  if (samples.empty()) return {};
  if (samples.size() > static_cast<std::size_t>(max_samples_bytes)) {
    return base::Error{base::ErrorCode::bad_input, where + ": its samples have " + std::to_string(samples.size()) +
                                                       " bytes, the limit is " + std::to_string(max_samples_bytes) +
                                                       "; measure fewer cases in one run (a filter, or --shard)"};
  }
  const auto filled = internal::decode_samples(samples, where, *copy);
  return filled ? filled : base::Result<void>(unreadable(filled.error()));
}

// The name is the content: a file of that name that is whole need not be written again.
base::Result<void> write_samples(const fs::path& path, const std::string& sha256, std::string_view bytes) {
  const auto there = base::sha256_of_file(path);
  if (there && *there == sha256) return {};
  return base::write_file_atomically(path, bytes, true);
}

}  // namespace

base::Result<RunBytes> bytes_of_run(Run& run, const std::string& where) {
  std::optional<SamplesFile> before = run.samples;
  RunBytes bytes;
  if (const std::size_t count = internal::count_samples(run); count > 0) {
    bytes.samples = internal::encode_samples(run);
    run.samples = {base::sha256(bytes.samples), static_cast<std::int64_t>(bytes.samples.size()),
                   static_cast<std::int64_t>(count)};
  }
  bytes.record = to_json(run);
  if (auto readable = check_readable(bytes.record, bytes.samples, where); !readable) {
    run.samples = std::move(before);
    return readable.error();
  }
  return bytes;
}

base::Result<void> save_run(Run& run, const fs::path& path, bool replace) {
  std::error_code ignored;
  if (!replace && fs::exists(path, ignored)) return base::already_exists(path);

  std::optional<SamplesFile> before = run.samples;
  const auto write = [&]() -> base::Result<void> {
    const auto bytes = bytes_of_run(run, path.string());
    if (!bytes) return bytes.error();
    if (!bytes->samples.empty()) {
      const auto beside = internal::samples_path(path, run.samples->sha256);
      if (auto written = write_samples(beside, run.samples->sha256, bytes->samples); !written) return written;
    }
    return base::write_file_atomically(path, bytes->record, replace);
  };
  auto written = write();
  if (!written) run.samples = std::move(before);
  return written;
}

base::Result<Run> load_run(const fs::path& path, base::Links links) {
  const auto text = base::read_file(path, max_record_bytes, links);
  if (!text) return text.error();
  return run_from_json(*text, path.string());
}

base::Result<void> load_samples(Run& run, const fs::path& record_path) {
  if (!run.samples) {
    return base::Error{base::ErrorCode::not_found, record_path.string() + ": this run was stored without raw samples"};
  }
  const fs::path path = internal::samples_path(record_path, run.samples->sha256);
  // Reads no more than the size in the record: a file of any size may have that name.
  const auto bytes = base::read_file(path, std::min(run.samples->bytes, max_samples_bytes), base::Links::refused);
  if (!bytes && bytes.error().code == base::ErrorCode::not_found) {
    return base::Error{base::ErrorCode::not_found,
                       path.string() + ": missing raw samples of this run, possibly pruned"};
  }
  if (!bytes) return bytes.error();
  return fill_samples(run, *bytes, path.string());
}

base::Result<void> fill_samples(Run& run, std::string_view bytes, const std::string& where) {
  if (!run.samples) return base::Error{base::ErrorCode::not_found, where + ": this run was stored without raw samples"};
  if (static_cast<std::int64_t>(bytes.size()) != run.samples->bytes || base::sha256(bytes) != run.samples->sha256) {
    return base::Error{base::ErrorCode::bad_input,
                       where + ": damaged: its content does not match its name and the record of run " + run.id +
                           "; restore or remove it"};
  }
  if (auto filled = internal::decode_samples(bytes, where, run); !filled) return filled;
  if (const auto count = static_cast<std::int64_t>(internal::count_samples(run)); count != run.samples->count) {
    return base::Error{base::ErrorCode::bad_input, where + ": has " + base::counted(count, "sample", "samples") +
                                                       ", but the record has " + base::grouped(run.samples->count)};
  }
  return {};
}

}  // namespace torchgate::record
