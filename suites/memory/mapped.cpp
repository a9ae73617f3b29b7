// SPDX-License-Identifier: Apache-2.0
// A table in a file, of which a process needs a few rows: read as a whole, or mapped into memory.
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/page_cache.hpp"
#include "suites/common/temporary_folder.hpp"

namespace torchgate::suites::mapped {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::drop_from_page_cache;
using torchgate::suites::Inputs;
using torchgate::suites::TemporaryFolder;
using torchgate::suites::write_file;

constexpr std::int64_t table_rows = 8192;
constexpr std::int64_t table_width = 256;  // 8 MB of floats
constexpr std::int64_t rows_needed = 256;

Tensor table_values(const Args& args) {
  return Inputs(args).normal({table_rows, table_width});
}

Tensor indices_of_rows() {
  return torch::arange(rows_needed) * (table_rows / rows_needed);
}

struct Loading {
  std::string path;
  Timed call;
};

Loading loading(const Args& args) {
  const auto folder = std::make_shared<TemporaryFolder>();
  const std::string path = folder->add("table.pt");
  write_file(path, [&](std::ostream& file) { torch::save(table_values(args), file); });
  return {path, [folder, path, wanted = indices_of_rows()] {
            Tensor values;
            torch::load(values, path);
            return values.index_select(/*dim=*/0, wanted);
          }};
}

Loading mapping(const Args& args) {
  const auto folder = std::make_shared<TemporaryFolder>();
  const std::string path = folder->add("table.bin");
  const Tensor values = table_values(args);
  write_file(path, [&](std::ostream& file) {
    file.write(static_cast<const char*>(values.const_data_ptr()), static_cast<std::streamsize>(values.nbytes()));
  });
  return {path, [folder, path, wanted = indices_of_rows()] {
            const Tensor table = torch::from_file(path, /*shared=*/false, table_rows * table_width);
            return table.view({table_rows, table_width}).index_select(/*dim=*/0, wanted);
          }};
}

Timed loaded(const Args& args) {
  return loading(args).call;
}
Timed mapped(const Args& args) {
  return mapping(args).call;
}

Timed cold(Loading made) {
  return each_time([path = std::move(made.path)] { drop_from_page_cache(path); }, std::move(made.call));
}
Timed loaded_cold(const Args& args) {
  return cold(loading(args));
}
Timed mapped_cold(const Args& args) {
  return cold(mapping(args));
}

// Both files have just been written and are in the page cache: what is compared is the copying, not the disk.
TORCHGATE_GROUP("mapped") {
  group.reference("load", loaded);
  group.variant("from_file", mapped)
      .proves(calls("aten::from_file") == 1)
      .claims(metric("allocated_bytes") <= 0.1 * reference())
      .claims(time() <= 0.4 * reference());
}

// Read from the disk in each call: what is needed of the table comes page by page, with what the kernel reads ahead.
TORCHGATE_GROUP("mapped_cold") {
  group.only_full();
  group.reference("load", loaded_cold);
  group.variant("from_file", mapped_cold)
      .proves(calls("aten::from_file") == 1)
      .claims(metric("allocated_bytes") <= 0.1 * reference());
}

}  // namespace
}  // namespace torchgate::suites::mapped
