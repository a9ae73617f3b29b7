// SPDX-License-Identifier: Apache-2.0
#include "harness/record/internal/samples_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/counted.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

// 24 bytes: the numbers after it are aligned.
constexpr std::string_view magic("torchgate.samples/1\n\0\0\0\0", 24);
constexpr std::size_t alignment = 8;
// Process, count, and the lengths of two names.
constexpr std::size_t series_header_bytes = 8 + 8 + 4 + 4;

static_assert(sizeof(double) == 8);

template <class Number>
Number little_endian(Number number) {
  if constexpr (std::endian::native == std::endian::little) {
    return number;
  } else {
    Number swapped = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      swapped |= ((number >> (8 * i)) & 0xFFU) << (8 * (sizeof(Number) - 1 - i));
    return swapped;
  }
}

template <class Number>
void append(std::string& bytes, Number number) {
  number = little_endian(number);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Visit>
void for_each_series(const Run& run, Visit&& visit) {
  for (std::size_t process = 0; process < run.processes.size(); ++process) {
    for (const CaseResult& result : run.processes[process].cases) {
      for (const Measurement& measurement : result.measurements) {
        if (!measurement.samples.empty()) visit(process, result, measurement);
      }
    }
  }
}

// Numbers and names from the front of the bytes; nothing once they have run out.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  std::optional<Number> number() {
    Number value = 0;
    if (bytes_.size() - position_ < sizeof value) return std::nullopt;
    std::memcpy(&value, bytes_.data() + position_, sizeof value);
    position_ += sizeof value;
    return little_endian(value);
  }

  std::optional<std::string_view> text(std::size_t length) {
    if (left() < length) return std::nullopt;
    position_ += length;
    return bytes_.substr(position_ - length, length);
  }

  std::optional<std::string_view> padding() { return text((alignment - position_ % alignment) % alignment); }

  [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

// Elements of a list by their names. Names are asked for in the order of the list, or nearly: the next one is looked at first,
// and an index is made only for a list where that does not help.
template <class Named>
class NameLookup {
 public:
  /// nullptr: there is none.
  Named* find(std::vector<Named>& list, std::string_view name) {
    if (list.data() != list_) {
      list_ = list.data();
      next_ = 0;
      index_.clear();
    }
    for (std::size_t i = 0; i < few && i < list.size(); ++i) {
      const std::size_t at = (next_ + i) % list.size();
      if (list[at].name == name) {
        next_ = at;
        return &list[at];
      }
    }
    if (index_.empty()) {
      for (std::size_t i = 0; i < list.size(); ++i) index_.emplace(list[i].name, i);
    }
    const auto found = index_.find(name);
    if (found == index_.end()) return nullptr;
    next_ = found->second;
    return &list[found->second];
  }

 private:
  static constexpr std::size_t few = 2;  // a case has several series: the same name again, or the next

  const Named* list_ = nullptr;
  std::size_t next_ = 0;
  std::unordered_map<std::string_view, std::size_t> index_;
};

struct Series {
  Measurement* measurement = nullptr;
  std::size_t count = 0;
};

class SamplesDecoder {
 public:
  SamplesDecoder(std::string_view bytes, const std::string& where, Run& run)
      : bytes_(bytes), reader_(bytes), where_(where), run_(run) {}

  base::Result<void> decode() {
    const auto start = reader_.text(magic.size());
    if (!start || *start != magic) return bad("expected the header of a torchgate.samples/1 file");
    const auto series = reader_.number<std::uint64_t>();
    const auto samples = reader_.number<std::uint64_t>();
    if (!series || !samples) return cut_short();
    if (*series > reader_.left() / series_header_bytes) return cut_short();
    for (std::uint64_t i = 0; i < *series; ++i) {
      if (auto read = read_series(i); !read) return read;
    }
    if (const auto twin = second_of_twins()) return bad_series(*twin, "duplicate of an earlier series");
    if (!reader_.padding()) return cut_short();
    if (total_ != *samples || reader_.left() / sizeof(double) != total_ || reader_.left() % sizeof(double) != 0) {
      return bad("inconsistent: its header counts " + std::to_string(*samples) + " samples, its index " +
                 std::to_string(total_) + ", and " + std::to_string(reader_.left()) + " bytes of samples follow");
    }
    return fill();
  }

 private:
  [[nodiscard]] base::Error bad(const std::string& what) const {
    return {base::ErrorCode::bad_input, where_ + ": " + what};
  }
  [[nodiscard]] base::Error bad_series(std::uint64_t index, const std::string& what) const {
    return bad("series " + std::to_string(index) + ": " + what);
  }
  [[nodiscard]] base::Error cut_short() const {
    return bad("truncated after " + std::to_string(bytes_.size()) + " bytes, inside its index");
  }

  base::Result<void> read_series(std::uint64_t index) {
    const auto process = reader_.number<std::uint64_t>();
    const auto count = reader_.number<std::uint64_t>();
    const auto case_bytes = reader_.number<std::uint32_t>();
    const auto metric_bytes = reader_.number<std::uint32_t>();
    if (!process || !count || !case_bytes || !metric_bytes) return cut_short();
    const auto case_name = reader_.text(*case_bytes);
    const auto metric_name = case_name ? reader_.text(*metric_bytes) : std::nullopt;
    if (!metric_name) return cut_short();
    if (*process >= run_.processes.size()) {
      return bad_series(index, "unknown process " + std::to_string(*process) + ": the record has " +
                                   base::counted(run_.processes.size(), "process", "processes"));
    }
    if (*count == 0 || *count > bytes_.size() / sizeof(double)) {
      return bad_series(index, "invalid number of samples: " + std::to_string(*count));
    }
    Measurement* const measurement = find(static_cast<std::size_t>(*process), *case_name, *metric_name);
    if (measurement == nullptr) {
      return bad_series(index, "the record has no measurement of " + base::in_quotes(*metric_name) + " of " +
                                   base::in_quotes(*case_name) + " in process " + std::to_string(*process));
    }
    if (!sample_count_fits(*count, *measurement, *result_)) {
      return bad_series(index,
                        "has " + base::counted(*count, "sample", "samples") +
                            ", but its summary in the record has n = " + std::to_string(measurement->summary->n));
    }
    total_ += *count;
    series_.push_back({measurement, static_cast<std::size_t>(*count)});
    metrics_.push_back(metric_);
    return {};
  }

  // Which series is the second of its measurement, if any is.
  [[nodiscard]] std::optional<std::uint64_t> second_of_twins() const {
    std::vector<std::pair<const Measurement*, std::uint64_t>> sorted;
    sorted.reserve(series_.size());
    for (const Series& series : series_) sorted.emplace_back(series.measurement, sorted.size());
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end(),
                                         [](const auto& a, const auto& b) { return a.first == b.first; });
    return twin == sorted.end() ? std::nullopt : std::optional((twin + 1)->second);
  }

  Measurement* find(std::size_t process, std::string_view case_name, std::string_view metric_name) {
    result_ = results_.find(run_.processes[process].cases, case_name);
    const Case* const measured = cases_.find(run_.cases, case_name);
    if (result_ == nullptr || measured == nullptr) return nullptr;
    metric_ = nullptr;
    for (const Metric& metric : measured->metrics) {
      if (metric.name == metric_name && metric.kind == MetricKind::timed) metric_ = &metric;
    }
    if (metric_ == nullptr) return nullptr;
    for (Measurement& measurement : result_->measurements) {
      if (measurement.metric == metric_name) return &measurement;
    }
    return nullptr;
  }

  base::Result<void> fill() {
    std::vector<std::vector<double>> all(series_.size());
    for (std::size_t i = 0; i < series_.size(); ++i) {
      all[i].reserve(series_[i].count);
      for (std::size_t k = 0; k < series_[i].count; ++k) {
        const auto sample = std::bit_cast<double>(reader_.number<std::uint64_t>().value());
        if (!std::isfinite(sample) || (sample < 0 && !can_be_negative(*metrics_[i]))) {
          return bad_series(i, "sample " + std::to_string(k) + " is " + std::to_string(sample) +
                                   ", which is not a valid value of " + base::in_quotes(metrics_[i]->name));
        }
        all[i].push_back(sample);
      }
    }
    for (std::size_t i = 0; i < series_.size(); ++i) series_[i].measurement->samples = std::move(all[i]);
    return {};
  }

  std::string_view bytes_;
  ByteReader reader_;
  const std::string& where_;
  Run& run_;
  NameLookup<Case> cases_;
  NameLookup<CaseResult> results_;  // of one process after the other
  CaseResult* result_ = nullptr;
  const Metric* metric_ = nullptr;
  std::vector<Series> series_;
  std::vector<const Metric*> metrics_;  // of series_
  std::uint64_t total_ = 0;
};

}  // namespace

