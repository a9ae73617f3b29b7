// SPDX-License-Identifier: Apache-2.0
// A profile of each rank: in what the ranks of one step differ, in numbers that repeat exactly. Operators are counted by
// LibTorch's record functions, which its profilers use, too; the size of the buckets is what the Reducer's logger states.
#include <ATen/record_function.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/distributed/checked_step.hpp"
#include "suites/distributed/ddp.hpp"
#include "suites/distributed/thread_time.hpp"

namespace torchgate::suites::profile {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr int rank_count = 2;

/// What the thread that calls a step does in it; Gloo's thread is not a part of it.
struct RankProfile {
  std::int64_t operators = 0;
  std::int64_t multiplications = 0;  ///< of matrix products
  std::int64_t sent_bytes = 0;       ///< given to all-reduces and sends
};

thread_local RankProfile* current_profile = nullptr;  // LibTorch's callbacks are plain function pointers

std::int64_t multiplications(const Tensor& left, const Tensor& right) {
  return left.size(0) * left.size(1) * right.size(1);
}

std::int64_t bytes_of(const c10::IValue& tensors) {
  std::int64_t bytes = 0;
  for (const Tensor& tensor : tensors.toTensorVector()) bytes += static_cast<std::int64_t>(tensor.nbytes());
  return bytes;
}

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& function) {
  // On a thread of Gloo, which has the callbacks of the thread that it works for.
  if (current_profile == nullptr) return nullptr;
  const std::string_view name = function.name();
  const c10::ArrayRef<const c10::IValue> inputs = function.inputs();
  RankProfile& profile = *current_profile;
  ++profile.operators;
  if (name == "aten::mm") profile.multiplications += multiplications(inputs[0].toTensor(), inputs[1].toTensor());
  if (name == "aten::addmm") profile.multiplications += multiplications(inputs[1].toTensor(), inputs[2].toTensor());
  if (name == "c10d::allreduce_" || name == "c10d::send") profile.sent_bytes += bytes_of(inputs[0]);
  return nullptr;
}

/// Fills a profile while it lives, with what this thread does.
class Profiling {
 public:
  explicit Profiling(RankProfile& profile) {
    current_profile = &profile;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&on_operator).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~Profiling() {
    at::removeCallback(handle_);
    current_profile = nullptr;
  }
  Profiling(const Profiling&) = delete;
  Profiling& operator=(const Profiling&) = delete;

 private:
  at::CallbackHandle handle_ = 0;
};

std::string of_rank(std::int64_t rank, const std::string& what) {
  return "rank_" + std::to_string(rank) + "_" + what;
}

/// A metric for each rank. The value is put into this rank's own, and 0 into the others: of each metric the largest value of all
/// ranks is kept.
void put(Recorder& recorder, const std::string& what, double value) {
  for (std::int64_t rank = 0; rank < rank_count; ++rank)
    recorder.put(of_rank(rank, what), rank == this_world().rank() ? value : 0);
}

Timed profiled(DdpStep step) {
  return [step = std::move(step)](Recorder& recorder) mutable {
    RankProfile profile;
    std::vector<Tensor> gradients;
    const double begin_ns = thread_time_ns();
    {
      const Profiling profiling(profile);
      gradients = step();
    }
    put(recorder, "compute_time", thread_time_ns() - begin_ns);
    put(recorder, "operators", static_cast<double>(profile.operators));
    put(recorder, "multiplications", static_cast<double>(profile.multiplications));
    put(recorder, "sent_bytes", static_cast<double>(profile.sent_bytes));
    recorder.put("bucket_bytes", static_cast<double>(step.bucket_bytes()));
    return gradients;
  };
}

Timed three_to_one(const Args& args) {
  return profiled(checked_by_one_process(DdpStep(args, options_of_large_batch(Rows::three_to_one))));
}

Timed balanced(const Args& args) {
  return profiled(after_first_step(DdpStep(args, options_of_large_batch(Rows::balanced))));
}

constexpr std::int64_t bytes_of_gradients() {
  constexpr NetworkShape shape{};
  return shape.layers * (shape.width + 1) * shape.width * static_cast<std::int64_t>(sizeof(float));
}

TORCHGATE_GROUP("profile") {
  group.ranks(rank_count).training().quick(none);
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    group.measures(ns(of_rank(rank, "compute_time")).of_all_ranks());
    group.measures(count(of_rank(rank, "operators")).of_all_ranks());
    group.measures(count(of_rank(rank, "multiplications")).of_all_ranks());
    group.measures(bytes(of_rank(rank, "sent_bytes")).of_all_ranks());
  }
  group.measures(bytes("bucket_bytes").of_all_ranks());
  const auto of = [](std::int64_t rank, const char* what) { return metric(of_rank(rank, what)); };

  group.reference("three_to_one", three_to_one)
      .proves(metric("bucket_bytes") == bytes_of_gradients())
      .claims(of(0, "multiplications") >= 2.9 * own(of(1, "multiplications")))
      .claims(of(0, "compute_time") >= 1.3 * own(of(1, "compute_time")));
  group.variant("balanced", balanced)
      .within(order_error)
      .proves(metric("bucket_bytes") == bytes_of_gradients())
      .claims(of(0, "multiplications") <= 0.7 * reference())
      .claims(of(0, "multiplications") <= 1.0 * own(of(1, "multiplications")))
      .claims(of(0, "sent_bytes") >= 1.1 * own(of(1, "sent_bytes")));  // the gradients, and on rank 0 its surplus
}

}  // namespace
}  // namespace torchgate::suites::profile
