// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/identical_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/json/fields.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::int64_t largest_identical_file = std::int64_t{16} << 20;
constexpr std::size_t most_rows = 10'000;

constexpr json::Table row_fields{
    json::of<IdenticalRow>,
    json::required("run", &IdenticalRow::run, json::name),
    json::required("created", &IdenticalRow::created, json::name),
    json::required("host_key", &IdenticalRow::host_key, json::name),
    json::required("comparisons", json::inside(&IdenticalRow::pairs, &reports::IdenticalPairs::comparisons),
                   json::counted),
    json::required("different", json::inside(&IdenticalRow::pairs, &reports::IdenticalPairs::different), json::counted),
};

struct IdenticalPairsFile {
  std::vector<IdenticalRow> pairs;
};

constexpr json::Table file_fields{
    json::of<IdenticalPairsFile>,
    json::schema("torchgate.identical/1"),
    json::required("pairs", &IdenticalPairsFile::pairs,
                   json::list_of(json::max_json_elements, json::object_of<row_fields>)),
};

std::string called_different(const reports::IdenticalPairs& pairs) {
  return fmt::format("{} of {} of identical builds {} called different", pairs.different,
                     base::counted(pairs.comparisons, "comparison", "comparisons"),
                     pairs.different == 1 ? "was" : "were");
}

double rate_of(const reports::IdenticalPairs& pairs) {
  return static_cast<double>(pairs.different) / static_cast<double>(pairs.comparisons);
}

}  // namespace

base::Result<std::vector<IdenticalRow>> load_identical_pairs(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::vector<IdenticalRow>();
  const auto text = base::read_file(file, largest_identical_file);
  if (!text) return text.error();
  auto read = json::read_document<file_fields>(*text, file.string());
  if (!read) return read.error();
  return std::move(read->pairs);
}

base::Result<void> add_identical_pairs(const IdenticalRow& row, const std::filesystem::path& file) {
  auto rows = load_identical_pairs(file);
  if (!rows) return rows.error();
  if (std::any_of(rows->begin(), rows->end(), [&](const auto& known) { return known.run == row.run; })) return {};
  rows->push_back(row);
  if (rows->size() > most_rows) rows->erase(rows->begin(), rows->end() - static_cast<std::ptrdiff_t>(most_rows));
  std::error_code failed;
  base::create_folders(file.parent_path(), failed);
  if (failed) return base::system_error(file.parent_path(), "create the folder", failed.value());
  return base::write_file_atomically(file, json::write_document<file_fields>(IdenticalPairsFile{*rows}), true);
}

reports::IdenticalPairs total_of(const std::vector<IdenticalRow>& rows, const std::string& host_key) {
  reports::IdenticalPairs total;
  for (const IdenticalRow& row : rows) {
    if (row.host_key != host_key) continue;
    total.comparisons += row.pairs.comparisons;
    total.different += row.pairs.different;
  }
  return total;
}

void tell_identical_pairs(const reports::IdenticalPairs& total, double alpha, reports::Report& report) {
  if (total.comparisons == 0) return;
  const std::string text = "on this runner " + called_different(total);
  report.notes.push_back(text);
  if (total.different < 2 || rate_of(total) <= alpha) return;
  report.doubts.emplace_back(
      fmt::format("{}, more than the {:g} % of gate.alpha: this machine distorts timings", text, alpha * 100),
      reports::DoubtKind::same_files);
}

base::Result<void> remember_identical_pairs(const record::Run& pairs, double alpha, reports::Report& report) {
  const char* const what = "this runner's record of identical pairs";
  if (report.identical.comparisons > 0) {
    auto added = add_identical_pairs({pairs.id, pairs.created, pairs.machine.host_key, report.identical});
    if (!added) return added.error().within(what);
  }
  const auto rows = load_identical_pairs();
  if (!rows) return rows.error().within(what);
  tell_identical_pairs(total_of(*rows, pairs.machine.host_key), alpha, report);
  return {};
}

std::string identical_pairs_table(std::vector<IdenticalRow> rows, const std::string& host_key) {
  constexpr std::size_t most_shown = 10;
  const reports::IdenticalPairs total = total_of(rows, host_key);
  if (total.comparisons == 0) return "";
  std::erase_if(rows, [&](const IdenticalRow& row) { return row.host_key != host_key; });
  std::string text = "Pairs of identical builds on this runner:\n";
  const std::size_t first = rows.size() - std::min(rows.size(), most_shown);
  if (first > 0) text += "  (" + base::counted(first, "earlier run", "earlier runs") + ")\n";
  for (std::size_t i = first; i < rows.size(); ++i) {
    text += fmt::format("  {}  {}  {:>4} comparisons, {} called different\n", reports::one_ascii_line(rows[i].created),
                        reports::one_ascii_line(rows[i].run), rows[i].pairs.comparisons, rows[i].pairs.different);
  }
  return text + fmt::format("  together {} ({:.2f} %)\n", called_different(total), 100 * rate_of(total));
}

}  // namespace torchgate::workflow
