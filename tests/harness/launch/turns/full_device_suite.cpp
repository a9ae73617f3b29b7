// SPDX-License-Identifier: Apache-2.0
// A suite whose device has memory for one process at a time: a case on it has the lock of the file that the environment names, from when it is
// built until its process gives the memory back, as LibTorch's allocator keeps what was freed.
#include <fcntl.h>
#include <sys/file.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "harness/bench/bench.hpp"
#include "harness/bench/program/suite_program.hpp"
#include "harness/process/descriptor.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::bench;

process::Descriptor memory;

Timed on_device(const Args&) {
  const char* const file = std::getenv("FULL_DEVICE");
  if (file == nullptr) throw std::runtime_error("CUDA out of memory, whoever asks");
  memory = process::Descriptor(open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (flock(memory.get(), LOCK_EX | LOCK_NB) != 0) {
    memory.close();
    throw std::runtime_error("CUDA out of memory. Tried to allocate all of it");
  }
  return [] {
    volatile double sum = 1;
    for (int i = 0; i < 50'000; ++i) sum = sum * 1.0000001 + 1e-9;
    return static_cast<double>(sum);
  };
}

class FullDevice final : public Backend {
 public:
  void start(int) override {}
  [[nodiscard]] std::vector<record::Parameter> facts() const override { return {}; }
  [[nodiscard]] std::optional<std::string> unmet(const std::string&) const override { return std::nullopt; }
  void prepare(std::uint64_t, bool) override {}
  void synchronize(const std::string&) override {}
  void give_memory_back(const std::string& device) override {
    if (device == "cuda") memory.close();
  }
  Observation observe(const std::string&, const CountedCall& call) override {
    call.set_up();
    call.run();
    return {};
  }
};

TORCHGATE_GROUP("whole") {
  group.devices();
  group.sweep("spin", on_device);
}

}  // namespace

int main(int argc, char** argv) {
  return run_suite(argc, argv, "full_device", std::make_unique<FullDevice>());
}
