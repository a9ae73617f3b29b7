// SPDX-License-Identifier: Apache-2.0
#include "harness/import/criterion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/some_of.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/input_text.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/rates.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
namespace fs = std::filesystem;

constexpr std::string_view benchmark_file = "benchmark.json";
constexpr std::string_view estimates_file = "estimates.json";
constexpr std::string_view sample_file = "sample.json";

// Groups, functions, values: four levels below target/criterion, and one for "new".
constexpr int deepest_folder = 8;

struct CriterionEstimates {
  std::optional<double> mean_ns;
  bool has_median = false;  // however invalid it is: then the mean does not stand for it
  std::optional<double> median_ns;
};

std::optional<double> read_point(JsonReader& reader) {
  std::optional<double> point;
  if (reader.null()) return point;
  reader.object({}, [&](std::string_view key) {
    if (key == "point_estimate")
      point = reader.finite_number();
    else
      reader.skip();
  });
  return point;
}

void read_criterion_estimates(JsonReader& reader, CriterionEstimates& estimates) {
  reader.object({}, [&](std::string_view key) {
    if (key == "mean" || key == "Mean")
      estimates.mean_ns = read_point(reader);
    else if (key == "median" || key == "Median") {
      estimates.has_median = true;
      estimates.median_ns = read_point(reader);
    } else
      reader.skip();
  });
}

// Each sample is a number of iterations and what they took together.
std::string read_criterion_samples(JsonReader& reader, ImportedCase& one) {
  std::vector<double> iterations;
  std::vector<double> times;
  reader.object({"iters", "times"}, [&](std::string_view key) {
    if (key == "iters")
      reader.array([&](std::int64_t) { iterations.push_back(reader.finite_number().value_or(0)); });
    else if (key == "times")
      reader.array([&](std::int64_t) { times.push_back(reader.finite_number().value_or(-1)); });
    else
      reader.skip();
  });
  if (reader.failed()) return "";
  if (iterations.size() != times.size() || times.empty())
    return fmt::format("{} iterations and {} times", iterations.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(iterations[i] >= 1) || iterations[i] > longest_ns) return "a sample without iterations";
    const double ns = times[i] / iterations[i];
    if (const std::string wrong = invalid_time(ns); !wrong.empty()) {
      one.failure = wrong;
      one.time_ns.clear();
      return "";
    }
    one.time_ns.push_back(ns);
    one.calls_per_sample = std::max(one.calls_per_sample, static_cast<std::int64_t>(iterations[i]));
  }
  return "";
}

void read_throughput_of(JsonReader& reader, std::string_view kind, ImportedCase& one) {
  constexpr double bits_per_byte = 8;
  const bool bytes = kind == "Bytes" || kind == "BytesDecimal" || kind == "Bits" || kind == "bytes";
  if (!bytes && kind != "Elements" && kind != "elements") {
    reader.skip();
    return;
  }
  const auto count = reader.finite_number();
  if (!count || !(*count > 0)) return;
  (bytes ? one.bytes_per_call : one.items_per_call) = kind == "Bits" ? *count / bits_per_byte : *count;
}

// {"Bytes": 1024}, {"BytesDecimal": 1000}, {"Bits": 8192}, {"Elements": 10}, {"ElementsAndBytes": {"elements": 10, "bytes": 40}}, or null.
void read_throughput(JsonReader& reader, ImportedCase& one) {
  if (reader.peek() != JsonReader::Kind::object) {
    reader.skip();
    return;
  }
  reader.object({}, [&](std::string_view key) {
    if (key == "ElementsAndBytes" && reader.peek() == JsonReader::Kind::object)
      reader.object({}, [&](std::string_view inner) { read_throughput_of(reader, inner, one); });
    else
      read_throughput_of(reader, key, one);
  });
}

void read_criterion_names(JsonReader& reader, ImportedCase& one) {
  std::string group;
  std::string function;
  std::string value;
  const auto text = [&] { return reader.null() ? std::string() : reader.name(); };
  reader.object({}, [&](std::string_view key) {
    if (key == "full_id")
      one.name = text();
    else if (key == "group_id")
      group = text();
    else if (key == "function_id")
      function = text();
    else if (key == "value_str")
      value = text();
    else if (key == "throughput")
      read_throughput(reader, one);
    else
      reader.skip();
  });
  if (one.name.empty()) {
    one.name = group;
    for (const std::string& part : {function, value}) {
      if (!part.empty()) one.name += (one.name.empty() ? "" : "/") + part;
    }
  }
  if (!value.empty()) one.parameters.push_back({"value", value});
}

