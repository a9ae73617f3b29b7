// SPDX-License-Identifier: Apache-2.0
#include "harness/import/nvbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/nvbench_summary.hpp"
#include "harness/import/rates.hpp"
#include "harness/import/units.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
namespace fs = std::filesystem;

// A kind of measurement: its mean, where its samples are, and how it is called.
struct NvbenchKind {
  std::string_view prefix;  // of all its summaries
  std::string_view mean;
  std::string_view samples;  // tag of the file with all of them; empty: there is none
  std::string_view items_per_second;
  std::string_view bytes_per_second;
  std::string_view protocol;
  bool on_gpu;
  std::string_view sample_size = {};  // how many samples its mean is of
};

// The first that a state has is its time.
constexpr std::array nvbench_kinds{
    NvbenchKind{"nv/cold/", "nv/cold/time/gpu/mean", "nv/json/bin:nv/cold/sample_times", "nv/cold/bw/item_rate",
                "nv/cold/bw/global/bytes_per_second", "nvbench-cold/1", true, "nv/cold/sample_size"},
    NvbenchKind{"nv/cpu_only/", "nv/cpu_only/time/cpu/mean", "nv/json/bin:nv/cpu_only/sample_times",
                "nv/cpu_only/bw/item_rate", "nv/cpu_only/bw/global/bytes_per_second", "nvbench-cpu-only/1", false,
                "nv/cpu_only/sample_size"},
    NvbenchKind{"nv/batch/", "nv/batch/time/gpu/mean", "", "nv/batch/bw/item_rate",
                "nv/batch/bw/global/bytes_per_second", "nvbench-batch/1", true, "nv/batch/sample_size"},
};

// What a file says of a device. Half of a GPU (MIG) has its name and half of its multiprocessors; its clocks and ECC are settings.
struct NvbenchDeviceFact {
  std::string_view key;
  std::string_view fact;
  record::FactClass fact_class;
};
constexpr std::array nvbench_device_facts{
    NvbenchDeviceFact{"name", "devices", record::FactClass::host},
    NvbenchDeviceFact{"number_of_sms", "device_multiprocessors", record::FactClass::host},
    NvbenchDeviceFact{"global_memory_size", "device_memory_bytes", record::FactClass::warn},
    NvbenchDeviceFact{"sm_default_clock_rate", "device_clock_rate", record::FactClass::warn},
    NvbenchDeviceFact{"ecc_state", "device_ecc", record::FactClass::warn},
};

// Times beside the one above: means in seconds.
struct NvbenchOther {
  std::string_view tag;
  const char* metric;
};
constexpr std::array nvbench_others{
    NvbenchOther{"nv/cold/time/cpu/mean", "host_time"},
    NvbenchOther{"nv/batch/time/gpu/mean", "batch_time"},
};

// More than any program adds, and fewer than a case may have.
constexpr std::size_t most_own_summaries = 100;

constexpr double most_nvbench_samples = 1e15;  // exact in a double

// Little-endian 32-bit floats, in seconds.
std::vector<double> floats_of(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little && sizeof(float) == 4);
  std::vector<double> values;
  values.reserve(bytes.size() / sizeof(float));
  for (; bytes.size() >= sizeof(float); bytes.remove_prefix(sizeof(float))) {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    values.push_back(static_cast<double>(value));
  }
  return values;
}

class NvbenchReader {
 public:
  NvbenchReader(std::string_view text, const std::string& where, fs::path folder)
      : reader_(text, where), folder_(std::move(folder)) {
    reader_.accept_non_finite();
    process_.file = where;
    process_.tool = "nvbench";
    process_.never_dated = true;
  }

  base::Result<std::vector<ImportedProcess>> read() {
    reader_.object({"benchmarks"}, [&](std::string_view key) {
      if (key == "benchmarks" && !reader_.null())
        reader_.array(base::max_cases, [&](std::int64_t) { read_benchmark(); });
      else if (key == "devices" && !reader_.null())
        read_devices();
      else if (key == "meta" && reader_.peek() == JsonReader::Kind::object)
        read_program();
      else if (key != "benchmarks" && key != "devices")
        reader_.skip();
    });
    reader_.end();
    if (reader_.failed()) return reader_.error();
    if (cases_.empty()) return bad_file(process_.file, "no states; check its --benchmark and --axis");
    if (means_) {
      process_.no_spread =
          "NVBench's file has only the mean of each state, so each case has one value per process and no spread; write "
          "the samples with --jsonbin FILE";
    }
    cases_.move_to(process_);
    std::vector<ImportedProcess> processes;
    processes.push_back(std::move(process_));
    return processes;
  }

