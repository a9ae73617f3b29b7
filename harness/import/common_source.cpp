// SPDX-License-Identifier: Apache-2.0
#include "harness/import/common_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/short_commit.hpp"

namespace torchgate::import {
namespace {

// Only where both are known: a file without a commit may be of any.
bool differ(const record::Source& a, const record::Source& b) {
  if (!a.commit || !b.commit) return false;
  return *a.commit != *b.commit || (a.modified && b.modified && *a.modified != *b.modified);
}

std::string words_of(const record::Source& source, bool whole) {
  return (whole ? *source.commit : record::short_commit(*source.commit)) +
         (source.modified.value_or(false) ? " with uncommitted changes" : "");
}

}  // namespace

record::Source common_source(const std::vector<const ImportedProcess*>& processes, std::vector<std::string>& warnings) {
  const auto known = std::find_if(processes.begin(), processes.end(),
                                  [](const ImportedProcess* each) { return each->source.commit.has_value(); });
  if (known == processes.end()) return processes.front()->source;
  const ImportedProcess& first = **known;
  const auto other = std::find_if(known, processes.end(),
                                  [&](const ImportedProcess* each) { return differ(first.source, each->source); });
  if (other != processes.end()) {
    const record::Source& source = (*other)->source;
    const bool whole = *source.commit != *first.source.commit &&
                       record::short_commit(*source.commit) == record::short_commit(*first.source.commit);
    warnings.push_back(
        fmt::format("{}: of commit {}, but {} of commit {}: the values of several builds are one side; "
                    "give only files of one commit",
                    (*other)->file, words_of(source, whole), first.file, words_of(first.source, whole)));
  }
  const bool same = std::all_of(processes.begin(), processes.end(),
                                [&](const ImportedProcess* each) { return each->source == processes.front()->source; });
  return same ? processes.front()->source : record::Source();
}

}  // namespace torchgate::import
