// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/sampler.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

namespace torchgate::bench {
namespace {

// How many of the last warm-up calls, and how many trial blocks, estimate a duration: the median of an odd few is not
// moved by one interrupt or one jump of the clock.
constexpr std::size_t estimate_calls = 5;
constexpr std::size_t trial_blocks = 3;
// More calls than fit into 20 us: ends the search for a block if the clock does not advance.
constexpr std::int64_t most_calls_per_sample = 1 << 20;
// Of the untimed set-ups of one sample: 40 samples then cost 2 to 4 s, also where a call takes 1 us and its set-up 10 ms.
constexpr std::int64_t most_set_up_ns = 50'000'000;

template <std::size_t N>
std::int64_t median_of_first(std::array<std::int64_t, N> values, std::size_t count) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(values.begin(), middle, values.begin() + static_cast<std::ptrdiff_t>(count));
  return *middle;
}

}  // namespace

class Sampler {
 public:
  Sampler(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock,
          World& world, const std::vector<std::string>& of_all_ranks)
      : timed_(timed),
        settle_(settle),
        settings_(settings),
        clock_(clock),
        world_(world),
        of_all_ranks_(of_all_ranks),
        recorder_(clock) {}

  Samples run(SampleObserver* observer) {
    const std::int64_t call_ns = warm_up();
    const std::int64_t block_ns = find_block(call_ns);
    const std::int64_t count = number_of_samples(settings_, cost_ns(block_ns));
    samples_.wall_ns.reserve(static_cast<std::size_t>(count));
    samples_.cpu_ns.reserve(static_cast<std::size_t>(count));
    if (observer != nullptr) observer->on_start(count, samples_.calls_per_sample);
    observer_ = observer;
    for (std::int64_t i = 0; i < count; ++i) take_observed();
    return std::move(samples_);
  }

  Samples run_in_turns(TurnGiver& turns, SampleObserver* observer) {
    observer_ = observer;
    begin_parts();
    blocks_ = std::max<std::int64_t>(1, (settings_.blocks_least_ns + sample_ns_ - 1) / sample_ns_);
    sample_ns_ *= blocks_;
    const bool counted = settings_.samples_least == settings_.samples_most;  // the case asks for a number of samples
    planned_ = std::numeric_limits<std::size_t>::max();                      // the giver says when it is enough
    const std::int64_t most_samples = std::numeric_limits<std::int64_t>::max() / sample_ns_;
    turns.ready(
        {sample_ns_, counted ? std::min(settings_.samples_most, most_samples) * sample_ns_ : settings_.budget_most_ns});
    while (const auto turn_ns = turns.next_turn()) take_turn(*turn_ns, turns);
    return finish();
  }

  void begin_parts() {
    const std::int64_t block_ns = find_block(warm_up());
    sample_ns_ = std::max<std::int64_t>(1, cost_ns(block_ns));
    planned_ = static_cast<std::size_t>(number_of_samples(settings_, sample_ns_));
  }

  bool take_part(std::int64_t part_ns) {
    take_for(part_ns);
    return samples_.wall_ns.size() < planned_;
  }

  Samples finish() {
    samples_.calls_per_sample *= blocks_;
    return std::move(samples_);
  }

 private:
  // As many samples as fit into this time and are planned, at least one; returns what they took.
  std::int64_t take_for(std::int64_t time_ns) {
    const std::int64_t begin = clock_.wall_ns();
    if (time_ns / sample_ns_ >= samples_to_drop_one) block(samples_.calls_per_sample);
    std::int64_t spent_ns = 0;
    do {
      take_observed();
      spent_ns = clock_.wall_ns() - begin;
    } while (samples_.wall_ns.size() < planned_ && spent_ns + sample_ns_ / 2 < time_ns);
    return spent_ns;
  }