std::filesystem::path samples_path(const std::filesystem::path& record_path, const std::string& sha256) {
  return record_path.parent_path() / (sha256 + ".samples");
}

std::size_t count_samples(const Run& run) {
  std::size_t count = 0;
  for_each_series(run, [&](std::size_t, const CaseResult&, const Measurement& m) { count += m.samples.size(); });
  return count;
}

std::string encode_samples(const Run& run) {
  std::uint64_t series = 0;
  for_each_series(run, [&](std::size_t, const CaseResult&, const Measurement&) { ++series; });
  std::string bytes(magic);
  append(bytes, series);
  append(bytes, static_cast<std::uint64_t>(count_samples(run)));
  for_each_series(run, [&](std::size_t process, const CaseResult& result, const Measurement& measurement) {
    append(bytes, static_cast<std::uint64_t>(process));
    append(bytes, static_cast<std::uint64_t>(measurement.samples.size()));
    append(bytes, static_cast<std::uint32_t>(result.name.size()));
    append(bytes, static_cast<std::uint32_t>(measurement.metric.size()));
    bytes += result.name;
    bytes += measurement.metric;
  });
  bytes.append((alignment - bytes.size() % alignment) % alignment, '\0');
  for_each_series(run, [&](std::size_t, const CaseResult&, const Measurement& measurement) {
    for (const double sample : measurement.samples) append(bytes, std::bit_cast<std::uint64_t>(sample));
  });
  return bytes;
}

base::Result<void> decode_samples(std::string_view bytes, const std::string& where, Run& run) {
  return SamplesDecoder(bytes, where, run).decode();
}

}  // namespace torchgate::record::internal
