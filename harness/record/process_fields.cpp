// SPDX-License-Identifier: Apache-2.0
// Processes, and the objects that they load.
#include <limits>

#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

using json::integer;
using json::object_of;
using json::optional;
using json::required;

// --- objects -------------------------------------------------------------------------------------------------------

constexpr json::Table object_fields{
    json::of<LoadedObject>,
    required("path", &LoadedObject::path, json::name),
    optional("soname", &LoadedObject::soname, json::name),
    required("bytes", &LoadedObject::bytes, in_bytes),
    required("inode", &LoadedObject::inode, json::unsigned_integer),
    required("mtime_ns", &LoadedObject::mtime_ns, integer()),
    optional("sha256", &LoadedObject::sha256, sha256),
    optional("executable", &LoadedObject::executable, json::flag),
    optional("system", &LoadedObject::system, json::flag),
};

constexpr auto object_list = json::list_of(base::max_objects, object_of<object_fields>);

// --- processes -----------------------------------------------------------------------------------------------------

constexpr std::int64_t least_exit_code = -1 - std::int64_t{std::numeric_limits<std::int32_t>::max()};
constexpr std::int64_t most_exit_code = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t most_signal = 128;

constexpr json::Table usage_fields{
    json::of<ProcessUsage>,
    required("minor_faults", &ProcessUsage::minor_faults, counted),
    required("major_faults", &ProcessUsage::major_faults, counted),
    required("voluntary_switches", &ProcessUsage::voluntary_switches, counted),
    required("involuntary_switches", &ProcessUsage::involuntary_switches, counted),
};

constexpr json::Table start_fields{
    json::of<ProcessStart>,
    optional("load_ns", &ProcessStart::load_ns, in_ns),
    optional("main_ns", &ProcessStart::main_ns, in_ns),
    optional("first_call_ns", &ProcessStart::first_call_ns, in_ns),
    optional("first_case", &ProcessStart::first_case, json::name),
    optional("untimed_ns", &ProcessStart::untimed_ns, in_ns),
};

std::int64_t position_of_side(JsonReader& reader, Reading& context) {
  const std::int64_t side = reader.integer(0);
  check_position(reader, side, "/sides", context.run->sides.size());
  return side;
}

constexpr json::Table process_fields{
    json::of<Process>,
    required("index", &Process::index, counted),
    required("side", &Process::side, position_of_side),
    optional("pair", &Process::pair, integer(0, base::max_processes)),
    optional("order_in_pair", &Process::order_in_pair, integer(0, 1)),
    required("suite", &Process::suite, json::name),
    required("group", &Process::group, json::name),
    required("seed", &Process::seed, json::unsigned_integer),
    optional("started", &Process::started, timestamp),
    required("wall_ns", &Process::wall_ns, in_ns),
    optional("status", &Process::status, word<process_status_names>),
    optional("message", &Process::message, json::text),
    optional("exit_code", &Process::exit_code, integer(least_exit_code, most_exit_code)),
    optional("signal", &Process::signal, integer(1, most_signal)),
    optional("peak_resident_bytes", &Process::peak_resident_bytes, in_bytes),
    optional("cpu_ns", &Process::cpu_ns, in_ns),
    optional("usage", &Process::usage, object_of<usage_fields>),
    optional("start", &Process::start, object_of<start_fields>),
    optional("environment", &Process::environment, parameter_object),
    optional("rank", &Process::rank, integer(0, base::max_ranks - 1)),
    required("objects", &Process::objects, positions_in("/objects", &Run::objects)),
    optional("files", &Process::files, positions_in("/files", &Run::files)),
    optional("files_unknown", &Process::files_unknown, json::text),
    required("cases", &Process::cases, part(results_part)),
};

constexpr auto process_list = json::list_of(base::max_processes, object_of<process_fields>);

}  // namespace

constexpr Part<std::vector<LoadedObject>> objects_part = part_of<std::vector<LoadedObject>, object_list>;
constexpr Part<std::vector<Process>> processes_part = part_of<std::vector<Process>, process_list>;

}  // namespace torchgate::record::internal