  void take_turn(std::int64_t turn_ns, TurnGiver& turns) {
    const std::size_t before = samples_.wall_ns.size();
    const std::int64_t spent_ns = take_for(turn_ns);
    const auto taken = static_cast<std::int64_t>(samples_.wall_ns.size() - before);
    samples_.turns.push_back(taken);
    smallest_ = std::min(smallest_, *std::min_element(samples_.wall_ns.begin() + static_cast<std::ptrdiff_t>(before),
                                                      samples_.wall_ns.end()));
    const auto near = std::count_if(samples_.wall_ns.begin(), samples_.wall_ns.end(),
                                    [&](double ns) { return ns <= smallest_ * near_floor_ratio; });
    turns.took({taken, near, spent_ns});
  }

  // Returns how long the last calls took; the first one only when there is no other.
  std::int64_t warm_up() {
    block(1);
    std::array<std::int64_t, estimate_calls> recent{};
    std::size_t seen = 0;
    // With the set-up of each call and the readings of the clocks: they can take a hundred times as long as a call.
    const std::int64_t begin = clock_.wall_ns();
    for (std::int64_t spent = 0; spent < settings_.warmup_most_ns || seen == 0; ++seen) {
      const bool enough = samples_.warmup_calls >= settings_.warmup_least_calls && spent >= settings_.warmup_least_ns;
      if (seen > 0 && enough) break;
      recent[seen % estimate_calls] = block(1);
      spent = std::max(spent + 1, longest(clock_.wall_ns() - begin));  // comes to an end where a clock stands still
    }
    return median_of_first(recent, std::min(seen, estimate_calls));
  }

  // The smallest block of 2^k calls whose fastest trial is long enough: a single timed call includes reading the clock,
  // which takes longer than many calls. Returns the time of a block.
  std::int64_t find_block(std::int64_t call_ns) {
    std::int64_t& calls = samples_.calls_per_sample;
    if (call_ns >= settings_.sample_least_ns) return call_ns;
    while (!has_most_calls() && calls * std::max<std::int64_t>(1, call_ns) < settings_.sample_least_ns) calls *= 2;
    for (;; calls *= 2) {
      std::array<std::int64_t, trial_blocks> trials{};
      for (std::int64_t& trial : trials) trial = block(calls);
      const bool long_enough = *std::min_element(trials.begin(), trials.end()) >= settings_.sample_least_ns;
      if (long_enough || has_most_calls()) return median_of_first(trials, trials.size());
    }
  }

  [[nodiscard]] bool has_most_calls() const {
    const std::int64_t calls = samples_.calls_per_sample;
    return calls >= most_calls_per_sample || calls * set_up_ns_.value_or(0) >= most_set_up_ns;
  }

  // What a sample of these calls takes of the budget.
  [[nodiscard]] std::int64_t cost_ns(std::int64_t block_ns) const {
    return block_ns + samples_.calls_per_sample * set_up_ns_.value_or(0);
  }

  // Not part of the result; returns the elapsed time.
  std::int64_t block(std::int64_t calls) {
    recorder_.clear();
    const std::int64_t begin = clock_.wall_ns();
    const Elapsed elapsed = run_block(calls, false);
    samples_.warmup_calls += calls;
    if (timed_.has_set_up()) {
      const std::int64_t each_ns = longest((clock_.wall_ns() - begin - elapsed.wall_ns) / calls);
      set_up_ns_ = std::min(set_up_ns_.value_or(each_ns), each_ns);
    }
    return longest(elapsed.wall_ns);
  }

  std::int64_t longest(std::int64_t ns) { return static_cast<std::int64_t>(world_.largest(static_cast<double>(ns))); }

  struct Elapsed {
    std::int64_t wall_ns = 0;
    std::int64_t cpu_ns = 0;
  };

  // With `together`, ranks start together.
  Elapsed run_block(std::int64_t calls, bool together) {
    if (!timed_.has_set_up()) return run_calls(calls, together);
    Elapsed sum;
    for (std::int64_t call = 0; call < calls; ++call) {
      timed_.set_up();
      settle_();
      const Elapsed one = run_calls(1, together);
      sum.wall_ns += one.wall_ns;
      sum.cpu_ns += one.cpu_ns;
    }
    return sum;
  }

