// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/output_file.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/bench/files/interposed.hpp"

namespace torchgate::bench {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1}
                                    << 40U;  // more than memory holds: whatever the other process wrote is read

// Numbers are written as this program has them in memory: the other process is the same program on the same machine.
void append_bytes(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

void append_size(std::string& bytes, std::size_t size) {
  const auto number = static_cast<std::uint64_t>(size);
  append_bytes(bytes, &number, sizeof number);
}

class OutputReader {
 public:
  explicit OutputReader(std::string bytes) : bytes_(std::move(bytes)) {}

  // Absent: the file ends before it.
  std::optional<Outputs> all() {
    Outputs outputs;
    const auto count = size_of(1);
    for (std::size_t i = 0; count && i < *count; ++i) {
      Output& output = outputs.emplace_back();
      const auto name = size_of(1);
      if (!name) return std::nullopt;
      output.dtype.resize(*name);
      take(output.dtype.data(), *name);
      const auto values = size_of(sizeof(double));
      if (!values) return std::nullopt;
      output.values.resize(*values);
      take(output.values.data(), *values * sizeof(double));
    }
    if (!count || next_ != bytes_.size()) return std::nullopt;
    return outputs;
  }

 private:
  [[nodiscard]] std::size_t left() const { return bytes_.size() - next_; }

  // A number of elements that the rest of the file can hold.
  std::optional<std::size_t> size_of(std::size_t element_bytes) {
    std::uint64_t number = 0;
    if (left() < sizeof number) return std::nullopt;
    take(&number, sizeof number);
    if (number > left() / element_bytes) return std::nullopt;
    return static_cast<std::size_t>(number);
  }

  void take(void* into, std::size_t size) {
    if (size > 0) std::memcpy(into, bytes_.data() + next_, size);
    next_ += size;
  }

  std::string bytes_;
  std::size_t next_ = 0;
};

}  // namespace

base::Result<void> write_outputs(const std::string& path, const Outputs& outputs) {
  std::string bytes;
  append_size(bytes, outputs.size());
  for (const Output& output : outputs) {
    append_size(bytes, output.dtype.size());
    bytes += output.dtype;
    append_size(bytes, output.values.size());
    append_bytes(bytes, output.values.data(), output.values.size() * sizeof(double));
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    return base::Error{base::ErrorCode::io,
                       "its output could not be written to " + path + "; check the space in TMPDIR"};
  return {};
}

base::Result<Outputs> read_outputs(const std::string& path) {
  read_log().note(path, static_cast<std::uint32_t>(Opened::made));
  auto bytes = base::read_file(path, most_bytes);
  if (!bytes) return bytes.error().within("its output");
  auto outputs = OutputReader(*std::move(bytes)).all();
  if (!outputs) return base::Error{base::ErrorCode::bad_input, "its output was not written completely to " + path};
  return *std::move(outputs);
}

}  // namespace torchgate::bench
