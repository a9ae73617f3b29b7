// SPDX-License-Identifier: Apache-2.0
#include "suites/data_loading/images.hpp"

#include <torch/torch.h>

#include <functional>
#include <thread>

#include "suites/common/inputs.hpp"

namespace torchgate::suites {
namespace {

constexpr std::int64_t stored_size = 64;
constexpr std::int64_t loaded_size = 48;

}  // namespace

torch::Tensor normalized(const torch::Tensor& bytes) {
  return bytes.to(torch::kFloat).div_(255).sub_(0.5).div_(0.25);
}

std::int64_t current_thread() {
  return static_cast<std::int64_t>(std::hash<std::thread::id>{}(std::this_thread::get_id()));
}

Images::Images(std::int64_t count, const bench::Args& args) {
  Inputs inputs(args);
  for (std::int64_t i = 0; i < count; ++i) bytes_.push_back(inputs.bytes({3, stored_size, stored_size}));
}

torch::data::Example<> Images::get(std::size_t index) {
  const at::NoGradGuard no_grad;  // workers have their own thread-local state
  torch::Tensor image =
      at::upsample_bilinear2d(bytes_[index].unsqueeze(0), {loaded_size, loaded_size}, /*align_corners=*/false)
          .squeeze(0);
  if (index % 2 == 1) image = image.flip(2);
  return {normalized(image), torch::tensor({static_cast<std::int64_t>(index), current_thread()})};
}

}  // namespace torchgate::suites
