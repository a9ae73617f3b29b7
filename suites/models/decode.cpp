// SPDX-License-Identifier: Apache-2.0
// An attention layer generates tokens: keys and values of earlier tokens are computed in each step, or kept in a cache.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::decode {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t width = 192;
constexpr std::int64_t heads = 12;
constexpr std::int64_t head_width = width / heads;
constexpr std::int64_t grouped_heads = 3;  // of keys and values: each serves four heads of queries
constexpr std::int64_t vocabulary = 256;   // bytes
constexpr std::int64_t longest_sequence = 1024;
constexpr std::int64_t steps = 8;  // generated tokens

struct KeysAndValues {
  Tensor keys;  ///< [tokens, heads x width of a head]
  Tensor values;
};

std::int64_t bytes_of(const KeysAndValues& kept) {
  return static_cast<std::int64_t>(kept.keys.nbytes() + kept.values.nbytes());
}

// --- the layer -------------------------------------------------------------------------------------------------------

// Multi-head weights repeat the grouped ones, so that both layers compute the same.
Tensor for_heads(const Tensor& grouped, std::int64_t all_heads) {
  return grouped.view({grouped_heads, 1, head_width, width})
      .expand({grouped_heads, all_heads / grouped_heads, head_width, width})
      .reshape({all_heads * head_width, width});
}

// [tokens, heads x width of a head] to [1, heads, tokens, width of a head], as attention takes it.
Tensor by_head(const Tensor& rows, std::int64_t heads_of_rows) {
  return rows.view({rows.size(0), heads_of_rows, head_width}).transpose(0, 1).unsqueeze(0);
}

struct AttentionLayer {
  std::int64_t key_value_heads;
  Tensor token_table;
  Tensor position_table;
  Tensor query;
  Tensor key;
  Tensor value;
  Tensor output;
  Tensor to_logits;
  Tensor prompt;  ///< token numbers

  AttentionLayer(const Args& args, std::int64_t heads_of_keys) : key_value_heads(heads_of_keys) {
    Inputs inputs(args);
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    token_table = inputs.normal({vocabulary, width});
    position_table = inputs.normal({longest_sequence, width});
    query = inputs.normal({width, width}) * scale;
    key = for_heads(inputs.normal({grouped_heads * head_width, width}) * scale, key_value_heads);
    value = for_heads(inputs.normal({grouped_heads * head_width, width}) * scale, key_value_heads);
    output = inputs.normal({width, width}) * scale;
    to_logits = inputs.normal({vocabulary, width}) * scale;
    prompt = inputs.bytes({args.number("context")}).to(device_of(args), torch::kLong);
  }

  [[nodiscard]] Tensor embedded(const Tensor& tokens, std::int64_t start) const {
    return token_table.index_select(0, tokens) + position_table.narrow(0, start, tokens.size(0));
  }

  // Heads of queries that share keys and values take the place of several tokens: keys are read once for all of them.
  [[nodiscard]] Tensor attended(const Tensor& newest, const KeysAndValues& seen) const {
    const std::int64_t sharing = heads / key_value_heads;
    const Tensor queries = torch::linear(newest, query).view({1, key_value_heads, sharing, head_width});
    const Tensor read = at::scaled_dot_product_attention(queries, by_head(seen.keys, key_value_heads),
                                                         by_head(seen.values, key_value_heads));
    return newest + torch::linear(read.reshape({1, width}), output);
  }

  [[nodiscard]] Tensor likeliest_token(const Tensor& attended_row) const {
    return torch::linear(attended_row, to_logits).argmax(1);
  }

  /// Zeros for the keys or values, or the inputs, of so many tokens.
  [[nodiscard]] Tensor rows(std::int64_t tokens, std::int64_t row_width) const {
    return torch::zeros({tokens, row_width}, key.options());
  }
};

// --- what a step attends to ------------------------------------------------------------------------------------------

/// Of a sequence that grows. A call begins a new one.
struct Past {
  AttentionLayer layer;
  std::int64_t length = 0;     ///< tokens
  std::int64_t projected = 0;  ///< tokens whose keys and values were computed

