// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/changed_data.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "ci/gate/pairs/changed_paths.hpp"
#include "ci/git/commit_list.hpp"
#include "ci/git/repository.hpp"
#include "ci/git/tracked_files.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::array<std::string_view, 3> read_by_people{".adoc", ".md", ".rst"};
constexpr std::array<std::string_view, 8> names{"AUTHORS",     "CODEOWNERS", "COPYING", "LICENSE",
                                                "LICENSE.txt", "NOTICE",     "README",  "torchgate.toml"};
constexpr std::array<std::string_view, 4> beginnings_of_names{".clang-", ".git", ".editorconfig", ".pre-commit"};

/// For a sentence one is enough.
constexpr std::size_t most_data_files = 100;

/// The few files of jobs first, which say something of programs whose reads are known, too; then data, what may decide which data there are, and
/// text, which counts where no program changed.
int weight(const std::string& path) {
  if (gate::may_set_variables(path)) return 0;
  if (gate::may_be_text_input(path)) return 3;
  return gate::may_generate_files(path) ? 2 : 1;
}

/// The work tree that RUN was measured in, as far as HEAD shows.
bool is_work_tree_of(const git::Repository& repository, const record::Source& source) {
  const auto head = repository.head();
  return head && head->commit == *source.commit;
}

}  // namespace

bool may_be_data(std::string_view path) {
  const std::filesystem::path file(path);
  const std::string name = file.filename().string();
  const std::string ending = file.extension().string();
  if (gate::may_set_variables(path)) return true;
  return !gate::is_source_text(path) &&
         std::find(read_by_people.begin(), read_by_people.end(), ending) == read_by_people.end() &&
         std::find(names.begin(), names.end(), name) == names.end() &&
         std::none_of(beginnings_of_names.begin(), beginnings_of_names.end(),
                      [&](std::string_view beginning) { return name.starts_with(beginning); }) &&
         !path.starts_with(".github/");
}

gate::ChangedData changed_data(const record::Run& baseline, const record::Run& current) {
  const record::Source& before = baseline.sides.front().source;
  const record::Source& after = current.sides.front().source;
  if (!before.commit || !after.commit || before.modified.value_or(true) || !after.modified) return std::nullopt;
  if (*before.commit == *after.commit && !*after.modified) return std::vector<std::string>();
  const auto repository = git::enclosing_repository(".");
  if (!repository || !*repository) return std::nullopt;
  if (*after.modified && !is_work_tree_of(**repository, after)) return std::nullopt;
  auto changed = git::paths_changed(**repository, *before.commit, *after.modified ? "" : *after.commit);
  if (!changed) return std::nullopt;
  std::erase_if(*changed, [](const std::string& path) { return !may_be_data(path) && !gate::may_be_text_input(path); });
  // Where not all are kept, those that say most are.
  std::stable_sort(changed->begin(), changed->end(),
                   [](const std::string& a, const std::string& b) { return weight(a) < weight(b); });
  if (changed->size() > most_data_files) changed->resize(most_data_files);
  return *std::move(changed);
}

std::optional<std::string> missing_commit(const record::Run& baseline, const record::Run& current) {
  const record::Source& before = baseline.sides.front().source;
  const record::Source& after = current.sides.front().source;
  if (!before.commit || !after.commit || before.modified.value_or(true)) return std::nullopt;
  const auto repository = git::enclosing_repository(".");
  if (!repository || !*repository) return std::nullopt;
  if (!(*repository)->has_commit(*after.commit) || (*repository)->has_commit(*before.commit)) return std::nullopt;
  return before.commit;
}

}  // namespace torchgate::workflow
