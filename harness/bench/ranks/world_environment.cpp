// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/world_environment.hpp"

#include <charconv>
#include <cstdlib>

namespace torchgate::bench {
namespace {

constexpr std::int64_t most_ranks = 4096;
constexpr std::int64_t highest_port = 65'535;

base::Error bad(const std::string& what) {
  return {base::ErrorCode::bad_input, what};
}

base::Result<std::int64_t> number(const Lookup& lookup, const char* name, std::int64_t least, std::int64_t most) {
  const auto text = lookup(name);
  if (!text)
    return bad(std::string(name) + " is missing, although other variables of a job with several ranks are set");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size() || value < least || value > most) {
    return bad(std::string(name) + ": invalid value \"" + *text + "\"; use an integer from " + std::to_string(least) +
               " to " + std::to_string(most));
  }
  return value;
}

}  // namespace

Lookup environment_lookup() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

base::Result<std::optional<WorldPlace>> world_place(const Lookup& lookup) {
  const bool by_torchrun = lookup("RANK") && lookup("WORLD_SIZE");
  const bool by_srun = !by_torchrun && lookup("SLURM_STEP_NUM_TASKS");
  if (!by_torchrun && !by_srun) return std::optional<WorldPlace>{};
  const auto size = number(lookup, by_torchrun ? "WORLD_SIZE" : "SLURM_STEP_NUM_TASKS", 1, most_ranks);
  if (!size) return size.error();
  if (*size == 1) return std::optional<WorldPlace>{};
  const auto rank = number(lookup, by_torchrun ? "RANK" : "SLURM_PROCID", 0, *size - 1);
  if (!rank) return rank.error();
  auto port = number(lookup, "MASTER_PORT", 1, highest_port - 1);
  if (!port) return port.error();
  const auto address = lookup("MASTER_ADDR");
  if (!address || address->empty()) return bad("MASTER_ADDR is missing; set it to the address of rank 0");
  const bool is_agents = lookup("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True";
  return std::optional<WorldPlace>{{*rank, *size, *address, static_cast<int>(*port) + (is_agents ? 1 : 0)}};
}

}  // namespace torchgate::bench
