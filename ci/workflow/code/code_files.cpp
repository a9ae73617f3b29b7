// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/code/code_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

#include "ci/gate/instructions/function_name.hpp"
#include "harness/launch/listing.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

/// A LibTorch is several hundred MiB: where it differs, that is what differs.
constexpr std::uintmax_t largest_file_bytes = std::uintmax_t{256} << 20;

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

// Callgrind names code without a symbol by its address in the file, as it does that of symbols without a size. Absent: IMAGE has no name for it.
std::optional<std::string> name_in(const code::ElfImage& image, const std::string& name) {
  constexpr std::string_view prefix = "0x";
  constexpr int hexadecimal = 16;
  if (name.starts_with("???")) return std::nullopt;
  if (!name.starts_with(prefix)) return name;
  std::uint64_t address = 0;
  const char* const end = name.data() + name.size();
  const auto [parsed, failed] = std::from_chars(name.data() + prefix.size(), end, address, hexadecimal);
  const code::Symbol* const symbol = failed == std::errc{} && parsed == end ? image.symbol_at(address) : nullptr;
  if (symbol == nullptr || symbol->address != address) return std::nullopt;
  return std::string(symbol->name);
}

// Adds the names of what one side executed. False: some have none.
bool add_names(const code::ElfImage& image, const std::set<std::string>& executed, std::set<std::string>& names) {
  bool all = true;
  for (const std::string& each : executed) {
    if (auto name = name_in(image, each)) {
      names.insert(*std::move(name));
    } else {
      all = false;
    }
  }
  return all;
}

// Its word for what calls main(), such as _start: of the C runtime's start files.
constexpr std::string_view below_main = "(below main)";

// The C library chooses by addresses and sizes, and is the same on both sides.
bool is_of_system(const std::string& path) {
  return path.starts_with("/lib") || path.starts_with("/usr/lib");
}

// A function that only one side's calls execute, although none differs: another one of that name was bound, or another branch is taken. The
// EXECUTABLES are one another's, whatever their names.
std::string executed_on_one_side(const launch::CountedCase& before, const launch::CountedCase& after,
                                 const std::set<std::string>& executables) {
  const auto executed = [&](const launch::CountedCase& side) {
    std::set<std::pair<std::string, std::string>> functions;
    for (const auto& [function, instructions] : side.functions)
      if (!function.object.empty() && !is_of_system(function.object) && !function.name.starts_with("0x"))
        functions.emplace(function.name,
                          executables.contains(function.object) ? "the program" : file_name(function.object));
    return functions;
  };
  std::vector<std::pair<std::string, std::string>> different;
  std::ranges::set_symmetric_difference(executed(before), executed(after), std::back_inserter(different));
  if (different.empty()) return "";
  return fmt::format(
      "{} of {} is executed on one side only; compare again: of a function that is called rarely no call may have been "
      "counted",
      gate::readable_function_name(different.front().first), different.front().second);
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

void add_changed(record::CodeComparison& code, record::ChangedFunction function) {
  ++code.changed_count;
  if (code.changed.size() < record::most_functions) code.changed.push_back(std::move(function));
}

}  // namespace

base::Result<CodeFiles> CodeFiles::open(const launch::Request& request) {
  const auto decoder = code::Decoder::get();
  if (!decoder) return decoder.error();
  CodeFiles files;
  files.decoder_ = *decoder;
  for (const launch::SideRequest& side : request.sides) {
    const auto suites = launch::find_suites(side.suites);
    if (!suites) return suites.error();
    for (const fs::path& suite : *suites) {
      std::error_code error;
      const fs::path real = fs::canonical(suite, error);
      files.executables_.insert(error ? suite.string() : real.string());
    }
  }
  return files;
}

bool CodeFiles::are_same(const Pair& pair) {
  if (pair.before == pair.after) return true;
  if (pair.before.empty() || pair.after.empty()) return false;
  const auto before = hashes_.sha256_of(pair.before);
  const auto after = hashes_.sha256_of(pair.after);
  return before && after && *before == *after;
}

