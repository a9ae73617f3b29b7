// SPDX-License-Identifier: Apache-2.0
// Greedy speculative decoding [Leviathan et al. 2023]: a small model proposes tokens, a large one checks them at once.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::speculative {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t vocabulary = 256;  // bytes
constexpr std::int64_t window = 4;        // tokens that the next one depends on
constexpr std::int64_t embedding_width = 64;
constexpr std::int64_t input_width = window * embedding_width;
constexpr std::int64_t draft_units = 128;
constexpr std::int64_t added_units = 1920;  // those of the target that the draft does not have
constexpr double added_share = 0.1;         // of their logits: the models agree on most tokens, not on all
constexpr std::int64_t new_tokens = 32;

using Tokens = std::vector<std::int64_t>;

// --- models ----------------------------------------------------------------------------------------------------------

Tokens to_host(const Tensor& numbers) {
  const Tensor copy = numbers.to(torch::kCPU, torch::kLong).contiguous();
  const auto* first = copy.data_ptr<std::int64_t>();
  return {first, first + copy.numel()};
}

/// A neural language model with one layer of hidden units [Bengio et al. 2003]. A call reads all weights, for one place
/// or many.
struct LanguageModel {
  Tensor embedding;  ///< [vocabulary, width]
  Tensor hidden;     ///< [units, window x width]
  Tensor output;     ///< [vocabulary, units]

  /// [places, vocabulary]: of what follows each of the last `places` tokens.
  [[nodiscard]] Tensor logits(const Tokens& tokens, std::int64_t places) const {
    const Tensor tail = torch::tensor(Tokens(tokens.end() - (window + places - 1), tokens.end()));
    const Tensor windows = tail.unfold(0, window, /*step=*/1).reshape({-1}).to(embedding.device());
    const Tensor x = embedding.index_select(0, windows).view({places, input_width});
    return torch::linear(torch::tanh(torch::linear(x, hidden)), output);
  }
  /// Adds the bytes of the weights that this call reads to BYTES: without the embedding, of which it reads a few rows.
  [[nodiscard]] Tokens likeliest(const Tokens& tokens, std::int64_t places, double& bytes) const {
    bytes += static_cast<double>(hidden.nbytes() + output.nbytes());
    return to_host(logits(tokens, places).argmax(1));
  }
};

double scale_of(std::int64_t inputs) {
  return 1 / std::sqrt(static_cast<double>(inputs));
}

/// The target has the units of the draft, and many more whose weights are small: what a structured pruning removes.
struct Models {
  LanguageModel draft;
  LanguageModel target;
  Tokens prompt;

  explicit Models(const Args& args) {
    Inputs inputs(args);
    draft.embedding = inputs.normal({vocabulary, embedding_width});
    draft.hidden = inputs.normal({draft_units, input_width}) * scale_of(input_width);
    draft.output = inputs.normal({vocabulary, draft_units}) * scale_of(draft_units);
    const Tensor added_hidden = inputs.normal({added_units, input_width}) * scale_of(input_width);
    const Tensor added_output = inputs.normal({vocabulary, added_units}) * (added_share * scale_of(added_units));
    target.embedding = draft.embedding;
    target.hidden = torch::cat({draft.hidden, added_hidden}, 0);
    target.output = torch::cat({draft.output, added_output}, 1);
    prompt = to_host(inputs.bytes({window}));
  }

  /// How many tokens are still to be generated.
  [[nodiscard]] std::int64_t missing(const Tokens& tokens) const {
    return static_cast<std::int64_t>(prompt.size()) + new_tokens - static_cast<std::int64_t>(tokens.size());
  }
};

// A product of several rows is rounded differently from that of one: two tokens that are almost equally likely could
// change places, and outputs would differ without a mistake.
void check_that_no_token_is_close(const Models& models) {
  constexpr double rounding = 1e-5;  // logits are about 1
  constexpr std::int64_t two = 2;
  Tokens tokens = models.prompt;
  while (models.missing(tokens) > 0) {
    const auto [logits, numbers] = models.target.logits(tokens, 1).topk(two, /*dim=*/1);
    const double gap = (logits[0][0] - logits[0][1]).item<double>();
    TORCH_CHECK(gap > rounding, "two tokens are equally likely but for rounding: choose another added_share");
    tokens.push_back(numbers[0][0].item<std::int64_t>());
  }
}

// --- decoding --------------------------------------------------------------------------------------------------------

Timed one_by_one(const Args& args) {
  const Models built(args);
  check_that_no_token_is_close(built);
  return [models = built](Recorder& recorder) {
    Tokens tokens = models.prompt;
    std::int64_t target_calls = 0;
    double weight_bytes = 0;
    while (models.missing(tokens) > 0) {
      tokens.push_back(models.target.likeliest(tokens, 1, weight_bytes).front());
      ++target_calls;
    }
    recorder.put("target_calls", static_cast<double>(target_calls));
    recorder.put("weight_bytes", weight_bytes);
    return tokens;
  };
}

struct Counts {
  std::int64_t target_calls = 0;
  std::int64_t proposed = 0;
  std::int64_t accepted = 0;
  double weight_bytes = 0;
};

// Adds the proposals before the first that the target would not have chosen, and then the target's own choice: what the
// target alone would have generated.
void extend(Tokens& tokens, const Models& models, std::int64_t proposals, Counts& counts) {
  Tokens longer = tokens;
  for (std::int64_t i = 0; i < proposals; ++i)
    longer.push_back(models.draft.likeliest(longer, 1, counts.weight_bytes).front());
  const Tokens proposed(longer.end() - proposals, longer.end());
  const Tokens checked = models.target.likeliest(longer, proposals + 1, counts.weight_bytes);
  const auto wrong = std::mismatch(proposed.begin(), proposed.end(), checked.begin()).second;
  tokens.insert(tokens.end(), checked.begin(), wrong + 1);
  counts.target_calls += 1;
  counts.proposed += proposals;
  counts.accepted += wrong - checked.begin();
}

void put_counts(const Counts& counts, Recorder& recorder) {
  recorder.put("target_calls", static_cast<double>(counts.target_calls));
  recorder.put("rejected_tokens", static_cast<double>(counts.proposed - counts.accepted));
  recorder.put("accepted_share", static_cast<double>(counts.accepted) / static_cast<double>(counts.proposed));
  recorder.put("weight_bytes", counts.weight_bytes);
}

Timed drafted(const Args& args) {
  return [models = Models(args), ahead = args.number("ahead")](Recorder& recorder) {
    Tokens tokens = models.prompt;
    Counts counts;
    // The target adds one token itself.
    while (models.missing(tokens) > 0) extend(tokens, models, std::min(ahead, models.missing(tokens) - 1), counts);
    put_counts(counts, recorder);
    return tokens;
  };
}

TORCHGATE_GROUP("speculative") {
  const Axis ahead = group.axis("ahead", {2, 4});  // proposals for each call of the target
  group.devices().quick(ahead(4)).only_full(ahead(2)).measures(count("target_calls")).measures(bytes("weight_bytes"));
  group.items([](const Args&) { return static_cast<double>(new_tokens); });

  // The tokens are whole numbers: one other token is a distance above the tolerance.
  group.reference("one_by_one", one_by_one).proves(calls("aten::tanh") == new_tokens);
  group.variant("drafted", drafted)
      .measures(ratio("accepted_share").higher().exact())
      .measures(count("rejected_tokens"))
      .proves(metric("rejected_tokens") >= 1)  // the draft is another model
      .claims(metric("target_calls") <= 0.7 * reference(), cpu)
      .claims(metric("weight_bytes") <= 0.7 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::speculative
