// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "baselines/copy_store.hpp"
#include "baselines/open_store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "harness/base/counted.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::cli {
namespace {

struct StoreCopyCommand {
  std::string from;
  std::string to;
};

void show_progress(const Console& console, std::size_t done, std::size_t of) {
  constexpr std::size_t lines_in_a_log = 10;
  if (!console.err_is_terminal && done != of && done % (of / lines_in_a_log + 1) != 0) return;
  console.err << fmt::format("{}{} of {}{}", console.err_is_terminal ? "\r" : "", done,
                             base::counted(of, "run", "runs"), console.err_is_terminal && done != of ? "" : "\n")
              << std::flush;
}

ExitCode store_copy(const StoreCopyCommand& command, const Console& console) {
  const process::InterruptScope interruptible;
  const auto from = baselines::open_store(command.from, baselines::OpenMode::existing);
  // The other error names `baseline add`, which fills the store of torchgate.toml and not FROM.
  if (!from && from.error().code == base::ErrorCode::no_verdict)
    return console.fail(
        {base::ErrorCode::no_verdict,
         fmt::format("{}: no baseline store; name the folder or the database that has the runs", command.from)});
  if (!from) return console.fail(from.error());
  const auto to = baselines::open_store(command.to, baselines::OpenMode::create);
  if (!to) return console.fail(to.error());
  const auto scratch = process::TemporaryFolder::create();
  if (!scratch) return console.fail(scratch.error());
  baselines::CopyOptions options;
  options.scratch = scratch->path();
  options.tell = [&](std::size_t done, std::size_t of) { show_progress(console, done, of); };
  options.stop = process::stop_requested;
  const auto copied = baselines::copy_store(**from, **to, options);
  if (!copied) return console.fail(copied.error());
  for (const std::string& sentence : copied->not_copied) console.warn(sentence);
  console.out << fmt::format("{}: {} added and verified, {} already stored; {}, {} and {} added\n", (*to)->location(),
                             base::counted(copied->runs_added, "run", "runs"), copied->runs_already_there,
                             base::counted(copied->objects_added, "object", "objects"),
                             base::counted(copied->calibrations_added, "calibration", "calibrations"),
                             base::counted(copied->pins_added, "pin", "pins"));
  if (copied->not_copied.empty()) return ExitCode::ok;
  return console.fail(
      {base::ErrorCode::bad_input,
       fmt::format("{}: incomplete copy, {} (above); the rest was copied", (*to)->location(),
                   base::counted(copied->not_copied.size(), "thing was not copied", "things were not copied"))});
}

struct StoreMigrateCommand {};

ExitCode store_migrate(const StoreMigrateCommand& /*command*/, const policy::Policy& policy, const Console& console) {
  const auto migrated = baselines::migrate_store(policy.store);
  if (!migrated) return console.fail(migrated.error());
  console.out << *migrated << '\n';
  return ExitCode::ok;
}

}  // namespace

Invocation define_store_copy(Options& options) {
  const auto command = std::make_shared<StoreCopyCommand>();
  options.add("from FROM", &command->from, "The store to read: a folder, or postgresql://user@host/database")
      .required();
  options.add("to TO", &command->to, "The store to add to, of either kind; made if it does not exist").required();
  options.footer(
      "Copies runs with samples and binaries, the newest calibration of each machine, and pins; each run is read again "
      "and compared. What TO "
      "has is skipped, so repeat the command after an interruption. Exit codes: 0 everything is in TO; 2 usage, a "
      "store "
      "cannot be used, or something could not be copied; 3 no store in FROM; 130 interrupted.");
  return invocation(command, store_copy);
}

Invocation define_store_migrate(Options& options) {
  const auto command = std::make_shared<StoreMigrateCommand>();
  store_option(options);
  options.footer(
      "Makes the store if there is none. Of a database, only its owner can do it, and older versions of torchgate "
      "refuse the store "
      "afterwards. Exit codes: 0 the store has the version of this torchgate; 2 it has a newer one, or cannot be "
      "changed.");
  return invocation(command, store_migrate);
}

}  // namespace torchgate::cli
