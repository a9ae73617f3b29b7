// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/process_group.hpp"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <cstdlib>
#include <string>

#include "harness/bench/ranks/world.hpp"

namespace torchgate::suites {
namespace {

using c10d::ProcessGroupGloo;

// Shorter than the ranks' patience with each other (harness/bench/ranks/socket_world.hpp): who waits in a collective for a rank
// that has failed comes back in time to hear why.
constexpr std::chrono::seconds collective_limit{20};
constexpr const char* loopback = "127.0.0.1";

std::string address_of_first() {
  const char* given = std::getenv("MASTER_ADDR");
  return given == nullptr ? loopback : given;
}

bool is_loopback(const std::string& address) {
  return address == loopback || address == "localhost" || address == "::1";
}

// Where the ranks tell each other their Gloo addresses: a server in rank 0, at a port that the kernel picks.
c10::intrusive_ptr<c10d::Store> common_store(bench::World& world) {
  c10d::TCPStoreOptions options;
  options.numWorkers = static_cast<std::size_t>(world.size());
  options.waitWorkers = false;
  options.timeout = collective_limit;
  if (world.rank() == 0) {
    options.isServer = true;
    options.port = 0;
    auto store = c10::make_intrusive<c10d::TCPStore>(address_of_first(), options);
    world.from_first(std::to_string(store->getPort()));
    return store;
  }
  options.port = static_cast<std::uint16_t>(std::stoi(world.from_first("")));
  return c10::make_intrusive<c10d::TCPStore>(address_of_first(), options);
}

}  // namespace

c10::intrusive_ptr<c10d::ProcessGroup> connect_this_rank() {
  bench::World& world = bench::this_world();
  const auto store = common_store(world);
  const int rank = static_cast<int>(world.rank());
  const int size = static_cast<int>(world.size());
  auto options = ProcessGroupGloo::Options::create(collective_limit);
  options->devices.push_back(is_loopback(address_of_first()) ? ProcessGroupGloo::createDeviceForHostname(loopback)
                                                             : ProcessGroupGloo::createDefaultDevice());
  options->threads = 1;
  const auto gloo = c10::make_intrusive<ProcessGroupGloo>(store, rank, size, options);
  auto group = c10::make_intrusive<c10d::ProcessGroup>(store, rank, size);
  group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
  group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
  group->setGroupName("torchgate");
  return group;
}

c10::intrusive_ptr<c10d::ProcessGroup> connect_ranks() {
  auto group = connect_this_rank();
  bench::this_world().barrier();
  return group;
}

}  // namespace torchgate::suites
