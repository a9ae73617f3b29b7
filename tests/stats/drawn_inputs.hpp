// SPDX-License-Identifier: Apache-2.0
// Inputs that tests/oracles/stats/make_verdicts.py draws in the same way, digit for digit: whole numbers times 2^-46, so
// that no rounding differs between languages. The order of the calls is part of the fixture.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace torchgate::stats::testing {

/// splitmix64 and what is made of it.
class Draw {
 public:
  static constexpr double unit = 0x1p-46;
  static constexpr std::int64_t centre = std::int64_t{6} << 46U;

  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }

  template <typename Value>
  Value pick(const std::vector<Value>& choices) {
    return choices[below(choices.size())];
  }

  /// The sum of eight 32-bit numbers about 0, nearly normal.
  std::int64_t noise() {
    std::int64_t total = -8 * (std::int64_t{1} << 31U);
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t z = next();
      total += static_cast<std::int64_t>((z >> 32U) + (z & 0xffffffffU));
    }
    return total;
  }

  /// Kinds: 0 nearly normal, 1 heavy-tailed, 2 two modes.
  std::int64_t value(std::uint64_t kind, std::int64_t scale, std::int64_t mode) {
    std::int64_t drawn = noise() * scale;
    if (kind == 1 && below(16) == 0) drawn *= 8;
    if (kind == 2 && below(10) < 3) drawn += mode;
    return drawn;
  }

  std::vector<std::int64_t> whole_values(std::uint64_t n, std::int64_t level, std::uint64_t kind, std::int64_t scale,
                                         std::int64_t mode) {
    std::vector<std::int64_t> drawn;
    for (std::uint64_t i = 0; i < n; ++i) drawn.push_back(level + value(kind, scale, mode));
    return drawn;
  }

 private:
  std::uint64_t state_;
};

inline std::vector<double> real(const std::vector<std::int64_t>& whole) {
  std::vector<double> values;
  for (std::int64_t one : whole) values.push_back(static_cast<double>(one) * Draw::unit);
  return values;
}

/// What the inputs are drawn from; both languages read or write it in the fixture.
struct Choices {
  explicit Choices(const nlohmann::json& fixture)
      : mode(fixture.at("mode")),
        scales(fixture.at("scales")),
        effects(fixture.at("effects")),
        ratios(fixture.at("ratios")),
        shifts(fixture.at("shifts")),
        families(fixture.at("families")),
        suites(fixture.at("suites")),
        pairs(fixture.at("pairs")),
        run_sds(fixture.at("run_sds")),
        promises(fixture.at("promises")),
        alphas(fixture.at("alphas")),
        no_harm(fixture.at("no_harm")),
        alpha_shares(fixture.at("alpha_shares")),
        candidate_p(fixture.at("candidate_p")) {}

  std::int64_t mode;
  std::vector<std::int64_t> scales, effects, ratios, shifts;
  std::vector<std::size_t> families, suites, pairs;
  std::vector<double> run_sds, promises, alphas, no_harm, alpha_shares;
  double candidate_p;
};

}  // namespace torchgate::stats::testing
