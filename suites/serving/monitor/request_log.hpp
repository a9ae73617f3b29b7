// SPDX-License-Identifier: Apache-2.0
// A log of requests: one JSON object a line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/base/result.hpp"
#include "suites/serving/monitor/seen.hpp"

namespace torchgate::monitor {

enum class LogMode : std::uint8_t {
  async,  ///< a thread writes what the caller collected, 16 lines at a time or after a second; when its queue is full, the oldest lines
          ///< are lost and counted
  sync,   ///< the caller writes
};

struct LogOptions {
  LogMode mode = LogMode::async;
  /// Of 10,000 requests, chosen by their identifiers: the same ones in every run.
  int share = 10'000;
  std::size_t queue = 8192;        ///< lines that wait for the thread
  std::string model_version = {};  ///< written into each line, e.g. a commit
  std::string input_shape = {};
};

/// What is written is flushed: a process that is killed leaves whole lines.
class RequestLog {
 public:
  /// Appends to the file at `path`. io: it cannot be opened.
  static base::Result<std::unique_ptr<RequestLog>> open(const std::string& path, const LogOptions& options);
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  /// Calls must not overlap.
  void observe(const Seen& seen);
  /// Lines lost so far: the queue was full, or the file did not take them.
  [[nodiscard]] std::int64_t dropped() const;
  /// Lines that the file has taken so far; the others wait, or are lost.
  [[nodiscard]] std::int64_t written() const;
  /// Lines that the file did not take: the disk is full.
  [[nodiscard]] std::int64_t failed() const;

 private:
  struct Parts;
  explicit RequestLog(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace torchgate::monitor
