// SPDX-License-Identifier: Apache-2.0
#include "harness/import/recognised.hpp"

#include <span>

#include "harness/import/criterion.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/input_text.hpp"

namespace torchgate::import {

namespace fs = std::filesystem;

base::Result<std::string> head_of(const fs::path& path) {
  auto source = source_in(path);
  if (!source) return source.error();
  std::string head(head_bytes, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const auto read = (*source)(std::span(head).subspan(filled));
    if (!read) return read.error();
    if (*read == 0) break;
    filled += *read;
  }
  head.resize(filled);
  return head;
}

bool is_importable(const fs::path& path) {
  if (is_criterion_folder(path)) return true;
  const auto head = head_of(path);
  // What torchgate wrote: each reader of a JSON format would parse the first megabyte to see that it is none of its own.
  if (head && head->starts_with(R"({"schema":"torchgate.)")) return false;
  return head && format_of(*head) != nullptr;
}

bool is_record(const fs::path& path) {
  const auto head = head_of(path);
  return head && head->find("\"torchgate.run/") != std::string::npos;
}

bool is_report(const fs::path& path) {
  const auto head = head_of(path);
  return head && (head->find("\"torchgate.report/") != std::string::npos ||
                  head->find("\"torchgate.matrix/") != std::string::npos);
}

}  // namespace torchgate::import
