// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/operator_counter.hpp"

#include <ATen/record_function.h>

#include <cassert>
#include <mutex>

#include "harness/bench/torch/tensor_inputs.hpp"

namespace torchgate::bench {
namespace {

struct Counts {
  std::mutex mutex;
  std::map<std::string, std::int64_t> by_name;
  std::int64_t total = 0;
  bool counting = false;
};

// A callback of LibTorch is a plain function pointer: what it counts into has to be global.
Counts& counts() {
  static Counts all;
  return all;
}

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& function) {
  const std::string name = function.name();
  const std::string dtype = first_dtype(function);
  const std::scoped_lock lock(counts().mutex);
  ++counts().total;
  ++counts().by_name[name];
  if (!dtype.empty()) ++counts().by_name[name + ":" + dtype];
  return nullptr;
}

}  // namespace

OperatorCounter::OperatorCounter() {
  {
    const std::scoped_lock lock(counts().mutex);
    assert(!counts().counting);
    counts().by_name.clear();
    counts().total = 0;
    counts().counting = true;
  }
  handle_ = at::addGlobalCallback(
      at::RecordFunctionCallback(&on_operator).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

OperatorCounter::~OperatorCounter() {
  at::removeCallback(handle_);
  counts().counting = false;
}

std::map<std::string, std::int64_t> OperatorCounter::by_name() const {
  const std::scoped_lock lock(counts().mutex);
  return counts().by_name;
}

std::int64_t OperatorCounter::total() const {
  const std::scoped_lock lock(counts().mutex);
  return counts().total;
}

}  // namespace torchgate::bench
