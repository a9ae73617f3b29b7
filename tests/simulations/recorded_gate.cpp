// SPDX-License-Identifier: Apache-2.0
// The gate's whole procedure on recordings: the screen of a session, then recorded pairs of suspects and of open cases.
#include <array>

#include "stats/interleaved.hpp"
#include "tests/simulations/recorded_rules.hpp"
#include "tests/simulations/recorded_screens.hpp"
#include "tests/simulations/two_stages.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;

constexpr std::array compared_variants{"base2", "alt", "p2", "p5", "p10"};
constexpr std::array stored_counts{std::size_t{1}, std::size_t{3}, recorded_history};

std::vector<stats::Screen> screen_all(const Recordings& recordings, std::size_t now, std::size_t stored,
                                      const Variant& variant) {
  if (stored == recorded_history) return screen_session(recordings, now, variant, &RecordedProcess::log_median, false);
  std::vector<stats::Screen> screens;
  for (const Workload& workload : recordings.workloads) {
    screens.push_back(screen_few(recordings, now, stored, workload, variant));
  }
  return screens;
}

struct Shares {
  double regressed = 0.0;
  double decided = 0.0;
};

// Of the recorded sequences of this workload and variant: every one is as good as the session's own pairs.
Shares judge_in_pairs(const Recordings& recordings, const Workload& workload, const Variant& variant,
                      const stats::InterleavedOptions& options) {
  const Variant name = variant == "base2" ? "aa" : variant;
  Shares shares;
  double all = 0.0;
  for (const RecordedSequence& sequence : recordings.sequences) {
    if (sequence.workload != workload || sequence.variant != name) continue;
    const auto judged = stats::judge_interleaved(pair_differences(sequence, &RecordedProcess::log_median), options);
    shares.regressed += judged.call == Call::regressed ? 1.0 : 0.0;
    shares.decided += judged.call != Call::inconclusive ? 1.0 : 0.0;
    all += 1.0;
  }
  if (all > 0.0) shares = {shares.regressed / all, shares.decided / all};
  return shares;
}

}  // namespace

CountTable judge_gate(const Recordings& recordings, std::size_t folder) {
  CountTable table;
  for (std::size_t now = recorded_history; now < recordings.sessions.size(); ++now) {
    if (recordings.sessions[now].folder != folder) continue;
    for (const Variant variant : compared_variants) {
      for (const std::size_t stored : stored_counts) {
        const std::vector<stats::Screen> screens = screen_all(recordings, now, stored, variant);
        const auto is_suspect = [&](std::size_t w) { return screens[w].call == Call::suspected; };
        const auto is_open = [&](std::size_t w) { return !is_suspect(w) && screens[w].call != Call::equivalent; };
        std::size_t suspects = 0;
        std::size_t open = 0;
        for (std::size_t w = 0; w < screens.size(); ++w) {
          if (!is_valid(recordings.workloads[w], variant)) continue;
          suspects += is_suspect(w) ? 1U : 0U;
          open += is_open(w) ? 1U : 0U;
        }
        const std::string name = "gate, " + std::to_string(stored) + (stored == 1 ? " stored run" : " stored runs");
        for (std::size_t w = 0; w < screens.size(); ++w) {
          if (!is_valid(recordings.workloads[w], variant)) continue;
          const auto in_pairs = [&](const stats::InterleavedOptions& options) {
            return judge_in_pairs(recordings, recordings.workloads[w], variant, options);
          };
          Shares suspected{0.0, is_suspect(w) || is_open(w) ? 0.0 : 1.0};
          if (is_suspect(w)) suspected = in_pairs(suspect_options(Procedure{}, suspects, 0));
          Shares all = suspected;
          if (is_suspect(w)) all = in_pairs(suspect_options(Procedure{}, suspects, open));
          if (is_open(w)) all = in_pairs(open_options(Procedure{}, suspects, open));
          table.add(name + ", suspects in pairs: regressed", variant, suspected.regressed);
          table.add(name + ", open cases too: regressed", variant, all.regressed);
          table.add(name + ", suspects in pairs: decided", variant, suspected.decided);
          table.add(name + ", open cases too: decided", variant, all.decided);
        }
      }
    }
  }
  return table;
}

}  // namespace torchgate::simulations
