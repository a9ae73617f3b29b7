// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/operator_counter.hpp"

#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
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
  std::int64_t collectives = 0;
  std::int64_t collective_bytes = 0;
  bool counting = false;
};

// LibTorch's callbacks are plain function pointers, so their counters have to be global.
Counts& counts() {
  static Counts all;
  return all;
}

// The members of sparse tensors are read directly: their functions are operators, which would call this callback again.
std::int64_t bytes_of(const at::Tensor& tensor) {
  const auto total = [](auto... parts) { return (static_cast<std::int64_t>(parts.nbytes()) + ...); };
  if (!tensor.defined()) return 0;
  switch (tensor.layout()) {
    case at::kStrided:
      break;
    case at::kSparse: {
      const auto& sparse = *static_cast<const at::SparseTensorImpl*>(tensor.unsafeGetTensorImpl());
      return total(sparse.indices(), sparse.values());
    }
    case at::kSparseCsr:
    case at::kSparseCsc:
    case at::kSparseBsr:
    case at::kSparseBsc: {
      const auto& sparse = *static_cast<const at::SparseCsrTensorImpl*>(tensor.unsafeGetTensorImpl());
      return total(sparse.compressed_indices(), sparse.plain_indices(), sparse.values());
    }
    default:
      return 0;  // c10d accepts no other layouts
  }
  if (tensor.is_nested()) return 0;
  return total(tensor);
}

// A collective's tensors are its first argument, one or a list of them. The tensor of barrier() only names the device: it
// is not sent.
std::int64_t bytes_given(const std::string& name, const at::RecordFunction& function) {
  if (function.inputs().empty() || name == "c10d::barrier") return 0;
  const c10::IValue& first = function.inputs().front();
  if (first.isTensor()) return bytes_of(first.toTensor());
  std::int64_t bytes = 0;
  if (first.isTensorList()) {
    for (const at::Tensor& tensor : first.toTensorVector()) bytes += bytes_of(tensor);
  }
  return bytes;
}

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& function) {
  const std::string name = function.name();
  const std::string dtype = first_dtype(function);
  const bool is_collective = name.rfind("c10d::", 0) == 0;
  const std::int64_t bytes = is_collective ? bytes_given(name, function) : 0;
  const std::scoped_lock lock(counts().mutex);
  ++counts().total;
  counts().collectives += is_collective ? 1 : 0;
  counts().collective_bytes += bytes;
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
    counts().total = counts().collectives = counts().collective_bytes = 0;
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

std::int64_t OperatorCounter::collectives() const {
  const std::scoped_lock lock(counts().mutex);
  return counts().collectives;
}

std::int64_t OperatorCounter::collective_bytes() const {
  const std::scoped_lock lock(counts().mutex);
  return counts().collective_bytes;
}

}  // namespace torchgate::bench
