// SPDX-License-Identifier: Apache-2.0
// The zip file that an untrusted job uploaded. Whatever it is: nothing beyond the limits is accepted or inflated.
#include <algorithm>
#include <set>
#include <string_view>

#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/artifact/artifact_name.hpp"
#include "ci/github/artifact/inflate_entry.hpp"
#include "ci/github/artifact/zip_directory.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

// A streaming reader would find the same entries: each local header has the name of its entry and nothing is between them.
void require_forwards(std::string_view zip, std::vector<github::ZipEntry> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const auto& left, const auto& right) { return left.offset < right.offset; });
  for (const github::ZipEntry& entry : entries) {
    constexpr std::size_t header_bytes = 30;
    const std::string_view header = zip.substr(static_cast<std::size_t>(entry.offset));
    fuzz::require(header.starts_with("PK\x03\x04"), "a local header is where the directory says");
    fuzz::require(header.substr(header_bytes).starts_with(entry.name), "local headers have the names of the directory");
    fuzz::require(entry.packed.data() > header.data() && entry.packed.size() == entry.packed_bytes,
                  "the content is behind its header");
    fuzz::require(entry.packed.data() + entry.packed.size() <= zip.data() + zip.size(), "the content is in the file");
  }
  for (std::size_t i = 1; i < entries.size(); ++i)
    fuzz::require(entries[i - 1].packed.data() + entries[i - 1].packed.size() <= zip.data() + entries[i].offset,
                  "entries do not overlap");
}

}  // namespace

TORCHGATE_FUZZ_TARGET(zip) {
  const auto entries = github::read_zip_directory(input);
  if (!entries) return;
  fuzz::accepted();
  fuzz::require(entries->size() <= github::max_artifact_entries, "entries are within the limit");
  require_forwards(input, *entries);
  std::set<std::string_view> names;
  std::uint64_t total = 0;
  for (const github::ZipEntry& entry : *entries) {
    fuzz::require(github::is_artifact_name(entry.name) && names.insert(entry.name).second,
                  "names are allowed, each once");
    fuzz::require(entry.inflated_bytes <= entry.packed_bytes * github::max_inflation_ratio,
                  "the ratio is within the limit");
    std::uint64_t bytes = 0;
    const auto inflated = github::inflate_entry(entry, [&](std::string_view piece) -> base::Result<void> {
      bytes += piece.size();
      fuzz::require(bytes <= entry.inflated_bytes, "no more is inflated than declared");
      return {};
    });
    fuzz::require(!inflated.ok() || bytes == entry.inflated_bytes, "as much is inflated as declared");
    total += bytes;
  }
  fuzz::require(total <= github::max_inflated_bytes, "all files together are within the limit");
}
