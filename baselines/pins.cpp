// SPDX-License-Identifier: Apache-2.0
#include "baselines/pins.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "baselines/place_file.hpp"
#include "baselines/safe_name.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/creation_time.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view pin_extension = ".json";
constexpr const char* pins_folder = "pins";

/// The entries of FOLDER of that type; none when there is no such folder. No symbolic links.
Result<std::vector<fs::path>> entries_of(const fs::path& folder, fs::file_type type) {
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code vanished;
    if (it->symlink_status(vanished).type() == type) paths.push_back(it->path());
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Error{ErrorCode::io, "cannot list " + folder.string() + ": " + failed.message()};
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The problem with a record that cannot be read, and the fix. An older record of the name is not used instead: the pin may have moved.
Error damaged(const Error& problem, const std::string& name) {
  if (problem.code != ErrorCode::bad_input) return problem;
  return {problem.code, "pin " + name + ": " + problem.message + "; restore the file, or remove it"};
}

/// The newest record in FOLDER; absent: none. Names are times.
Result<std::optional<Pin>> newest_record(const fs::path& folder) {
  auto files = entries_of(folder, fs::file_type::regular);
  if (!files) return files.error();
  std::erase_if(*files, [](const fs::path& file) {
    return file.extension() != pin_extension || file.filename().string().front() == '.';
  });
  if (files->empty()) return std::optional<Pin>();
  const fs::path& file = files->back();
  const auto text = base::read_file(file, pin_limit_bytes, base::Links::refused);
  const std::string name = folder.filename().string();
  if (!text) return damaged(text.error(), name);
  auto pin = pin_from_json(*text, file.string());
  if (!pin) return damaged(pin.error(), name);
  if (auto right = check_pin_place(*pin, name, file.filename().string(), file.string()); !right) return right.error();
  if (base::is_from_the_future(pin->created)) {
    return Error{ErrorCode::bad_input, file.string() + ": its time, " + pin->created +
                                           ", is later than now; check the clocks, or remove this file"};
  }
  return std::optional(std::move(pin).value());
}

}  // namespace

std::string pin_file_name(const Pin& pin) {
  std::string digits = pin.created;
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  return digits + std::string(pin_extension);
}

Result<void> check_pin_place(const Pin& pin, const std::string& folder, const std::string& name,
                             const std::string& where) {
  if (pin.name == folder && pin_file_name(pin) == name) return {};
  return Error{ErrorCode::bad_input, where + ": its content is of another pin or time: " + pin.name + " at " +
                                         pin.created + "; restore the file, or remove it"};
}

Result<void> write_pin(const fs::path& root, const Pin& pin) {
  const std::string text = to_json(pin);
  if (const auto readable = pin_from_json(text, "pin " + pin.name); !readable) return readable.error();
  const fs::path folder = root / pins_folder / pin.name;
  const auto known = newest_record(folder);
  if (!known) return known.error();
  if (*known && (*known)->created >= pin.created) {
    return Error{ErrorCode::bad_input, "pin " + pin.name + ": its newest record is of " + (*known)->created +
                                           ", not before " + pin.created + "; check the clock"};
  }
  if (auto made = make_folders(folder); !made) return made;
  return base::write_file_atomically(folder / pin_file_name(pin), text, false);
}

Result<Pin> write_next_pin(const fs::path& root, const Pin& pin, PinBefore before) {
  if (auto valid = check_pin_name(pin.name); !valid) return valid.error();
  const auto newest = newest_record(root / pins_folder / pin.name);
  if (!newest) return newest.error();
  auto next = next_pin(pin, *newest, before);
  if (!next) return next;
  if (auto written = write_pin(root, *next); !written) return written.error();
  return next;
}

Result<std::optional<Pin>> read_pin(const fs::path& root, const std::string& name) {
  if (!is_safe_folder_name(name)) return std::optional<Pin>();
  auto pin = newest_record(root / pins_folder / name);
  if (pin && *pin && (*pin)->removed()) return std::optional<Pin>();
  return pin;
}

Result<PinList> read_pins(const fs::path& root) {
  const auto folders = entries_of(root / pins_folder, fs::file_type::directory);
  if (!folders) return folders.error();
  PinList list;
  for (const fs::path& folder : *folders) {
    const std::string name = folder.filename().string();
    auto pin = is_safe_folder_name(name) ? newest_record(folder) : Result<std::optional<Pin>>(std::nullopt);
    if (!pin) {
      list.damaged.push_back(pin.error().message);
    } else if (*pin) {
      ((*pin)->removed() ? list.removed : list.pins).push_back(std::move(**pin));
    }
  }
  return list;
}

}  // namespace torchgate::baselines
