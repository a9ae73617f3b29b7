// SPDX-License-Identifier: Apache-2.0
// Loaded objects and processes from JSON.
#include <limits>

#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"

namespace torchgate::record::internal {
namespace {

constexpr std::int64_t least_exit_code = -1 - std::int64_t{std::numeric_limits<std::int32_t>::max()};
constexpr std::int64_t most_exit_code = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t most_signal = 128;

LoadedObject read_object(json::JsonReader& reader) {
  LoadedObject object;
  reader.object({"path", "bytes", "inode", "mtime_ns"}, [&](std::string_view key) {
    if (key == "path")
      object.path = reader.name();
    else if (key == "soname")
      object.soname = reader.name();
    else if (key == "bytes")
      object.bytes = reader.integer(0, base::max_bytes);
    else if (key == "inode")
      object.inode = reader.unsigned_integer();
    else if (key == "mtime_ns")
      object.mtime_ns = reader.integer();
    else if (key == "sha256")
      object.sha256 = read_sha256(reader);
    else if (key == "executable")
      object.executable = reader.boolean();
    else if (key == "system")
      object.system = reader.boolean();
    else
      reader.skip();
  });
  return object;
}

ReadFile read_file(json::JsonReader& reader) {
  ReadFile file;
  reader.object({"path"}, [&](std::string_view key) {
    if (key == "path")
      file.path = reader.name();
    else if (key == "sha256")
      file.sha256 = read_sha256(reader);
    else
      reader.skip();
  });
  return file;
}

std::int64_t read_position(json::JsonReader& reader, std::string_view place, std::int64_t size) {
  const std::int64_t position = reader.integer(0);
  if (position >= size) {
    reader.fail("expected a position in " + std::string(place) + ", which has " + std::to_string(size) + ", found " +
                std::to_string(position));
  }
  return position;
}

void read_range(json::JsonReader& reader, std::string_view place, std::int64_t size,
                std::vector<std::int64_t>& positions) {
  std::vector<std::int64_t> bounds;
  reader.array([&](std::int64_t) { bounds.push_back(read_position(reader, place, size)); });
  if (reader.failed()) return;
  if (bounds.size() != 2 || bounds[0] > bounds[1]) return reader.fail("expected a range [first, last]");
  for (std::int64_t position = bounds[0]; position <= bounds[1]; ++position) positions.push_back(position);
}

void check_side(json::JsonReader& reader, std::int64_t side, std::int64_t sides) {
  if (side >= sides) {
    reader.fail("expected a position in /sides, which has " + std::to_string(sides) + ", found " +
                std::to_string(side));
  }
}

ProcessUsage read_usage(json::JsonReader& reader) {
  ProcessUsage usage;
  const auto required = {std::string_view("minor_faults"), std::string_view("major_faults"),
                         std::string_view("voluntary_switches"), std::string_view("involuntary_switches")};
  reader.object(required, [&](std::string_view key) {
    if (key == "minor_faults")
      usage.minor_faults = reader.integer(0, base::max_count);
    else if (key == "major_faults")
      usage.major_faults = reader.integer(0, base::max_count);
    else if (key == "voluntary_switches")
      usage.voluntary_switches = reader.integer(0, base::max_count);
    else if (key == "involuntary_switches")
      usage.involuntary_switches = reader.integer(0, base::max_count);
    else
      reader.skip();
  });
  return usage;
}

ProcessStart read_start(json::JsonReader& reader) {
  ProcessStart start;
  reader.object({}, [&](std::string_view key) {
    if (key == "load_ns")
      start.load_ns = reader.integer(0, base::max_ns);
    else if (key == "main_ns")
      start.main_ns = reader.integer(0, base::max_ns);
    else if (key == "first_call_ns")
      start.first_call_ns = reader.integer(0, base::max_ns);
    else if (key == "first_case")
      start.first_case = reader.name();
    else if (key == "untimed_ns")
      start.untimed_ns = reader.integer(0, base::max_ns);
    else
      reader.skip();
  });
  return start;
}

Process read_process(json::JsonReader& reader, const ProcessContext& context) {
  Process process;
  const auto read_required = [&](std::string_view key) {
    if (key == "index")
      process.index = reader.integer(0, base::max_count);
    else if (key == "side")
      check_side(reader, process.side = reader.integer(0), context.sides);
    else if (key == "suite")
      process.suite = reader.name();
    else if (key == "group")
      process.group = reader.name();
    else if (key == "seed")
      process.seed = reader.unsigned_integer();
    else if (key == "wall_ns")
      process.wall_ns = reader.integer(0, base::max_ns);
    else if (key == "objects")
      process.objects = read_positions(reader, "/objects", context.objects, context.results.copied);
    else if (key == "cases")
      process.cases = read_results(reader, context.results);
    else
      return false;
    return true;
  };
  const auto read_optional = [&](std::string_view key) {
    if (key == "pair")
      process.pair = reader.integer(0, base::max_processes);
    else if (key == "order_in_pair")
      process.order_in_pair = reader.integer(0, 1);
    else if (key == "started")
      process.started = read_timestamp(reader);
    else if (key == "status")
      process.status = read_enum(reader, process_status_names);
    else if (key == "message")
      process.message = reader.string();
    else if (key == "exit_code")
      process.exit_code = reader.integer(least_exit_code, most_exit_code);
    else if (key == "signal")
      process.signal = reader.integer(1, most_signal);
    else if (key == "peak_resident_bytes")
      process.peak_resident_bytes = reader.integer(0, base::max_bytes);
    else if (key == "cpu_ns")
      process.cpu_ns = reader.integer(0, base::max_ns);
    else if (key == "usage")
      process.usage = read_usage(reader);
    else if (key == "start")
      process.start = read_start(reader);
    else if (key == "environment")
      process.environment = read_parameters(reader);
    else if (key == "rank")
      process.rank = reader.integer(0, base::max_ranks - 1);
    else if (key == "files")
      process.files = read_positions(reader, "/files", context.files, context.results.copied);
    else if (key == "files_unknown")
      process.files_unknown = reader.string();
    else
      return false;
    return true;
  };
  reader.object({"index", "side", "suite", "group", "seed", "wall_ns", "objects", "cases"}, [&](std::string_view key) {
    if (!read_required(key) && !read_optional(key)) reader.skip();
  });
  return process;
}

}  // namespace

std::vector<LoadedObject> read_objects(json::JsonReader& reader) {
  std::vector<LoadedObject> objects;
  reader.array(base::max_objects, [&](std::int64_t) { objects.push_back(read_object(reader)); });
  return objects;
}

std::vector<ReadFile> read_files(json::JsonReader& reader) {
  std::vector<ReadFile> files;
  reader.array(base::max_objects, [&](std::int64_t) { files.push_back(read_file(reader)); });
  return files;
}

std::vector<std::int64_t> read_positions(json::JsonReader& reader, std::string_view place, std::int64_t size,
                                         CopyBudget& copied) {
  std::vector<std::int64_t> positions;
  reader.array([&](std::int64_t) {
    if (reader.peek() == json::JsonReader::Kind::array) {
      read_range(reader, place, size, positions);
    } else {
      positions.push_back(read_position(reader, place, size));
    }
    if (static_cast<std::int64_t>(positions.size()) > size)
      reader.fail("duplicate " + std::string(place.substr(1, place.size() - 2)));
  });
  copied.take(reader, positions.size() * sizeof(std::int64_t));  // a range is a few bytes of text
  return positions;
}

std::vector<Process> read_processes(json::JsonReader& reader, const ProcessContext& context) {
  std::vector<Process> processes;
  reader.array(base::max_processes, [&](std::int64_t) { processes.push_back(read_process(reader, context)); });
  return processes;
}

}  // namespace torchgate::record::internal
