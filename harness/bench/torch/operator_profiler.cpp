// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/operator_profiler.hpp"

#include <ATen/record_function.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/program/start_times.hpp"
#include "harness/bench/torch/tensor_inputs.hpp"

namespace torchgate::bench {
namespace {

using Key = std::pair<std::string, std::string>;  // name, inputs

/// Longer names are cut: the record takes texts of at most 1,024 bytes.
constexpr std::size_t longest_text = 400;

struct Sum {
  std::int64_t calls = 0;
  std::int64_t self_ns = 0;
};

// LibTorch's callbacks are plain function pointers, so the data they write has to be global.
struct Pass {
  std::mutex mutex;
  std::map<Key, Sum> sums;
  bool active = false;
};

Pass& pass() {
  static Pass only;
  return only;
}

std::string cut(std::string text) {
  if (text.size() > longest_text) text.resize(longest_text);
  return text;
}

// A running operator and the operators it has called so far.
struct Running final : at::ObserverContext {
  Key key;
  Running* caller = nullptr;
  std::int64_t begun_ns = 0;     // after this callback
  std::int64_t observed_ns = 0;  // spent in this callback before the operator began
  std::int64_t inner_ns = 0;     // in operators it called, with the callbacks around them
};

thread_local Running* innermost = nullptr;

// LibTorch catches what a callback throws, and later calls on_end with a null context: nothing global changes here before
// the last line that can throw.
std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& function) {
  const std::int64_t entered_ns = monotonic_ns();
  auto running = std::make_unique<Running>();
  running->key = {cut(function.name()), cut(tensor_inputs(function))};
  running->caller = innermost;
  innermost = running.get();
  running->begun_ns = monotonic_ns();
  running->observed_ns = running->begun_ns - entered_ns;
  return running;
}

void on_end(const at::RecordFunction&, at::ObserverContext* context) {
  const std::int64_t ended_ns = monotonic_ns();
  if (context == nullptr) return;  // on_begin threw
  auto* const running = static_cast<Running*>(context);
  // A future that another thread completes ends an operator there: that thread has no caller to add its time to.
  const bool same_thread = innermost == running;
  if (same_thread) innermost = running->caller;
  const std::int64_t took_ns = ended_ns - running->begun_ns;
  {
    const std::scoped_lock lock(pass().mutex);
    Sum& sum = pass().sums[std::move(running->key)];
    ++sum.calls;
    sum.self_ns += std::max<std::int64_t>(0, took_ns - running->inner_ns);
  }
  if (same_thread && running->caller != nullptr)
    running->caller->inner_ns += running->observed_ns + (monotonic_ns() - running->begun_ns);
}

class Callbacks {
 public:
  Callbacks()
      : handle_(at::addGlobalCallback(at::RecordFunctionCallback(&on_begin, &on_end)
                                          .needsInputs(true)
                                          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}))) {
    assert(!pass().active);
    pass().active = true;
  }
  ~Callbacks() {
    at::removeCallback(handle_);
    innermost = nullptr;
    pass().active = false;
    pass().sums.clear();
  }
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;

 private:
  at::CallbackHandle handle_;
};

struct Series {
  std::int64_t calls = 0;
  std::vector<std::int64_t> self_ns;  // of the passes that had it
};

double median(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(*middle);
}

record::OperatorProfile summarize(const std::map<Key, Series>& series, const std::vector<std::int64_t>& calls_ns) {
  record::OperatorProfile profile;
  const std::size_t passes = calls_ns.size();
  profile.passes = static_cast<std::int64_t>(passes);
  profile.call_ns = median(calls_ns);
  for (const auto& [key, of_operator] : series) {
    std::vector<std::int64_t> self_ns = of_operator.self_ns;
    self_ns.resize(passes, 0);
    constexpr double kept_decimals = 1000;  // of a count that differs from call to call
    const double calls =
        std::round(static_cast<double>(of_operator.calls) / static_cast<double>(passes) * kept_decimals) /
        kept_decimals;
    profile.operators.push_back({key.first, key.second, calls, median(std::move(self_ns))});
  }
  std::stable_sort(profile.operators.begin(), profile.operators.end(),
                   [](const auto& a, const auto& b) { return a.self_ns > b.self_ns; });
  for (std::size_t i = record::most_operators; i < profile.operators.size(); ++i) {
    ++profile.left_out;
    profile.left_out_self_ns += profile.operators[i].self_ns;
  }
  if (profile.left_out > 0) profile.operators.resize(record::most_operators);
  return profile;
}

}  // namespace

record::OperatorProfile profile_operators(const std::function<void()>& call, std::int64_t calls) {
  const Callbacks callbacks;
  std::map<Key, Series> series;
  std::vector<std::int64_t> calls_ns;
  do {
    const std::int64_t start_ns = monotonic_ns();
    call();
    calls_ns.push_back(monotonic_ns() - start_ns);
    const std::scoped_lock lock(pass().mutex);
    for (const auto& [key, sum] : pass().sums) {
      if (sum.calls == 0) continue;
      Series& of_operator = series[key];
      of_operator.calls += sum.calls;
      of_operator.self_ns.push_back(sum.self_ns);
    }
    pass().sums.clear();
  } while (static_cast<std::int64_t>(calls_ns.size()) < calls);
  return summarize(series, calls_ns);
}

}  // namespace torchgate::bench
