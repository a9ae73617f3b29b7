// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/unfinished.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "harness/base/counted.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

const char* command_of(std::int64_t sides) {
  return sides == 2 ? "ab" : "run";
}

// Killed between saving the run and removing its journal: there is nothing to resume.
bool is_saved(const Workspace& workspace, const launch::UnfinishedEntry& entry) {
  const std::string name = entry.save_as.empty() ? entry.id : entry.save_as;
  const auto saved = record::load_run(workspace.runs() / (name + ".json"));
  return saved && saved->id == entry.id && !saved->interrupted;
}

std::vector<launch::UnfinishedEntry> unfinished_of(const Workspace& workspace, std::int64_t sides) {
  std::vector<launch::UnfinishedEntry> found = launch::unfinished_runs(workspace.runs());
  std::erase_if(found, [&](const auto& entry) {
    if (entry.sides != sides || entry.in_work) return true;
    if (!is_saved(workspace, entry)) return false;
    launch::discard_journal(workspace.runs(), entry.id);
    return true;
  });
  return found;
}

std::string names(const std::vector<launch::UnfinishedEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + entry.id;
  return text;
}

}  // namespace

void offer_unfinished(const Workspace& workspace, std::int64_t sides, Narrator& narrator) {
  for (const auto& entry : unfinished_of(workspace, sides)) {
    narrator.note(
        fmt::format("run {} of {} is unfinished ({} kept); resume it with `torchgate {} --resume {}`, or delete {}",
                    entry.id, entry.created, base::counted(entry.processes, "process", "processes"), command_of(sides),
                    entry.id, entry.folder.string()));
  }
}

base::Result<std::shared_ptr<const launch::Unfinished>> find_unfinished(const Workspace& workspace,
                                                                        const std::string& which, std::int64_t sides) {
  std::filesystem::path folder = which;
  std::error_code ignored;
  if (which.empty()) {
    const auto found = unfinished_of(workspace, sides);
    if (found.empty())
      return Error{ErrorCode::not_found, fmt::format("no unfinished run of `torchgate {}` in {}", command_of(sides),
                                                     workspace.runs().string())};
    if (found.size() > 1)
      return Error{ErrorCode::bad_input,
                   fmt::format("several unfinished runs ({}); name one with --resume ID", names(found))};
    folder = found.front().folder;
  } else if (!std::filesystem::is_directory(folder, ignored)) {
    folder = workspace.runs() / (which + launch::journal_extension);
    if (!std::filesystem::is_directory(folder, ignored))
      return Error{ErrorCode::not_found, fmt::format("no unfinished run \"{}\" in {} (unfinished: {})", which,
                                                     workspace.runs().string(), [&] {
                                                       const auto all = names(unfinished_of(workspace, sides));
                                                       return all.empty() ? std::string("none") : all;
                                                     }())};
  }
  auto unfinished = launch::read_journal(folder);
  if (!unfinished) return unfinished.error();
  if (static_cast<std::int64_t>(unfinished->run.sides.size()) != sides) {
    const auto other = static_cast<std::int64_t>(unfinished->run.sides.size());
    return Error{ErrorCode::bad_input,
                 fmt::format("run {} was started by `torchgate {}`; resume it with `torchgate {} --resume {}`",
                             unfinished->run.id, command_of(other), command_of(other), unfinished->run.id)};
  }
  return std::make_shared<const launch::Unfinished>(*std::move(unfinished));
}

void keep_as_it_goes(launch::Request& request, const Workspace& workspace, const std::optional<std::string>& save) {
  request.journals = workspace.runs();
  if (save) request.save_as = *save;
}

std::optional<std::string> save_name(const launch::Request& request) {
  return request.save_as.empty() ? std::nullopt : std::optional(request.save_as);
}

base::Result<std::filesystem::path> save_finished(const Workspace& workspace, record::Run& run,
                                                  const std::optional<std::string>& name) {
  auto path = workspace.save(run, name);
  // An interrupted run keeps its journal, to be resumed, unless no process was measured.
  if (path && (!run.interrupted || run.processes.empty())) launch::discard_journal(workspace.runs(), run.id);
  return path;
}

}  // namespace torchgate::workflow
