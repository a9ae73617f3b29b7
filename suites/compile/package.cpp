// SPDX-License-Identifier: Apache-2.0
#include "suites/compile/package.hpp"

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/torch.h>

#include <cstdlib>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites::compile {
namespace {

using torch::inductor::AOTIModelPackageLoader;

std::shared_ptr<AOTIModelPackageLoader> loaded(const std::string& path) {
  // One thread runs it: then no lock and no pool of instances is in the way.
  return std::make_shared<AOTIModelPackageLoader>(path, "model", /*run_single_threaded=*/true);
}

std::shared_ptr<AOTIModelPackageLoader> loader_of(const std::string& path) {
  static std::map<std::string, std::shared_ptr<AOTIModelPackageLoader>> known;
  auto& loader = known[path];
  if (loader == nullptr) loader = loaded(path);
  return loader;
}

}  // namespace

Package::Package(const std::string& path, std::optional<std::int64_t> batch) : Package(loader_of(path), batch) {}

Package::Package(std::shared_ptr<Loader> loader, std::optional<std::int64_t> batch)
    : loader_(std::move(loader)), batch_(batch) {}

Package Package::loaded_anew(const std::string& path, std::optional<std::int64_t> batch) {
  return {loaded(path), batch};
}

torch::Tensor Package::operator()(const torch::Tensor& x) const {
  return outputs({x}).front();
}

std::vector<torch::Tensor> Package::outputs(const std::vector<torch::Tensor>& inputs) const {
  for (const torch::Tensor& each : inputs) {
    if (batch_ && each.size(0) != *batch_)
      throw std::invalid_argument("the package is compiled for " + std::to_string(*batch_) + " rows, not for " +
                                  std::to_string(each.size(0)));
  }
  return loader_->run(inputs);
}

std::string Package::text(const std::string& key) const {
  const auto metadata = loader_->get_metadata();
  const auto found = metadata.find("torchgate_" + key);
  if (found == metadata.end())
    throw std::runtime_error("torchgate_" + key +
                             " is missing in the package; make it with suites/compile/packages.py");
  return found->second;
}

double Package::number(const std::string& key) const {
  return std::strtod(text(key).c_str(), nullptr);
}

Numbers Package::numbers(std::span<const char* const> keys) const {
  Numbers found;
  for (const char* key : keys) found[key] = number(key);
  return found;
}

std::map<std::string, torch::Tensor> Package::constants() const {
  const auto map = loader_->get_runner()->extract_constants_map(/*use_inactive=*/false);
  return {map.begin(), map.end()};
}

void Package::use_constants(std::map<std::string, torch::Tensor> constants) {
  std::unordered_map<std::string, torch::Tensor> given(constants.begin(), constants.end());
  loader_->load_constants(given, /*use_inactive=*/false, /*check_full_update=*/true, /*user_managed=*/true);
  kept_alive_ = std::move(constants);
}

bench::Timed calls_of(Package package, torch::Tensor x) {
  return [package = std::move(package), x = std::move(x)] { return package(x); };
}

void put_all(const Numbers& numbers, bench::Recorder& recorder) {
  for (const auto& [name, value] : numbers) recorder.put(name, value);
}

}  // namespace torchgate::suites::compile
