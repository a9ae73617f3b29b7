// SPDX-License-Identifier: Apache-2.0
// compare_code BEFORE AFTER [--beside BEFORE AFTER]... [FUNCTION...]: the functions of two builds of a file that differ, one a line with what
// differs; of those named, or of all. --beside: files that are used with it, whose variables it may read. For the tests and
// tests/studies/edit_study.py.
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/code/comparison.hpp"

using namespace torchgate;

namespace {

int fail(const base::Error& error) {
  std::fprintf(stderr, "compare_code: %s\n", error.message.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> functions(argv + 1, argv + argc);
  std::vector<std::pair<std::string, std::string>> files;
  while (functions.size() >= 2 && (files.empty() || functions.front() == "--beside")) {
    if (!files.empty()) functions.erase(functions.begin());
    if (functions.size() < 2) break;
    files.emplace_back(functions[0], functions[1]);
    functions.erase(functions.begin(), functions.begin() + 2);
  }
  if (files.empty())
    return fail(
        {base::ErrorCode::bad_input, "usage: compare_code BEFORE AFTER [--beside BEFORE AFTER]... [FUNCTION...]"});
  const auto decoder = code::Decoder::get();
  if (!decoder) return fail(decoder.error());
  std::set<std::string, std::less<>> elsewhere;
  for (std::size_t i = files.size(); i > 0; --i) {
    const auto before = code::ElfImage::open(files[i - 1].first);
    if (!before) return fail(before.error());
    const auto after = code::ElfImage::open(files[i - 1].second);
    if (!after) return fail(after.error());
    if (i > 1) {
      elsewhere.merge(code::changed_variables(*before, *after, **decoder));
      continue;
    }
    code::Comparison comparison(*before, *after, **decoder, elsewhere);
    const code::Changes changes = comparison.changes();
    for (const std::string& function : functions.empty() ? changes.functions : functions) {
      const auto difference = comparison.difference(function);
      if (difference) std::printf("%s\t%s\n", function.c_str(), difference->what.c_str());
    }
    for (const std::string& variable : changes.unattributed_variables)
      std::printf("%s\tit begins with another value, and which function reads it is not known\n", variable.c_str());
  }
}