// Libraries by their names; the executables are one another's. SEVERAL: a name that two files of one side have, if any.
std::vector<CodeFiles::Pair> CodeFiles::paired(const std::set<std::string>& before, const std::set<std::string>& after,
                                               std::string& several) const {
  std::map<std::string, Pair> pairs;
  const auto key_of = [&](const std::string& path) {
    return executables_.contains(path) ? std::string("/") : file_name(path);
  };
  const auto take = [&](const std::set<std::string>& paths, std::string Pair::*side) {
    for (const std::string& path : paths) {
      std::string& place = pairs[key_of(path)].*side;
      if (!place.empty() && several.empty()) several = file_name(path);
      place = path;
    }
  };
  take(before, &Pair::before);
  take(after, &Pair::after);
  std::vector<Pair> list;
  list.reserve(pairs.size());
  for (auto& [key, pair] : pairs) list.push_back(std::move(pair));
  return list;
}

bool CodeFiles::has_compared(const std::string& name) const {
  return std::any_of(compared_.begin(), compared_.end(), [&](const auto& each) {
    return each.second.comparison != nullptr && file_name(each.first.after) == name;
  });
}

base::Result<void> CodeFiles::open_images(const Pair& pair, Compared& files) {
  if (std::max(size_of(pair.before), size_of(pair.after)) > largest_file_bytes)
    return base::Error{
        base::ErrorCode::bad_input,
        fmt::format("{} differs, and its functions are not compared because it is larger than {} MiB; use "
                    "the same file on both sides",
                    file_name(pair.after), largest_file_bytes >> 20)};
  auto before = code::ElfImage::open(pair.before);
  if (!before) return before.error();
  auto after = code::ElfImage::open(pair.after);
  if (!after) return after.error();
  if (before->is_stripped() || after->is_stripped())
    return base::Error{base::ErrorCode::bad_input,
                       file_name(pair.after) + " differs, and has no symbol table; build it without -s or strip"};
  files.before = std::make_unique<code::ElfImage>(*std::move(before));
  files.after = std::make_unique<code::ElfImage>(*std::move(after));
  changed_variables_.merge(code::changed_variables(*files.before, *files.after, *decoder_));
  return {};
}

// A file may read variables of another one, so what was compared before is compared again where more of them changed.
void CodeFiles::open_all(const std::vector<Pair>& pairs) {
  const std::size_t known = changed_variables_.size();
  for (const Pair& pair : pairs) {
    const auto [place, added] = compared_.try_emplace(pair);
    if (!added || pair.before.empty() || pair.after.empty()) continue;
    if (auto opened = open_images(pair, place->second); !opened) place->second.unknown = opened.error().message;
  }
  const bool more = changed_variables_.size() != known;
  for (auto& [pair, files] : compared_) {
    if (files.after == nullptr || (files.comparison != nullptr && !more)) continue;
    files.changes.reset();
    files.comparison = std::make_unique<code::Comparison>(*files.before, *files.after, *decoder_, changed_variables_);
  }
}