 private:
  void read_program() {
    reader_.object({}, [&](std::string_view key) {
      if (key != "argv" || reader_.peek() != JsonReader::Kind::array) {
        reader_.skip();
        return;
      }
      reader_.array([&](std::int64_t index) {
        if (index == 0 && reader_.peek() == JsonReader::Kind::string)
          process_.program = reader_.name();
        else
          reader_.skip();
      });
    });
  }

  void read_devices() {
    std::array<std::string, nvbench_device_facts.size()> values;
    reader_.array(base::max_parameters, [&](std::int64_t index) {
      std::array<std::string, nvbench_device_facts.size()> own;
      std::int64_t id = index;
      reader_.object({}, [&](std::string_view key) {
        const auto known = std::find_if(nvbench_device_facts.begin(), nvbench_device_facts.end(),
                                        [&](const NvbenchDeviceFact& fact) { return fact.key == key; });
        if (key == "id")
          id = reader_.integer();
        else if (known == nvbench_device_facts.end())
          reader_.skip();
        else
          own.at(static_cast<std::size_t>(known - nvbench_device_facts.begin())) = device_value(*known);
      });
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (i > 0 && own.at(i).empty()) continue;
        std::string& all = values.at(i);
        if (all.size() < base::max_name_bytes) all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", id, own.at(i));
      }
    });
    for (std::size_t i = 0; i < values.size(); ++i) {
      const NvbenchDeviceFact& fact = nvbench_device_facts.at(i);
      if (!values.at(i).empty()) process_.facts.push_back({std::string(fact.fact), values.at(i), "", fact.fact_class});
    }
  }

  std::string device_value(const NvbenchDeviceFact& fact) {
    if (fact.key == "name") return reader_.name();
    const bool scalar = reader_.peek() == JsonReader::Kind::number || reader_.peek() == JsonReader::Kind::boolean;
    std::string value(reader_.skip());
    return scalar ? value : "";
  }

  void read_benchmark() {
    std::string name;
    reader_.object({"name", "states"}, [&](std::string_view key) {
      if (key == "name") {
        name = reader_.name();
      } else if (key == "states" && !reader_.null()) {
        reader_.array(base::max_cases, [&](std::int64_t) {
          NvbenchState state = read_nvbench_state(reader_);
          if (reader_.failed()) return;
          if (const std::string wrong = add(name, std::move(state)); !wrong.empty()) reader_.fail(wrong);
        });
      } else if (key != "states") {
        reader_.skip();
      }
    });
  }

  std::string add(const std::string& benchmark, NvbenchState state) {
    ImportedCase one;
    one.name = one.run_name = state.name.empty() ? benchmark : benchmark + '/' + state.name;
    take_axes(state, one);
    const auto kind = std::find_if(nvbench_kinds.begin(), nvbench_kinds.end(), [&](const NvbenchKind& each) {
      return state.has_values_of(each.prefix) || (!each.samples.empty() && state.files.contains(each.samples));
    });
    const NvbenchKind& of = kind == nvbench_kinds.end() ? nvbench_kinds.front() : *kind;
    one.protocol = of.protocol;
    one.device = of.on_gpu ? "cuda" : "cpu";
    if (state.skipped) {
      one.skipped = state.skip_reason.empty() ? "no reason given" : std::move(state.skip_reason);
    } else if (kind == nvbench_kinds.end()) {
      one.failure = "no mean time in the file";
    } else {
      take_times(state, of, one);
    }
    return cases_.add(std::move(one));
  }

  static void take_axes(NvbenchState& state, ImportedCase& one) {
    std::set<std::string> names;
    for (record::Parameter& axis : state.axes) {
      if (names.insert(axis.name).second) one.parameters.push_back(std::move(axis));
    }
  }

  // No work is a number, too: without it the metric would be missing.
  static void add_rate_of_nothing(std::optional<double> rate, const char* name, const char* unit, ImportedCase& one) {
    if (rate == 0) one.metrics.push_back(rate_metric(name, unit, std::vector<double>(one.time_ns.size())));
  }

  void take_times(const NvbenchState& state, const NvbenchKind& kind, ImportedCase& one) {
    const auto mean = state.value(kind.mean);  // absent: not finite, or another summary of the kind is all there is
    if (const auto file = state.files.find(kind.samples); file != state.files.end()) {
      one.time_ns = samples_in(file->second, one.unused_samples);
      std::string other = not_samples_of(one.time_ns, mean ? std::optional(*mean * ns_per_s) : mean, std::nullopt);
      if (!other.empty()) {
        one.time_ns.clear();
        one.unused_samples = fmt::format("{}: {}", base::shown(file->second.name), other);
      }
    }
    if (one.time_ns.empty()) {
      one.failure = mean ? invalid_time(*mean * ns_per_s) : "no mean time in the file";
      if (!one.failure.empty()) return;
      one.time_ns = {*mean * ns_per_s};
      if (const auto samples = state.value(kind.sample_size);
          samples && *samples >= 1 && *samples < most_nvbench_samples)
        one.calls_per_sample = static_cast<std::int64_t>(*samples);
      mark_single_value(one, SingleValue::mean, "its samples");
      means_ = true;
    }
    if (mean) {
      one.items_per_call = work_per_call(state.value(kind.items_per_second), *mean * ns_per_s);
      one.bytes_per_call = work_per_call(state.value(kind.bytes_per_second), *mean * ns_per_s);
      add_rates_of_work(one);
      add_rate_of_nothing(state.value(kind.items_per_second), items_rate, "items/s", one);
      add_rate_of_nothing(state.value(kind.bytes_per_second), bytes_rate, "bytes/s", one);
    }
    take_own_summaries(state, one);
    for (const NvbenchOther& other : nvbench_others) {
      const auto value = state.value(other.tag);
      if (other.tag == kind.mean || !value || !invalid_time(*value * ns_per_s).empty()) continue;
      one.metrics.push_back({{other.metric, "ns", record::Direction::lower_is_better, record::MetricKind::timed, false},
                             {*value * ns_per_s},
                             std::nullopt});
    }
  }

  // What a program adds with state.add_summary(): its own tags have another beginning than NVBench's.
  static void take_own_summaries(const NvbenchState& state, ImportedCase& one) {
    for (const auto& [tag, value] : state.values) {
      if (tag.starts_with("nv/")) continue;
      if (one.metrics.size() == most_own_summaries) return;
      const std::size_t slash = tag.find('/');  // "mine/tokens_per_second"
      const std::string_view name = slash == std::string::npos ? tag : std::string_view(tag).substr(slash + 1);
      one.metrics.push_back(rate_metric(tag, unit_in_name(name), {value}));
      one.metrics.back().told = Told::by_nobody;
    }
  }

  // NVBench writes "RESULT.json-bin/0.bin" beside RESULT.json, relative to where it ran.
  // Where they cannot be used, none and WHY.
  std::vector<double> samples_in(const NvbenchState::SampleFile& named, std::string& why) const {
    const auto unused = [&](std::string reason) {
      why = std::move(reason);
      return std::vector<double>();
    };
    const fs::path given(named.name);
    const fs::path file = folder_ / given.parent_path().filename() / given.filename();
    const auto bytes = given.filename() == ".." || given.parent_path().filename() == ".."
                           ? base::Result<std::string>(bad_file(base::in_quotes(named.name), "not the name of a file"))
                           : base::read_file(file, most_file_bytes, base::Links::refused);
    if (!bytes) return unused(bytes.error().message);
    if (bytes->empty() || bytes->size() % sizeof(float) != 0)
      return unused(file.string() + ": its length is not that of 32-bit numbers");
    std::vector<double> seconds = floats_of(*bytes);
    if (named.size && *named.size != static_cast<double>(seconds.size()))
      return unused(
          fmt::format("{}: {} samples, but the result names {:g}", file.string(), seconds.size(), *named.size));
    for (double& each : seconds) {
      each *= ns_per_s;
      if (const std::string wrong = invalid_time(each); !wrong.empty()) return unused(file.string() + ": " + wrong);
    }
    return seconds;
  }

  JsonReader reader_;
  fs::path folder_;
  ImportedProcess process_;
  CaseList cases_;
  bool means_ = false;
};

}  // namespace

bool is_nvbench(std::string_view head) {
  const auto keys = outer_keys(head);
  return keys.contains("benchmarks") && (keys.contains("devices") || mentions(head, "is_skipped")) &&
         (mentions(head, "states") || mentions(head, "axes") || mentions(head, "sm_version"));
}

base::Result<std::vector<ImportedProcess>> read_nvbench(std::string_view text, const std::string& where,
                                                        const fs::path& folder) {
  return NvbenchReader(text, where, folder).read();
}

}  // namespace torchgate::import
