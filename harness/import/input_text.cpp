// SPDX-License-Identifier: Apache-2.0
#include "harness/import/input_text.hpp"

#include <utility>

#include "harness/base/utf8_text.hpp"
#include "harness/import/bounds.hpp"

namespace torchgate::import {

base::Result<std::string> text_in(const std::filesystem::path& path, base::Links links) {
  auto text = base::read_file(path, most_file_bytes, links);
  if (!text) return text;
  return base::utf8_of(*std::move(text));
}

base::Result<base::TextSource> source_in(const std::filesystem::path& path) {
  auto source = base::text_of_file(path);
  if (!source) return source;
  return base::utf8_of(*std::move(source));
}

}  // namespace torchgate::import
