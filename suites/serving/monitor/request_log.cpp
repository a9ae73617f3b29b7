// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/request_log.hpp"

#include <fmt/chrono.h>
#include <spdlog/async.h>
#include <spdlog/details/file_helper.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <iterator>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace torchgate::monitor {

namespace {

/// Waking the thread that writes takes longer than 16 lines.
constexpr int lines_at_once = 16;
constexpr std::chrono::seconds longest_wait{1};

// "2026-11-23T17:45:01", formatted once a second.
class Seconds {
 public:
  const std::string& text(std::chrono::system_clock::time_point now) {
    const std::time_t second = std::chrono::system_clock::to_time_t(now);
    if (second != second_) {
      second_ = second;
      text_ = fmt::format("{:%FT%T}", fmt::gmtime(second));
    }
    return text_;
  }

 private:
  std::time_t second_ = -1;
  std::string text_;
};

struct LineCounts {
  std::atomic<std::int64_t> written{0};
  std::atomic<std::int64_t> failed{0};
};

/// A file that counts its lines. Each message is flushed after it, and only that tells whether the disk took it.
class CountedFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  CountedFile(const std::string& path, std::shared_ptr<LineCounts> counts) : counts_(std::move(counts)) {
    file_.open(path);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    const std::int64_t lines = std::count(text.begin(), text.end(), '\n');
    counted([&] { file_.write(text); }, lines, 0);
    unflushed_ += lines;
  }
  void flush_() override {
    const std::int64_t lines = std::exchange(unflushed_, 0);
    counted([&] { file_.flush(); }, lines, lines);
  }

 private:
  template <class Action>
  void counted(const Action& action, std::int64_t if_failed, std::int64_t if_not) {
    try {
      action();
    } catch (...) {
      counts_->failed += if_failed;
      throw;  // the logger prints it, at most once a second
    }
    counts_->written += if_not;
  }

  spdlog::details::file_helper file_;
  std::shared_ptr<LineCounts> counts_;
  std::int64_t unflushed_ = 0;
};

}  // namespace

struct RequestLog::Parts {
  LogOptions options;
  Seconds seconds;
  fmt::memory_buffer lines;
  int line_count = 0;
  std::chrono::system_clock::time_point first_line;

  void write() {
    if (line_count == 0) return;
    logger->info(std::string_view(lines.data(), lines.size()));
    lines.clear();
    line_count = 0;
  }

  std::shared_ptr<LineCounts> counts = std::make_shared<LineCounts>();
  std::string constant;  // the fields that are the same in every line
  std::shared_ptr<spdlog::details::thread_pool> pool;
  std::shared_ptr<spdlog::logger> logger;
};

base::Result<std::unique_ptr<RequestLog>> RequestLog::open(const std::string& path, const LogOptions& options) {
  auto parts = std::make_unique<Parts>();
  parts->options = options;
  // Escaped once: a version or a shape may come from anywhere.
  parts->constant = R"("model_version":)" + nlohmann::json(options.model_version).dump() + R"(,"input_shape":)" +
                    nlohmann::json(options.input_shape).dump();
  try {
    auto sink = std::make_shared<CountedFile>(path, parts->counts);
    if (options.mode == LogMode::async) {
      parts->pool =
          std::make_shared<spdlog::details::thread_pool>(std::max<std::size_t>(1, options.queue / lines_at_once), 1);
      parts->logger = std::make_shared<spdlog::async_logger>("requests", sink, parts->pool,
                                                             spdlog::async_overflow_policy::overrun_oldest);
    } else {
      parts->logger = std::make_shared<spdlog::logger>("requests", sink);
    }
    // By the thread that writes: what it takes from the queue is in the file at once. With stdio's buffer, which is written whenever it
    // is full, a process that is killed leaves half a line.
    parts->logger->flush_on(spdlog::level::info);
  } catch (const spdlog::spdlog_ex& error) {
    return base::Error{base::ErrorCode::io,
                       "request log " + path + ": " + error.what() + "; give a file in a folder that can be written"};
  }
  parts->logger->set_pattern("%v");
  return std::unique_ptr<RequestLog>(new RequestLog(std::move(parts)));
}

RequestLog::RequestLog(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

RequestLog::~RequestLog() {
  parts_->write();
  // Joins the thread, which writes what is queued: it no longer has the file that the logger closes.
  parts_->pool.reset();
  parts_->logger.reset();  // no flush(): it would take the place of lines in a full queue
}

void RequestLog::observe(const Seen& seen) {
  // Knuth's multiplicative hash spreads consecutive identifiers over the shares.
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15ULL;
  constexpr int all = 10'000;
  if (static_cast<int>((seen.id * multiplier >> 32U) % all) >= parts_->options.share) return;
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  Parts& parts = *parts_;
  if (parts.line_count == 0) {
    parts.first_line = now;
  } else {
    parts.lines.push_back('\n');
  }
  fmt::format_to(
      std::back_inserter(parts.lines),
      R"({{"time":"{}.{:03}Z","request":{},"latency_ns":{},"batch":{},"queued":{},"outcome":"{}","model":"{}","degradation":{},{}}})",
      parts.seconds.text(now), ms, seen.id, seen.latency_ns, seen.batch, seen.queued,
      outcome_names[static_cast<std::size_t>(seen.outcome)], model_names[static_cast<std::size_t>(seen.model)],
      seen.state, parts.constant);
  ++parts.line_count;
  const bool full = parts.line_count == lines_at_once || now - parts.first_line > longest_wait;
  if (full || parts.options.mode == LogMode::sync) parts.write();
}

std::int64_t RequestLog::dropped() const {
  const std::int64_t overrun =
      parts_->pool == nullptr ? 0 : lines_at_once * static_cast<std::int64_t>(parts_->pool->overrun_counter());
  return overrun + failed();
}

std::int64_t RequestLog::written() const {
  return parts_->counts->written;
}

std::int64_t RequestLog::failed() const {
  return parts_->counts->failed;
}

}  // namespace torchgate::monitor
