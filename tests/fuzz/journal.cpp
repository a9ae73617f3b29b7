// SPDX-License-Identifier: Apache-2.0
// The folder of an unfinished run, as `run --resume` reads it.
#include "harness/launch/journal.hpp"

#include "harness/record/codec.hpp"
#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(journal) {
  static const fuzz::ScratchFolder parent;
  static const std::filesystem::path folder =
      parent.path() / ("aaaaaaaaaaaaaaaa" + std::string(launch::journal_extension));
  std::string below;  // every name, one folder down
  for (const std::string_view part : fuzz::parts_of(input, 16))
    below += folder.filename().string() + '/' + std::string(part) + fuzz::part_separator;
  parent.fill(below);
  (void)launch::unfinished_runs(parent.path());
  const auto unfinished = launch::read_journal(folder);
  if (!unfinished) return fuzz::require(!unfinished.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto again = record::run_from_json(record::to_json(unfinished->run), "written back");
  fuzz::require(again.ok(), "what a journal holds can be saved: " + (again ? "" : again.error().message));
}
