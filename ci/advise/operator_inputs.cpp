// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/operator_inputs.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace torchgate::advise {
namespace {

// "8x64x64", or "scalar".
std::optional<Sizes> sizes_of(std::string_view text) {
  Sizes sizes;
  if (text == "scalar") return sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::int64_t size = 0;
    const auto parsed = std::from_chars(at, end, size);
    if (parsed.ec != std::errc()) return std::nullopt;
    sizes.push_back(size);
    if (parsed.ptr == end) return sizes;
    if (*parsed.ptr != 'x') return std::nullopt;
    at = parsed.ptr + 1;
  }
}

OperatorInput input_of(std::string_view text) {
  constexpr std::string_view device = "cuda ";
  OperatorInput input;
  input.on_cuda = text.starts_with(device);
  if (input.on_cuda) text.remove_prefix(device.size());
  const std::size_t space = text.find(' ');
  input.type = text.substr(0, space);
  if (space == std::string_view::npos) return input;
  const std::string_view sizes = text.substr(space + 1);
  input.sizes = sizes_of(sizes.substr(0, sizes.find(' ')));
  return input;
}

}  // namespace

double OperatorInput::elements() const {
  if (!sizes) return 0;
  double product = 1;
  for (const std::int64_t size : *sizes) product *= static_cast<double>(size);
  return product;
}

std::vector<OperatorInput> inputs_of(const record::OperatorUse& use) {
  constexpr std::string_view separator = ", ";
  std::vector<OperatorInput> inputs;
  std::string_view rest = use.inputs;
  while (!rest.empty()) {
    const std::size_t end = rest.find(separator);
    inputs.push_back(input_of(rest.substr(0, end)));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + separator.size());
  }
  return inputs;
}

double first_elements(const record::OperatorUse& use) {
  const auto inputs = inputs_of(use);
  return inputs.empty() ? 0 : inputs.front().elements();
}

std::optional<double> element_bytes(std::string_view type) {
  if (type == "Half" || type == "BFloat16") return 2;
  if (type == "Float") return 4;
  if (type == "Double") return 8;
  return std::nullopt;
}

}  // namespace torchgate::advise