// Empty where there is no such file.
base::Result<std::string> optional_file(const fs::path& path) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) return std::string();
  return text_in(path, base::Links::refused);
}

// The folder that names the benchmark, from below "criterion" on: "group/function".
std::string name_of_folder(const fs::path& folder) {
  std::error_code error;
  // Not absolute(""): that is an error. A folder that was deleted has no name.
  fs::path of = fs::absolute(folder.empty() ? fs::path(".") : folder, error).lexically_normal();
  if (!of.has_filename()) of = of.parent_path();
  std::string name;
  for (const fs::path& part : of.parent_path()) {
    name = part == "criterion" ? "" : name + (name.empty() ? "" : "/") + part.string();
  }
  constexpr std::size_t longest = 200;
  return name.size() <= longest ? name : name.substr(name.size() - longest);
}

// The three texts of a folder, in the order of the names above.
using CriterionTexts = std::array<std::string, 3>;
constexpr std::array criterion_files{benchmark_file, estimates_file, sample_file};

base::Result<CriterionTexts> texts_in(const fs::path& folder) {
  CriterionTexts texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto text = optional_file(folder / criterion_files[i]);
    if (!text) return text.error();
    texts[i] = *std::move(text);
  }
  return texts;
}

// What is beside a file of another name is not known to belong to it.
base::Result<CriterionTexts> texts_of(const fs::path& file) {
  const std::string name = file.filename().string();
  if (std::find(criterion_files.begin(), criterion_files.end(), name) != criterion_files.end())
    return texts_in(file.has_parent_path() ? file.parent_path() : ".");
  auto text = text_in(file);
  if (!text) return text.error();
  const auto keys = outer_keys(*text);
  CriterionTexts texts;
  texts[keys.contains("group_id") ? 0 : keys.contains("iters") ? 2 : 1] = *std::move(text);
  return texts;
}

bool has_results(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / estimates_file, error) || fs::is_regular_file(folder / sample_file, error);
}

// "new" below FOLDER, or FOLDER itself; at most MOST of them.
std::vector<fs::path> result_folders(const fs::path& folder, std::size_t most) {
  if (has_results(folder)) return {folder};
  std::vector<fs::path> found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;  // links to folders are not followed
  for (fs::recursive_directory_iterator it(folder, options, error), end; !error && it != end; it.increment(error)) {
    if (it.depth() >= deepest_folder) it.disable_recursion_pending();
    std::error_code ignored;
    if (it->path().filename() != "new" || it->is_symlink(ignored) || !has_results(it->path())) continue;
    found.push_back(it->path());
    if (found.size() == most) break;
  }
  std::sort(found.begin(), found.end());
  return found;
}

// When Criterion wrote a result, and of which benchmark.
struct WrittenResult {
  fs::file_time_type at;
  std::string name;
};

void add_written(const fs::path& folder, const std::string& name, std::vector<WrittenResult>& written) {
  for (const std::string_view file : {sample_file, estimates_file}) {
    std::error_code error;
    const auto at = fs::last_write_time(folder / file, error);
    if (error) continue;
    written.push_back({at, name});
    return;
  }
}

// Results of benchmarks that the last `cargo bench` did not run stay in its folder. One benchmark takes seconds, at most some minutes: a pause
// of an hour between two results is one between two runs.
std::string stale_results(std::vector<WrittenResult> written) {
  constexpr std::chrono::hours pause{1};
  constexpr std::size_t most_named = 3;
  std::sort(written.begin(), written.end(),
            [](const auto& a, const auto& b) { return std::tie(a.at, a.name) < std::tie(b.at, b.name); });
  std::size_t stale = 0;
  for (std::size_t i = 1; i < written.size(); ++i)
    if (written[i].at - written[i - 1].at > pause) stale = i;
  if (stale == 0) return "";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < stale; ++i) names.push_back(written[i].name);
  return fmt::format(
      "{} older than the others by {} h or more, of an earlier run: {}; remove the folder and run `cargo bench` again",
      base::counted(stale, "result is", "results are"),
      std::chrono::duration_cast<std::chrono::hours>(written[stale].at - written[stale - 1].at).count(),
      base::some_of(names, most_named));
}

}  // namespace

