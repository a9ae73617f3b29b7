// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/callgrind_parts.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "harness/launch/report_file.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

/// A part with the functions of LibTorch is 1 MB.
constexpr std::int64_t part_limit_bytes = std::int64_t{64} << 20;

}  // namespace

// The last one of a process has no number. Where there are others it is what the process did after its last counted call.
base::Result<CallgrindParts> read_parts(const fs::path& folder) {
  std::map<std::pair<std::int64_t, std::int64_t>, fs::path> files;  // by process and number in it; 0: it has none
  std::set<std::int64_t> told;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::int64_t process = 0;
    std::int64_t number = 0;
    const int fields = std::sscanf(entry.path().filename().c_str(), "part.%ld.%ld", &process, &number);
    if (fields == 2) told.insert(process);
    if (fields > 0) files[{process, number}] = entry.path();
  }
  if (error) return base::Error{base::ErrorCode::io, folder.string() + ": " + error.message()};
  CallgrindParts parts;
  for (const auto& [place, path] : files) {
    const auto& [process, number] = place;
    if (number == 0 && told.contains(process)) continue;
    const auto text = ReportFile(path).text(part_limit_bytes);
    if (!text) return text.error().within("what Callgrind wrote");
    if (text->empty()) {
      parts.some_killed = true;
      continue;
    }
    auto part = read_callgrind(*text, "what Callgrind wrote");
    if (!part) return part.error();
    (number > 0 ? parts.numbered : parts.of_other_ones).push_back(std::move(part).value());
  }
  return parts;
}

void add_programs(const CallgrindParts& parts, ProcessCount& count) {
  for (const CallgrindPart& part : parts.of_other_ones)
    for (const auto& [function, instructions] : part.functions) count.set_up[function] += instructions;
  if (!parts.some_killed) return;
  count.per_call.reset();
  count.unknown = "a program that it starts was killed, so what it executes is not known";
}

}  // namespace torchgate::launch