record::CodeComparison CodeFiles::compare(const launch::CountedCase& before, const launch::CountedCase& after) {
  record::CodeComparison code;
  std::set<std::string> objects_before;
  std::set<std::string> objects_after;
  std::map<std::string, Executed> executed;  // by the path of either side
  const auto take = [&](const launch::CountedCase& side, std::set<std::string>& objects) {
    for (const auto& [function, instructions] : side.functions) {
      executed[function.object].calls.insert(function.name);
      objects.insert(function.object);
    }
    for (const auto& [function, instructions] : side.set_up) {
      executed[function.object].set_up.insert(function.name);
      objects.insert(function.object);
    }
  };
  take(before, objects_before);
  take(after, objects_after);
  // What was made while it ran (kernels of oneDNN) is the work of functions that are compared.
  objects_before.erase("");
  objects_after.erase("");
  std::vector<Pair> different;
  std::string several;
  for (const Pair& pair : paired(objects_before, objects_after, several)) {
    const Executed& after_only = executed[pair.after];
    code.functions += static_cast<std::int64_t>(after_only.calls.size());
    code.set_up_functions += std::count_if(after_only.set_up.begin(), after_only.set_up.end(),
                                           [&](const auto& name) { return !after_only.calls.contains(name); });
    ++code.objects;
    if (!are_same(pair)) different.push_back(pair);
  }
  const auto is_own = [&](const std::string& path) { return executables_.contains(path); };
  if (std::none_of(objects_after.begin(), objects_after.end(), is_own) || code.functions == 0)
    code.unknown = "no function of its executable was seen; build it with a symbol table (without -s or strip)";
  if (!several.empty())
    code.unknown = "several of the files that it executes are named " + several +
                   ", and which belong together is not known; rename one";
  open_all(different);
  for (const Pair& pair : different) compare_files(pair, executed[pair.before], executed[pair.after], code);
  if (code.identical()) code.unknown = executed_on_one_side(before, after, executables_);
  return code;
}

void CodeFiles::compare_files(const Pair& pair, const Executed& executed_before, const Executed& executed_after,
                              record::CodeComparison& code) {
  const std::string object = file_name(pair.after.empty() ? pair.before : pair.after);
  if (pair.before.empty() || pair.after.empty()) {
    add_changed(code, {"", object, pair.before.empty() ? "it is used after only" : "it is used before only",
                       executed_before.calls.empty() && executed_after.calls.empty()});
    return;
  }
  Compared& files = compared_[pair];
  if (files.comparison == nullptr) {
    code.unknown =
        files.unknown.empty() ? object + " could not be opened on both sides; build both sides again" : files.unknown;
    return;
  }
  Executed executed;
  const bool named = add_names(*files.before, executed_before.calls, executed.calls) &&
                     add_names(*files.after, executed_after.calls, executed.calls) &&
                     add_names(*files.before, executed_before.set_up, executed.set_up) &&
                     add_names(*files.after, executed_after.set_up, executed.set_up);
  if (!named) {
    code.unknown = object + " differs, and has functions without a symbol; build it without -s or strip";
    return;
  }
  for (const std::string& name : executed.calls) executed.set_up.erase(name);
  const auto take = [&](const std::string& name, bool set_up) {
    if (name == below_main) return;
    if (const auto difference = files.comparison->difference(name))
      add_changed(code, {name, object, difference->what, set_up});
  };
  for (const std::string& name : executed.calls) take(name, false);
  for (const std::string& name : executed.set_up) take(name, true);
  if (code.changed_count == 0) add_unexecuted(files, object, executed, code);
}

void CodeFiles::add_unexecuted(Compared& files, const std::string& object, const Executed& executed,
                               record::CodeComparison& code) {
  if (!files.changes) files.changes = files.comparison->changes();
  if (!files.changes->unattributed_variables.empty())
    code.unknown = fmt::format(
        "{} of {} begins with another value, and which function reads it is not known; check whether this case does",
        gate::readable_function_name(files.changes->unattributed_variables.front()), object);
#ifdef __x86_64__
  const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0;
#else
  const bool has_avx512 = false;
#endif
  for (const std::string& name : files.changes->functions) {
    if (executed.calls.contains(name) || executed.set_up.contains(name)) continue;
    const auto difference = files.comparison->difference(name);
    if (!difference) continue;
    if (has_avx512 && difference->is_beyond_valgrind)
      code.unknown = fmt::format(
          "{} of {} changed and uses instructions that Valgrind does not execute (AVX-512, AMX, SHA); check whether "
          "this case calls it",
          gate::readable_function_name(name), object);
    ++code.unexecuted_count;
    if (code.unexecuted.size() < record::most_functions)
      code.unexecuted.push_back({name, object, difference->what, false});
  }
}

}  // namespace torchgate::workflow
