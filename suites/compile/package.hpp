// SPDX-License-Identifier: Apache-2.0
// A model that AOTInductor compiled, loaded once per process.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "harness/bench/timed.hpp"

namespace torch::inductor {
class AOTIModelPackageLoader;
}

namespace torchgate::suites::compile {

class Package {
 public:
  /// The package at `path`. Those that were loaded before are shared until the process ends: unloading one would remove its
  /// folder, and with it files that the process read. `batch`: the number of rows that it was compiled for; absent: any.
  explicit Package(const std::string& path, std::optional<std::int64_t> batch = std::nullopt);

  /// Throws std::invalid_argument for another number of rows: the compiled code does not check it, and would read past the end.
  torch::Tensor operator()(const torch::Tensor& x) const;

  /// A number that packages.py wrote into the package's metadata. Throws std::runtime_error if there is none.
  [[nodiscard]] double number(const std::string& key) const;

  /// The weights by name, as the package holds them.
  [[nodiscard]] std::map<std::string, torch::Tensor> constants() const;
  /// From now on the package uses these tensors, which it neither copies nor owns.
  void use_constants(std::map<std::string, torch::Tensor> constants);

 private:
  std::shared_ptr<torch::inductor::AOTIModelPackageLoader> loader_;
  std::optional<std::int64_t> batch_;
  std::map<std::string, torch::Tensor> kept_alive_;
};

/// A call of the package with these rows.
bench::Timed calls_of(Package package, torch::Tensor x);

}  // namespace torchgate::suites::compile
