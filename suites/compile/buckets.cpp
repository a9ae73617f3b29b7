// SPDX-License-Identifier: Apache-2.0
// Requests of many sizes, and programs that are kept per size. A program for an exact size is compiled for that size alone; buckets need
// fewer, at the price of padding; a program for any size needs neither, and serves the sizes for which there is no more room. A miss
// loads a package: what compiling for a new shape costs is a thousand times as much.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/lru_cache.hpp"
#include "suites/compile/bucket.hpp"
#include "suites/compile/package.hpp"

namespace torchgate::suites::buckets {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

constexpr std::int64_t small_features = 16;
constexpr int requests = 64;
// Eight sizes from 100 to 198, each with a package (packages.py: SIZES), and room for five.
constexpr std::int64_t smallest = 100;
constexpr std::int64_t step = 14;
constexpr std::int64_t sizes = 8;
constexpr std::int64_t largest = smallest + (sizes - 1) * step;
constexpr std::size_t kept_programs = 5;
constexpr std::int64_t bucket_width = 32;
constexpr std::int64_t any_size = 0;

using Files = std::map<std::int64_t, std::string>;

std::string file_of(std::int64_t size) {
  return size == any_size ? "small_any.pt2" : "small_" + std::to_string(size) + ".pt2";
}

std::set<std::int64_t> compiled_sizes() {
  std::set<std::int64_t> all{any_size};
  for (std::int64_t size = smallest; size <= largest; size += step) all.insert({size, bucket_of(size, bucket_width)});
  return all;
}

std::vector<torch::Tensor> inputs_of(const Args& args) {
  // Not std::uniform_int_distribution: its numbers differ from library to library.
  std::mt19937_64 generator(args.seed());
  const torch::Tensor all = torchgate::suites::Inputs(args).normal({largest, small_features});
  std::vector<torch::Tensor> inputs;
  for (int i = 0; i < requests; ++i)
    inputs.push_back(all.narrow(0, 0, smallest + step * static_cast<std::int64_t>(generator() % sizes)));
  return inputs;
}

// What a server did for its requests.
struct Served {
  double loads = 0;
  double symbolic_sizes = 0;  // of the programs that were loaded: 0 for those of one size
  double rows = 0;
  double padded_rows = 0;
};

Package load(const Files& files, std::int64_t size, Served& served) {
  Package package = Package::loaded_anew(files.at(size), size == any_size ? std::nullopt : std::optional(size));
  served.loads += 1;
  served.symbolic_sizes += package.number("symbolic_sizes");
  return package;
}

using ProgramOf = std::function<Package(std::int64_t size)>;

// Keeps the programs that were used last.
ProgramOf recently_used(const Files& files, Served& served) {
  const auto programs = std::make_shared<torchgate::suites::LruCache<Package>>(kept_programs);
  return [programs, &files, &served](std::int64_t size) {
    return programs->get(static_cast<std::size_t>(size), [&](std::size_t) { return load(files, size, served); });
  };
}

// Keeps the first programs; when there is no more room, the one for any size serves all other sizes.
ProgramOf first_come(const Files& files, Served& served) {
  const auto programs = std::make_shared<std::map<std::int64_t, Package>>();
  return [programs, &files, &served](std::int64_t size) {
    const bool has_room = programs->size() < kept_programs;
    const std::int64_t key = has_room || programs->contains(size) ? size : any_size;
    if (!programs->contains(key)) programs->emplace(key, load(files, key, served));
    return programs->at(key);
  };
}

torch::Tensor padded_call(const Package& program, const torch::Tensor& x, std::int64_t size) {
  if (size == any_size || size == x.size(0)) return program(x);
  const torch::Tensor padded = torch::constant_pad_nd(x, {0, 0, 0, size - x.size(0)});
  return program(padded).narrow(0, 0, x.size(0));
}

enum class Programs { exact, buckets, exact_then_any, any };

std::int64_t size_for(std::int64_t rows, Programs kind) {
  if (kind == Programs::any) return any_size;
  return kind == Programs::buckets ? bucket_of(rows, bucket_width) : rows;
}

// A call is the first 64 requests of a server.
Factory serve(Programs kind) {
  return [kind](const Args& args) -> Timed {
    Files files;
    for (const std::int64_t size : compiled_sizes()) files.emplace(size, args.artefact(file_of(size)));
    return [kind, files, inputs = inputs_of(args)](Recorder& recorder) {
      Served served;
      const ProgramOf program_of =
          kind == Programs::exact_then_any ? first_come(files, served) : recently_used(files, served);
      double sum = 0;
      for (const torch::Tensor& x : inputs) {
        const std::int64_t size = size_for(x.size(0), kind);
        sum += padded_call(program_of(size), x, size).square().sum().item<double>();
        served.rows += static_cast<double>(x.size(0));
        served.padded_rows += static_cast<double>(size == any_size ? x.size(0) : size);
      }
      recorder.put("loads", served.loads);
      recorder.put("symbolic_sizes", served.symbolic_sizes);
      recorder.put("hit_rate", 1 - served.loads / requests);
      recorder.put("waste", (served.padded_rows - served.rows) / served.padded_rows);
      return sum;
    };
  };
}

TORCHGATE_GROUP("buckets") {
  group.items([](const Args&) { return static_cast<double>(requests); }).samples(5).quick(none);
  group.measures(count("loads")).measures(count("symbolic_sizes"));
  group.measures(ratio("hit_rate").higher().exact()).measures(ratio("waste").exact());
  for (const std::int64_t size : compiled_sizes()) group.artefact(file_of(size));

  group.reference("exact_sizes", serve(Programs::exact)).proves(metric("symbolic_sizes") == 0);
  group.variant("buckets_of_32", serve(Programs::buckets))
      .proves(metric("symbolic_sizes") == 0)
      .claims(metric("loads") <= 0.4 * reference())
      .claims(time() <= 0.6 * reference());
  group.variant("exact_then_any", serve(Programs::exact_then_any))
      .proves(metric("symbolic_sizes") == 1)
      .claims(metric("loads") <= 0.5 * reference())
      .claims(time() <= 0.7 * reference());
  group.variant("any_size", serve(Programs::any))
      .proves(metric("symbolic_sizes") == 1)
      .claims(metric("loads") <= 0.2 * reference())
      .claims(time() <= 0.6 * reference());
}

}  // namespace
}  // namespace torchgate::suites::buckets