  Elapsed run_calls(std::int64_t calls, bool together) {
    if (together) world_.barrier();
    const std::int64_t cpu_begin = clock_.cpu_ns();
    const std::int64_t begin = clock_.wall_ns();
    for (std::int64_t call = 0; call < calls; ++call) timed_.run(recorder_);
    settle_();
    const std::int64_t end = clock_.wall_ns();
    const std::int64_t cpu_end = clock_.cpu_ns();
    if (together && (end < begin || cpu_end < cpu_begin))
      throw std::runtime_error("the clock went backwards during a sample");
    return {end - begin, cpu_end - cpu_begin};
  }

  void take_observed() {
    if (observer_ != nullptr) observer_->on_sample_begin();
    take();
    if (observer_ != nullptr) observer_->on_sample_end();
  }

  void take() {
    const std::int64_t calls = samples_.calls_per_sample;
    recorder_.clear();
    Elapsed elapsed;
    for (std::int64_t block = 0; block < blocks_; ++block) {
      const Elapsed one = run_block(calls, true);
      elapsed.wall_ns += one.wall_ns;
      elapsed.cpu_ns += one.cpu_ns;
    }
    // Divided, not multiplied by a reciprocal: 3 of something per call stay exactly 3.
    const auto per_call = [calls = calls * blocks_](double sum) { return sum / static_cast<double>(calls); };
    add_times(per_call(static_cast<double>(elapsed.wall_ns)), per_call(static_cast<double>(elapsed.cpu_ns)));
    for (const auto& [metric, sum] : recorder_.sums()) {
      if (sum.puts > 0) samples_.recorded[metric].push_back(per_call(sum.value));
    }
    join_ranks();
    pool();
  }

  // Every rank takes part, also one that recorded nothing: the others wait for it.
  void join_ranks() {
    for (const std::string& metric : of_all_ranks_) {
      std::vector<double>& values = samples_.recorded[metric];
      const bool recorded = values.size() == samples_.wall_ns.size();
      const double largest = world_.largest(recorded ? values.back() : std::numeric_limits<double>::lowest());
      if (recorded) values.back() = largest;
    }
  }

  void pool() {
    for (const auto& [metric, values] : recorder_.observations()) {
      if (values.empty()) continue;
      Samples::Pooled& all = samples_.pooled[metric];
      if (all.values.size() + values.size() > most_observations)
        throw std::runtime_error("more than " + std::to_string(most_observations) + " observations of \"" + metric +
                                 "\" in one process; make fewer in a call, or ask for fewer calls with samples()");
      all.values.insert(all.values.end(), values.begin(), values.end());
      all.ends.push_back(all.values.size());
    }
  }

  void add_times(double wall_ns, double cpu_ns) {
    double fastest = wall_ns;
    for (const std::vector<double>& rank : world_.all_of({wall_ns, cpu_ns})) {
      wall_ns = std::max(wall_ns, rank[0]);
      cpu_ns = std::max(cpu_ns, rank[1]);
      fastest = std::min(fastest, rank[0]);
    }
    samples_.wall_ns.push_back(wall_ns);
    samples_.cpu_ns.push_back(cpu_ns);
    if (world_.size() > 1) samples_.recorded[rank_spread].push_back(wall_ns - fastest);
  }

  Timed& timed_;
  const std::function<void()>& settle_;
  const SamplerSettings& settings_;
  Clock& clock_;
  World& world_;
  const std::vector<std::string>& of_all_ranks_;
  SampleObserver* observer_ = nullptr;
  Recorder recorder_;
  Samples samples_;
  std::optional<std::int64_t> set_up_ns_;  // of a call, the shortest; absent: nothing is set up
  std::int64_t sample_ns_ = 1;             // with what is set up
  std::int64_t blocks_ = 1;                // of a sample
  std::size_t planned_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();  // of the samples of all turns
};

namespace {
const std::vector<std::string> no_ranks;
}  // namespace