  explicit Past(AttentionLayer of) : layer(std::move(of)) {}
  void clear() { length = projected = 0; }
  KeysAndValues project(const Tensor& x) {
    projected += x.size(0);
    return {torch::linear(x, layer.key), torch::linear(x, layer.value)};
  }
  void record(Recorder& recorder) const { recorder.put("projected_tokens", static_cast<double>(projected)); }
};

/// Keeps the inputs only.
struct Recomputed : Past {
  Tensor inputs;

  explicit Recomputed(AttentionLayer of) : Past(std::move(of)), inputs(layer.rows(longest_sequence, width)) {}
  KeysAndValues extended_by(const Tensor& x) {
    inputs.narrow(0, length, x.size(0)).copy_(x);
    length += x.size(0);
    return project(inputs.narrow(0, 0, length));
  }
};

/// Reserves the rows of the longest sequence: how long this one becomes is unknown when it begins.
struct Contiguous : Past {
  KeysAndValues cache;

  explicit Contiguous(AttentionLayer of) : Past(std::move(of)) {
    cache = {layer.rows(longest_sequence, layer.key.size(0)), layer.rows(longest_sequence, layer.key.size(0))};
  }
  KeysAndValues extended_by(const Tensor& x) {
    const KeysAndValues added = project(x);
    cache.keys.narrow(0, length, x.size(0)).copy_(added.keys);
    cache.values.narrow(0, length, x.size(0)).copy_(added.values);
    length += x.size(0);
    return {cache.keys.narrow(0, 0, length), cache.values.narrow(0, 0, length)};
  }
  void record(Recorder& recorder) const {
    Past::record(recorder);
    recorder.put("cache_bytes", static_cast<double>(bytes_of(cache)));
  }
};

constexpr std::int64_t block_tokens = 16;
constexpr std::int64_t pool_blocks = longest_sequence / block_tokens;
// Between two blocks of a sequence in the pool; no common divisor with the number of blocks.
constexpr std::int64_t block_distance = 29;

constexpr std::int64_t blocks_for(std::int64_t tokens) {
  return (tokens + block_tokens - 1) / block_tokens;
}

/// Takes blocks from a pool as the sequence grows (as vLLM does [Kwon et al. 2023]), and copies them side by side for
/// attention.
struct Paged : Past {
  KeysAndValues pool;
  Tensor table;  ///< which block holds the first, second ... tokens
  Tensor slots;  ///< which row of the pool holds each token
  std::int64_t gathered_bytes = 0;

  explicit Paged(AttentionLayer of) : Past(std::move(of)) {
    // Not zeros: a row that belongs to another sequence must change the output.
    const std::vector<std::int64_t> shape{longest_sequence, layer.key.size(0)};
    pool = {torch::randn(shape, layer.key.options()), torch::randn(shape, layer.key.options())};
    const auto numbers = torch::TensorOptions().dtype(torch::kLong).device(layer.key.device());
    table = torch::remainder(torch::arange(pool_blocks, numbers) * block_distance, pool_blocks);
    slots = (table.unsqueeze(1) * block_tokens + torch::arange(block_tokens, numbers)).flatten();
  }
  void clear() {
    Past::clear();
    gathered_bytes = 0;
  }
  KeysAndValues extended_by(const Tensor& x) {
    const KeysAndValues added = project(x);
    const Tensor places = slots.narrow(0, length, x.size(0));
    pool.keys.index_copy_(0, places, added.keys);
    pool.values.index_copy_(0, places, added.values);
    length += x.size(0);
    return {gathered(pool.keys), gathered(pool.values)};
  }
  Tensor gathered(const Tensor& rows_of_pool) {
    const Tensor taken = table.narrow(0, 0, blocks_for(length));
    const Tensor blocks = rows_of_pool.view({pool_blocks, -1}).index_select(0, taken);
    gathered_bytes += static_cast<std::int64_t>(blocks.nbytes());
    return blocks.view({-1, rows_of_pool.size(1)}).narrow(0, 0, length);
  }
  void record(Recorder& recorder) const {
    Past::record(recorder);
    recorder.put("cache_bytes", static_cast<double>(bytes_of(pool) / pool_blocks * blocks_for(length)));
    recorder.put("gathered_bytes", static_cast<double>(gathered_bytes));
  }
};

