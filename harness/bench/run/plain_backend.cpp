// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/cpu_feature.hpp"

namespace torchgate::bench {
namespace {

class PlainBackend final : public Backend {
 public:
  void start(int) override {}
  [[nodiscard]] std::vector<record::Parameter> facts() const override { return {}; }
  [[nodiscard]] std::optional<std::string> unmet(const std::string& requirement) const override {
    if (requirement == "cuda") return "no CUDA device: this suite is built without LibTorch";
    return missing_cpu_feature(requirement);
  }
  void prepare(std::uint64_t, bool) override {}
  void synchronize(const std::string&) override {}
  Observation observe(const std::string&, const CountedCall& call) override {
    call.set_up();
    call.run();
    return {};
  }
};

}  // namespace

base::Result<Device*> Backend::device(const std::string&) {
  return nullptr;
}

std::optional<std::string> Backend::lost(const std::string& name) {
  const auto opened = device(name);
  if (!opened || *opened == nullptr) return std::nullopt;
  return (*opened)->lost();
}

base::Boxed<record::OperatorProfile> Backend::profile(const std::function<void()>&, std::int64_t) {
  return {};
}

std::unique_ptr<Backend> plain_backend() {
  return std::make_unique<PlainBackend>();
}

}  // namespace torchgate::bench
