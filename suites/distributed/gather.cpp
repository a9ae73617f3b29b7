// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/gather.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/torch.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace torchgate::suites {

using torch::Tensor;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

Tensor gathered(const ProcessGroup& group, Tensor part) {
  static const auto gather = c10::Dispatcher::singleton()
                                 .findSchemaOrThrow("c10d::_allgather_base_", "")
                                 .typed<std::tuple<Tensor, c10::intrusive_ptr<c10d::Work>>(
                                     Tensor&, Tensor&, const ProcessGroup&, bool, std::int64_t)>();
  std::vector<std::int64_t> shape = part.sizes().vec();
  shape.front() *= group->getSize();
  Tensor whole = torch::empty(shape, part.options());
  const c10d::AllgatherOptions options{};
  std::get<1>(gather.call(whole, part, group, options.asyncOp, options.timeout.count()))->wait();
  return whole;
}

}  // namespace torchgate::suites
