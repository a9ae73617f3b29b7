// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/count/instruction_counter.hpp"

#include <linux/perf_event.h>

#include <stdexcept>
#include <utility>

#include "harness/bench/count/client_requests.hpp"
#include "harness/bench/count/event_counter.hpp"

namespace torchgate::bench {
namespace {

class Callgrind final : public InstructionCounter {
 public:
  void start() override { callgrind::start_counting(); }
  void stop() override { callgrind::stop_counting(); }
  std::optional<double> take(const std::string& name) override {
    callgrind::write_down(name);
    return std::nullopt;
  }
  [[nodiscard]] const char* name() const override { return "callgrind"; }
};

class Hardware final : public InstructionCounter {
 public:
  explicit Hardware(EventCounter counter) : counter_(std::move(counter)) {}
  void start() override { counter_.start(); }
  void stop() override { counter_.stop(); }
  std::optional<double> take(const std::string&) override {
    const auto now = counter_.count();
    if (!now)
      throw std::runtime_error(
          "the kernel multiplexed the CPU's counter of instructions, so its count is not known; let nothing else use "
          "the counters");
    return static_cast<double>(*now - std::exchange(taken_, *now));
  }
  [[nodiscard]] const char* name() const override { return "hardware"; }

 private:
  EventCounter counter_;
  std::uint64_t taken_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<InstructionCounter>> instruction_counter() {
  if (callgrind::runs_here()) return std::unique_ptr<InstructionCounter>(std::make_unique<Callgrind>());
  auto counter = EventCounter::open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
  if (!counter)
    return base::Error{base::ErrorCode::io, std::string("instructions cannot be counted: ") + callgrind::why_not() +
                                                ", and " + counter.error().message};
  return std::unique_ptr<InstructionCounter>(std::make_unique<Hardware>(std::move(counter).value()));
}

}  // namespace torchgate::bench
