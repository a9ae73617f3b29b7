// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/bench/run/backend.hpp"

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
  Observation observe(const std::string&, const std::function<void()>& call) override {
    call();
    return {};
  }
};

}  // namespace

base::Result<Device*> Backend::device(const std::string&) {
  return nullptr;
}

base::Boxed<record::OperatorProfile> Backend::profile(const std::function<void()>&, std::int64_t) {
  return {};
}

std::unique_ptr<Backend> plain_backend() {
  return std::make_unique<PlainBackend>();
}

std::optional<std::string> missing_cpu_feature(const std::string& name) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpuinfo, line)) {
    // "flags" on x86, "Features" on Arm
    if (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0) continue;
    std::istringstream words(line.substr(std::min(line.find(':'), line.size())));
    std::string word;
    while (words >> word) {
      if (word == name) return std::nullopt;
    }
    return "this CPU has no " + name;
  }
  return "CPU feature " + name + " unknown: /proc/cpuinfo lists no features";
}

}  // namespace torchgate::bench
