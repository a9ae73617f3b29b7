// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/request_log.hpp"

#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

namespace torchgate::monitor {

struct RequestLog::Parts {
  LogOptions options;
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
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    if (options.mode == LogMode::async) {
      parts->pool = std::make_shared<spdlog::details::thread_pool>(options.queue, 1);
      parts->logger = std::make_shared<spdlog::async_logger>("requests", sink, parts->pool,
                                                             spdlog::async_overflow_policy::overrun_oldest);
    } else {
      parts->logger = std::make_shared<spdlog::logger>("requests", sink);
      parts->logger->flush_on(spdlog::level::info);
    }
  } catch (const spdlog::spdlog_ex& error) {
    return base::Error{base::ErrorCode::io,
                       "request log " + path + ": " + error.what() + "; give a file in a folder that can be written"};
  }
  parts->logger->set_pattern("{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",%v}", spdlog::pattern_time_type::utc);
  return std::unique_ptr<RequestLog>(new RequestLog(std::move(parts)));
}

RequestLog::RequestLog(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

RequestLog::~RequestLog() {
  parts_->logger->flush();
  parts_->logger.reset();
  parts_->pool.reset();  // joins the thread, which writes what is queued
}

void RequestLog::observe(const Seen& seen) {
  // Knuth's multiplicative hash spreads consecutive identifiers over the shares.
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15ULL;
  constexpr int all = 10'000;
  if (static_cast<int>((seen.id * multiplier >> 32U) % all) >= parts_->options.share) return;
  parts_->logger->info(
      R"("request":{},"latency_ns":{},"batch":{},"queued":{},"outcome":"{}","model":"{}","degradation":{},{})", seen.id,
      seen.latency_ns, seen.batch, seen.queued, outcome_names[static_cast<std::size_t>(seen.outcome)],
      model_names[static_cast<std::size_t>(seen.model)], seen.state, parts_->constant);
}

std::int64_t RequestLog::dropped() const {
  return parts_->pool == nullptr ? 0 : static_cast<std::int64_t>(parts_->pool->overrun_counter());
}

}  // namespace torchgate::monitor