SamplerSettings quick_settings() {
  SamplerSettings settings;
  settings.warmup_least_ns = 10'000'000;
  settings.warmup_most_ns = 500'000'000;
  settings.budget_ns = 40'000'000;
  settings.samples_least = 15;
  settings.samples_most = 200;
  settings.budget_most_ns = 500'000'000;
  settings.profile_ns = 4'000'000;
  settings.heap_ns = 2'000'000;
  return settings;
}

SamplerSettings series_settings() {
  SamplerSettings settings;
  settings.warmup_least_calls = 2;  // the second says how long a call takes
  settings.warmup_least_ns = 0;
  settings.warmup_most_ns = 0;
  settings.samples_least = 4000;
  settings.samples_most = 4000;
  settings.budget_most_ns = 6'000'000'000;
  return settings;
}

SamplerSettings with_asked_warmup(SamplerSettings settings, std::int64_t calls) {
  settings.warmup_least_calls = calls;
  settings.warmup_least_ns = 0;
  settings.warmup_most_ns = std::numeric_limits<std::int64_t>::max();
  settings.warmup_asked = true;
  return settings;
}

SamplerSettings with_asked_samples(SamplerSettings settings, std::int64_t count) {
  settings.samples_least = count;
  settings.samples_most = count;
  settings.budget_most_ns = std::numeric_limits<std::int64_t>::max();
  settings.samples_asked = true;
  return settings;
}

SamplerSettings with_samples(SamplerSettings settings, std::int64_t count) {
  if (settings.samples_asked) return settings;
  settings.samples_least = count;
  settings.samples_most = count;
  settings.budget_most_ns = std::numeric_limits<std::int64_t>::max();
  if (!settings.warmup_asked) {
    settings.warmup_least_calls = 2;  // the first call, which may still load and allocate, and one more
    settings.warmup_least_ns = 0;
  }
  settings.profile_ns = 0;
  settings.heap_ns = 0;
  return settings;
}

std::int64_t number_of_samples(const SamplerSettings& settings, std::int64_t sample_ns) {
  sample_ns = std::max<std::int64_t>(1, sample_ns);
  const std::int64_t affordable = settings.budget_ns / sample_ns;
  const std::int64_t wanted = std::clamp(affordable, settings.samples_least, settings.samples_most);
  const std::int64_t bearable = std::max(fewest_samples, settings.budget_most_ns / sample_ns);
  return std::min(wanted, bearable);
}

Samples sample(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock,
               SampleObserver* observer, World& world, const std::vector<std::string>& of_all_ranks) {
  return Sampler(timed, settle, settings, clock, world, of_all_ranks).run(observer);
}

Samples sample_in_turns(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings,
                        Clock& clock, TurnGiver& turns, SampleObserver* observer) {
  return Sampler(timed, settle, settings, clock, solo_world(), no_ranks).run_in_turns(turns, observer);
}

// What a Sampler refers to lives as long as it does.
struct PartedSampling::State {
  State(Timed& timed, std::function<void()> settle_with, const SamplerSettings& with, Clock& clock)
      : settle(std::move(settle_with)),
        settings(with),
        sampler(timed, settle, settings, clock, solo_world(), no_ranks) {}

  std::function<void()> settle;
  SamplerSettings settings;
  Sampler sampler;
};

PartedSampling::PartedSampling(Timed& timed, std::function<void()> settle, const SamplerSettings& settings,
                               Clock& clock)
    : state_(std::make_unique<State>(timed, std::move(settle), settings, clock)) {}
PartedSampling::PartedSampling(PartedSampling&&) noexcept = default;
PartedSampling::~PartedSampling() = default;

void PartedSampling::begin() {
  state_->sampler.begin_parts();
}
bool PartedSampling::take_part(std::int64_t part_ns) {
  return state_->sampler.take_part(part_ns);
}
Samples PartedSampling::finish() {
  return state_->sampler.finish();
}

}  // namespace torchgate::bench
