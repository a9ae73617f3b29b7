// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/hooks.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "suites/distributed/gather.hpp"
#include "suites/distributed/network.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

class CompressingHook final : public c10d::CommHookInterface {
 public:
  CompressingHook(ProcessGroup group, torch::Dtype dtype) : group_(std::move(group)), dtype_(dtype) {}
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<Tensor> compressed{bucket.getBufferRef().to(dtype_).div_(group_->getSize())};
    return group_->allreduce(compressed)->getFuture();
  }
  Tensor parseHookResult(const c10::IValue& result) override {
    return (result.isTensor() ? result.toTensor() : result.toTensorVector().front()).to(torch::kFloat);
  }

 private:
  ProcessGroup group_;
  torch::Dtype dtype_;
};

constexpr std::int64_t largest_whole_gradient = 1000;  // elements
constexpr double sent_share = 0.01;
constexpr double largest_norm = 1.0;

/// The largest elements of some gradients, ready to be sent: the bits of the values, then the indices, in 32 bits each.
class Selected {
 public:
  void add(const Tensor& values, const Tensor& indices) {
    values_.push_back(values);
    indices_.push_back(indices.to(torch::kInt));
    count_ += values.numel();
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] Tensor message() const {
    return torch::cat({torch::cat(values_).view(torch::kInt), torch::cat(indices_)});
  }

 private:
  std::vector<Tensor> values_;
  std::vector<Tensor> indices_;
  std::int64_t count_ = 0;
};

std::int64_t sent_elements(const Tensor& gradient) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(sent_share * static_cast<double>(gradient.numel())));
}

class SparsifyingHook final : public c10d::CommHookInterface {
 public:
  SparsifyingHook(ProcessGroup group, bool error_feedback)
      : group_(std::move(group)), error_feedback_(error_feedback) {}

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    const at::NoGradGuard no_grad;
    const std::vector<Tensor> gradients = bucket.getGradients();  // views of the bucket
    const std::vector<Tensor> parameters = bucket.getParameters();
    std::vector<Tensor> whole;
    std::vector<Tensor> sparse;
    Selected selected;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      Tensor gradient = gradients[i].flatten();
      gradient.mul_((largest_norm / gradient.norm()).clamp_max(1));
      if (gradient.numel() <= largest_whole_gradient) {
        whole.push_back(gradient);
      } else {
        sparse.push_back(gradient);
        select(gradient, parameters[i], selected);
      }
    }
    average(whole);
    if (!sparse.empty()) exchange(selected, sparse);
    auto done = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get());
    done->markCompleted(bucket.getBufferRef());
    return done;
  }
  Tensor parseHookResult(const c10::IValue& result) override { return result.toTensor(); }

 private:
  void select(Tensor& gradient, const Tensor& parameter, Selected& selected) {
    if (error_feedback_) {
      const auto [entry, is_new] = unsent_.try_emplace(parameter.unsafeGetTensorImpl());
      if (!is_new) gradient.add_(entry->second);
      entry->second = gradient.clone();
    }
    const Tensor indices = std::get<1>(gradient.abs().topk(sent_elements(gradient)));
    selected.add(gradient.index_select(0, indices), indices);
    if (error_feedback_) unsent_.at(parameter.unsafeGetTensorImpl()).index_fill_(0, indices, 0);
  }

  void average(const std::vector<Tensor>& gradients) {
    if (gradients.empty()) return;
    std::vector<Tensor> message{flat(gradients)};
    group_->allreduce(message)->wait();
    message.front().div_(group_->getSize());
    std::int64_t begin = 0;
    for (const Tensor& gradient : gradients) {
      gradient.copy_(message.front().narrow(0, begin, gradient.numel()));
      begin += gradient.numel();
    }
  }

  /// The gradients become the averages of what all ranks have selected.
  void exchange(const Selected& selected, const std::vector<Tensor>& gradients) {
    const Tensor mine = selected.message();
    const Tensor all = gathered(group_, mine);
    for (const Tensor& gradient : gradients) gradient.zero_();
    for (const Tensor& message : all.chunk(group_->getSize())) {
      const Tensor values = message.narrow(0, 0, selected.count()).view(torch::kFloat).div(group_->getSize());
      const Tensor indices = message.narrow(0, selected.count(), selected.count());
      std::int64_t begin = 0;
      for (const Tensor& gradient : gradients) {
        const std::int64_t count = sent_elements(gradient);
        gradient.index_add_(0, indices.narrow(0, begin, count), values.narrow(0, begin, count));
        begin += count;
      }
    }
  }

  ProcessGroup group_;
  bool error_feedback_;
  std::map<const at::TensorImpl*, Tensor> unsent_;  // by parameter: buckets are rearranged after the first step
};

}  // namespace

std::unique_ptr<c10d::CommHookInterface> compressing_hook(ProcessGroup group, torch::Dtype dtype) {
  return std::make_unique<CompressingHook>(std::move(group), dtype);
}

std::unique_ptr<c10d::CommHookInterface> sparsifying_hook(ProcessGroup group, bool error_feedback) {
  return std::make_unique<SparsifyingHook>(std::move(group), error_feedback);
}

}  // namespace torchgate::suites
