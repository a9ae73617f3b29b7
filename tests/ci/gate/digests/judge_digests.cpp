// SPDX-License-Identifier: Apache-2.0
// Shows whether a change of ci/gate changes its results: judges random inputs, and prints for each a digest of the report, of its
// JSON and of the suspects.
//   judge_digests COUNT [SEED]     one line per input; on stderr, how often each verdict and action was reached
//   judge_digests --show SEED      the JSON of one input
//   judge_digests --decisions ...  the same for the decisions only: verdicts, changes, intervals, p, actions, claims, suspects;
//                                  not for the values, notes and doubts
// ci/scripts/same_verdicts.sh compares the lines of two commits.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/gate/judge.hpp"
#include "harness/base/content_hash.hpp"
#include "reports/formats/json.hpp"
#include "tests/ci/gate/digests/random_comparison.hpp"

namespace {

using namespace torchgate;
using gate::testing::RandomComparison;

struct Judged {
  const char* kind = "";
  base::Result<reports::Report> report;
  std::vector<std::string> suspects;
};

// As this commit takes its question. Unqualified: only one of the two functions is declared.
template <class Comparison>
std::vector<std::string> suspects_of(const Comparison& comparison, const policy::Policy& policy) {
  if constexpr (requires { cases_for_pairs(comparison, policy); }) {
    const auto cases = cases_for_pairs(comparison, policy);
    return cases ? cases->suspects : std::vector<std::string>{};
  } else {
    const auto suspects_of_comparison = suspects(comparison, policy);
    return suspects_of_comparison ? *suspects_of_comparison : std::vector<std::string>{};
  }
}

Judged judge(const RandomComparison& made) {
  if (!made.current) return {"paired", gate::judge_paired(*made.pairs, made.policy), {}};
  if (made.stored.empty()) return {"single", gate::describe_run(*made.current, made.policy), {}};
  gate::Comparison comparison;
  for (const record::Run& run : made.stored) comparison.baseline.push_back(&run);
  comparison.current = &*made.current;
  if (made.pairs) comparison.pairs = &*made.pairs;
  comparison.confirmable = made.confirmable;
  comparison.no_pairs_because = made.no_pairs_because;
  comparison.rebuilt = made.rebuilt;
  if (made.calibrated) comparison.run_sd_of = [](const std::string& name) { return 0.001 * (1.0 + name.back() % 9); };
  Judged judged{"stored", gate::judge_stored(comparison, made.policy), {}};
  judged.suspects = suspects_of(comparison, made.policy);
  return judged;
}

std::string text_of(const Judged& judged) {
  if (!judged.report) return judged.report.error().message;
  std::string text = reports::render_json(*judged.report);
  for (const std::string& name : judged.suspects) text += "suspect " + name + '\n';
  if (judged.report->unfit) text += "unfit\n";
  for (const reports::Finding& finding : judged.report->findings) {  // what the JSON leaves out
    if (finding.waived) text += "waived " + finding.case_name + '\n';
    if (finding.probe) text += "probe " + finding.case_name + '\n';
  }
  return text;
}

// What was decided, every number with all its digits.
class Decisions {
 public:
  std::string of(const Judged& judged) {
    if (!judged.report) return judged.report.error().message;
    const reports::Report& report = *judged.report;
    words(reports::to_string(report.outcome), report.headline, report.unfit ? "unfit" : "fit");
    for (const reports::Finding& finding : report.findings) add(finding);
    for (const reports::ClaimFinding& claim : report.claims) {
      words("claim", claim.case_name, claim.metric, reports::to_string(claim.state), reports::to_string(claim.action));
      numbers(claim.measured_ratio, claim.bound);
    }
    for (const std::string& name : judged.suspects) words("suspect", name);
    return std::move(text_);
  }

 private:
  void add(const reports::Finding& finding) {
    words(finding.case_name, finding.metric.name, reports::to_string(finding.verdict),
          reports::to_string(finding.action), finding.waived ? "waived" : "", finding.probe ? "probe" : "");
    numbers(finding.change, finding.p, finding.alpha, finding.cohens_d, finding.smallest_detectable);
    interval(finding.interval);
    if (finding.processes_needed) words(std::to_string(*finding.processes_needed));
    if (finding.textbook) {
      words("textbook", finding.textbook->call, finding.textbook->word);
      numbers(finding.textbook->p, finding.textbook->d);
    }
    if (finding.confirmation) {
      words("pairs", std::to_string(finding.confirmation->pairs), finding.confirmation->note,
            finding.confirmation->confirmed ? "confirmed" : "");
      numbers(finding.confirmation->change, finding.confirmation->p, finding.confirmation->alpha);
      interval(finding.confirmation->interval);
    }
    for (const facts::Fact& reason : finding.reasons) words(reason.words());
  }

  template <class... Words>
  void words(const Words&... all) {
    ((text_ += std::string(all) + ' '), ...);
    text_ += '\n';
  }
  template <class... Numbers>
  void numbers(const Numbers&... all) {
    (number(all), ...);
    text_ += '\n';
  }
  void number(std::optional<double> value) {
    std::array<char, 40> digits{};
    if (value) std::snprintf(digits.data(), digits.size(), "%a ", *value);
    text_ += value ? digits.data() : "- ";
  }
  void interval(const std::optional<reports::Interval>& one) {
    if (one) numbers(one->low, one->high, one->level);
  }

  std::string text_;
};

class Counts {
 public:
  void add(const Judged& judged) {
    ++counts_[std::string(judged.kind) + (judged.report ? " judged" : " refused")];
    if (!judged.report) return;
    ++counts_[std::string("outcome ") + reports::to_string(judged.report->outcome)];
    if (!judged.suspects.empty()) ++counts_["with suspects"];
    for (const reports::Finding& finding : judged.report->findings) {
      ++counts_[std::string("verdict ") + reports::to_string(finding.verdict) + ", " +
                reports::to_string(finding.action)];
      if (finding.waived) ++counts_["waived"];
      for (const facts::Fact& reason : finding.reasons) ++counts_["reason " + reason.words().substr(0, 24)];
    }
  }
  void print() const {
    for (const auto& [what, count] : counts_) std::cerr << count << '\t' << what << '\n';
  }

 private:
  std::map<std::string, int> counts_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> a(argv + 1, argv + argc);
  const bool decisions = !a.empty() && a[0] == "--decisions";
  if (decisions) a.erase(a.begin());
  const auto text = [decisions](const Judged& judged) { return decisions ? Decisions().of(judged) : text_of(judged); };
  if (a.size() == 2 && a[0] == "--show") {
    std::cout << text(judge(gate::testing::random_comparison(std::stoull(a[1]))));
    return EXIT_SUCCESS;
  }
  if (a.empty() || a.size() > 2) {
    std::cerr << "usage: judge_digests [--decisions] COUNT [SEED] | [--decisions] --show SEED\n";
    return 2;
  }
  const std::uint64_t first = a.size() == 2 ? std::stoull(a[1]) : 1;
  Counts counts;
  for (std::uint64_t seed = first; seed < first + std::stoull(a[0]); ++seed) {
    const Judged judged = judge(gate::testing::random_comparison(seed));
    counts.add(judged);
    const char* const outcome = judged.report ? reports::to_string(judged.report->outcome) : "error";
    std::cout << seed << ' ' << judged.kind << ' ' << outcome << ' ' << base::sha256(text(judged)).substr(0, 16)
              << '\n';
  }
  counts.print();
  return EXIT_SUCCESS;
}