// --- the group -------------------------------------------------------------------------------------------------------

// The layer's outputs, from which the tokens are chosen: one row for each.
template <class AnyPast>
Tensor generate(AnyPast& past) {
  past.clear();
  const AttentionLayer& layer = past.layer;
  Tensor x = layer.embedded(layer.prompt, /*start=*/0);
  std::vector<Tensor> outputs;
  for (std::int64_t step = 0; step < steps; ++step) {
    if (step > 0) x = layer.embedded(layer.likeliest_token(outputs.back()), past.length);
    const KeysAndValues seen = past.extended_by(x);
    outputs.push_back(layer.attended(x.narrow(0, x.size(0) - 1, 1), seen));
  }
  return torch::cat(outputs);
}

template <class AnyPast>
Timed generating(const Args& args, std::int64_t key_value_heads) {
  return [past = AnyPast(AttentionLayer(args, key_value_heads))](Recorder& recorder) mutable {
    Tensor outputs = generate(past);
    past.record(recorder);
    return outputs;
  };
}

Timed recompute(const Args& args) {
  return generating<Recomputed>(args, heads);
}

Timed cached(const Args& args) {
  return generating<Contiguous>(args, heads);
}

Timed grouped_query(const Args& args) {
  return generating<Contiguous>(args, grouped_heads);
}

Timed paged(const Args& args) {
  return generating<Paged>(args, heads);
}

constexpr std::int64_t gathered_bytes_for(std::int64_t prompt_tokens) {
  constexpr std::int64_t keys_and_values = 2;
  std::int64_t blocks = 0;
  for (std::int64_t step = 0; step < steps; ++step) blocks += blocks_for(prompt_tokens + step);
  return blocks * block_tokens * keys_and_values * width * static_cast<std::int64_t>(sizeof(float));
}

constexpr int short_prompt = 64;
constexpr int long_prompt = 512;

// The last generated token is not put into the sequence.
Variant projects_each_token_once(Variant variant, const Axis& context) {
  for (const int tokens : {short_prompt, long_prompt})
    variant.proves(metric("projected_tokens") == tokens + steps - 1, context(tokens));
  return variant.measures(bytes("cache_bytes"))
      .proves(calls("aten::scaled_dot_product_attention") == steps)
      .claims(metric("projected_tokens") <= 0.15 * reference(), cpu);
}

TORCHGATE_GROUP("decode") {
  const Axis context = group.axis("context", {short_prompt, long_prompt});
  group.devices().quick(context(long_prompt)).only_full(context(short_prompt)).measures(count("projected_tokens"));
  group.items([](const Args&) { return static_cast<double>(steps); });

  group.reference("recompute", recompute).proves(calls("aten::scaled_dot_product_attention") == steps);
  projects_each_token_once(group.variant("cached", cached), context)
      .claims(time() <= 0.5 * reference(), where(cpu, context(long_prompt)));
  projects_each_token_once(group.variant("grouped_query", grouped_query), context)
      .claims(metric("cache_bytes") <= 0.26 * variant_named("cached"), cpu);
  Variant in_blocks = projects_each_token_once(group.variant("paged", paged), context);
  for (const int tokens : {short_prompt, long_prompt})
    in_blocks.proves(metric("gathered_bytes") == gathered_bytes_for(tokens), context(tokens));
  in_blocks.quick(none)
      .measures(bytes("gathered_bytes"))
      .claims(metric("cache_bytes") <= 0.1 * variant_named("cached"), where(cpu, context(short_prompt)))
      .claims(metric("cache_bytes") <= 0.6 * variant_named("cached"), where(cpu, context(long_prompt)));
}

}  // namespace
}  // namespace torchgate::suites::decode
