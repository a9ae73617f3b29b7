// SPDX-License-Identifier: Apache-2.0
// A model that AOTInductor compiled.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/timed.hpp"

namespace torch::inductor {
class AOTIModelPackageLoader;
}

namespace torchgate::suites::compile {

/// Numbers of a package's metadata by name.
using Numbers = std::map<std::string, double>;

class Package {
 public:
  /// The package at `path`. Throws Skip if it is compiled for instructions that this CPU does not have, or TMPDIR, where it is unpacked, is mounted with
  /// noexec. Those that were loaded before are shared until the process ends: unloading one would remove its
  /// folder, and with it files that the process read. `batch`: the number of rows that it was compiled for; absent: any.
  explicit Package(const std::string& path, std::optional<std::int64_t> batch = std::nullopt);

  /// Loaded once more, and unloaded with its last copy, as a server does that keeps some of its programs. Groups that do this are
  /// measured also with --skip-unchanged.
  static Package loaded_anew(const std::string& path, std::optional<std::int64_t> batch = std::nullopt);

  /// Throws std::invalid_argument for another number of rows: the compiled code does not check it, and would read past the end.
  torch::Tensor operator()(const torch::Tensor& x) const;
  /// All outputs of a model with several inputs, each of which has the rows.
  [[nodiscard]] std::vector<torch::Tensor> outputs(const std::vector<torch::Tensor>& inputs) const;

  /// What packages.py wrote into the package's metadata. Throws std::runtime_error if it is missing.
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] Numbers numbers(std::span<const char* const> keys) const;

  /// The weights by name, as the package holds them.
  [[nodiscard]] std::map<std::string, torch::Tensor> constants() const;
  /// From now on the package uses these tensors, which it neither copies nor owns.
  void use_constants(std::map<std::string, torch::Tensor> constants);

 private:
  using Loader = torch::inductor::AOTIModelPackageLoader;
  Package(std::shared_ptr<Loader> loader, std::optional<std::int64_t> batch);

  std::shared_ptr<Loader> loader_;
  std::optional<std::int64_t> batch_;
  std::map<std::string, torch::Tensor> kept_alive_;
};

/// A call of the package with these rows.
bench::Timed calls_of(Package package, torch::Tensor x);

/// Puts each number under its name.
void put_all(const Numbers& numbers, bench::Recorder& recorder);

}  // namespace torchgate::suites::compile