bool is_criterion(std::string_view head) {
  const auto keys = outer_keys(head);
  const auto has = [&](std::string_view key) { return keys.contains(key); };
  return (has("iters") && has("times")) || (has("group_id") && has("full_id")) ||
         (mentions(head, "point_estimate") && (has("mean") || has("Mean")) && (has("median") || has("Median")));
}

bool is_criterion_folder(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !result_folders(folder, 1).empty();
}

base::Result<ImportedCase> read_criterion_benchmark(std::string_view benchmark, std::string_view estimates,
                                                    std::string_view sample, const std::string& where,
                                                    const std::string& name) {
  ImportedCase one;
  one.protocol = "criterion/1";
  const auto read = [&](std::string_view text, std::string_view file, auto&& reading) -> base::Result<void> {
    if (text.empty()) return {};
    JsonReader reader(text, where.ends_with(".json") ? where : fmt::format("{}/{}", where, file));
    reader.accept_non_finite();
    reading(reader);
    reader.end();
    if (reader.failed()) return reader.error();
    return {};
  };
  CriterionEstimates known;
  if (auto good = read(benchmark, benchmark_file, [&](JsonReader& reader) { read_criterion_names(reader, one); });
      !good)
    return good.error();
  if (auto good = read(sample, sample_file,
                       [&](JsonReader& reader) {
                         if (const std::string wrong = read_criterion_samples(reader, one); !wrong.empty())
                           reader.fail(wrong);
                       });
      !good)
    return good.error();
  if (auto good = read(estimates, estimates_file, [&](JsonReader& reader) { read_criterion_estimates(reader, known); });
      !good)
    return good.error();
  if (one.name.empty()) one.name = name;
  one.run_name = one.name;
  // Criterion's mean is that of the times per iteration of all samples, outliers included (criterion.rs, src/analysis/mod.rs).
  if (one.failure.empty()) one.unused_samples = not_samples_of(one.time_ns, known.mean_ns, known.median_ns);
  if (!one.unused_samples.empty()) one.time_ns.clear();
  if (!one.time_ns.empty() || !one.failure.empty()) {
    add_rates_of_work(one);
    return one;
  }
  const auto point = known.has_median ? known.median_ns : known.mean_ns;
  if (!known.has_median && !point) return bad_file(where, "neither sample.json nor a mean or median in estimates.json");
  one.failure = invalid_time(point);
  if (one.failure.empty()) one.time_ns = {*point};
  mark_single_value(one, known.has_median ? SingleValue::median : SingleValue::mean, "its samples");
  add_rates_of_work(one);
  return one;
}

base::Result<std::vector<ImportedProcess>> read_criterion(const fs::path& path) {
  std::error_code error;
  const std::size_t most = static_cast<std::size_t>(base::max_cases) + 1;  // one more is refused by the list
  const std::vector<fs::path> sources =
      fs::is_directory(path, error) ? result_folders(path, most) : std::vector<fs::path>{path};
  if (sources.empty()) return bad_file(path.string(), "no folder below it has results of Criterion");
  ImportedProcess process;
  process.file = path.string();
  process.tool = "criterion";
  process.never_dated = true;
  CaseList cases;
  bool summaries = false;
  std::vector<WrittenResult> written;
  for (const fs::path& each : sources) {
    const bool folder = fs::is_directory(each, error);
    const auto texts = folder ? texts_in(each) : texts_of(each);
    if (!texts) return texts.error();
    auto one = read_criterion_benchmark((*texts)[0], (*texts)[1], (*texts)[2], each.string(),
                                        name_of_folder(folder ? each : each.parent_path()));
    if (!one) return one.error();
    summaries = summaries || (!one->note.empty() && one->unused_samples.empty());
    if (folder) add_written(each, one->name, written);
    if (const std::string wrong = cases.add(*std::move(one)); !wrong.empty()) return bad_file(each.string(), wrong);
  }
  if (summaries) {
    process.no_spread =
        "Criterion's sample.json is missing beside estimates.json, so such cases have one value per process and no "
        "spread; keep the whole folder target/criterion";
  }
  if (std::string stale = stale_results(std::move(written)); !stale.empty())
    process.warnings.push_back(std::move(stale));
  cases.move_to(process);
  std::vector<ImportedProcess> processes;
  processes.push_back(std::move(process));
  return processes;
}

}  // namespace torchgate::import
