// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/ranks/world.hpp"

#include <algorithm>
#include <cstring>

namespace torchgate::bench {
namespace {

class SoloWorld final : public World {
 public:
  [[nodiscard]] std::int64_t rank() const override { return 0; }
  [[nodiscard]] std::int64_t size() const override { return 1; }

 protected:
  std::vector<std::string> exchange(const std::string& mine) override { return {mine}; }
};

std::unique_ptr<World>& joined() {
  static std::unique_ptr<World> world;
  return world;
}

// Ranks are processes of one executable on machines of one kind: they store a double in the same bytes.
std::string bytes_of(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

std::vector<double> numbers_of(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

World::Met must_be_together(World::Met met) {
  if (!met.together) throw RankAhead("another rank did not reach this point");
  return met;
}

}  // namespace

World::Met World::meet(Topic topic, const std::string& text) {
  Met met;
  for (const std::string& heard : exchange(static_cast<char>(topic) + text)) {
    met.together = met.together && heard.front() == static_cast<char>(topic);
    met.texts.push_back(heard.substr(1));
  }
  return met;
}

void World::barrier() {
  if (size() > 1) must_be_together(meet(Topic::measuring, ""));
}

std::vector<std::vector<double>> World::all_of(const std::vector<double>& mine) {
  if (size() == 1) return {mine};
  std::vector<std::vector<double>> all;
  for (const std::string& text : must_be_together(meet(Topic::measuring, bytes_of(mine))).texts) {
    all.push_back(numbers_of(text));
    if (all.back().size() != mine.size()) throw RankAhead("another rank performs a different operation");
  }
  return all;
}

double World::largest(double mine) {
  if (size() == 1) return mine;
  for (const std::vector<double>& numbers : all_of({mine})) mine = std::max(mine, numbers.front());
  return mine;
}

std::vector<std::string> World::texts_of_all(const std::string& mine) {
  if (size() == 1) return {mine};
  return must_be_together(meet(Topic::measuring, mine)).texts;
}

std::string World::from_first(const std::string& text) {
  if (size() == 1) return text;
  return must_be_together(meet(Topic::measuring, text)).texts.front();
}

World& solo_world() {
  static SoloWorld world;
  return world;
}

World& this_world() {
  return joined() ? *joined() : solo_world();
}

void join_this_world(std::unique_ptr<World> world) {
  joined() = std::move(world);
}

}  // namespace torchgate::bench
