// SPDX-License-Identifier: Apache-2.0
// A store folder with arbitrary files in it: listed, selected from, loaded, calibrated by, pinned.
#include "baselines/store.hpp"
#include "baselines/open_store.hpp"

#include "baselines/entry_name.hpp"
#include "baselines/select.hpp"
#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(store) {
  static const fuzz::ScratchFolder folder;
  folder.fill(input);
  const auto store = baselines::open_store(folder.path().string(), baselines::OpenMode::existing);
  if (!store) return fuzz::require(!store.error().message.empty(), "an error has a message");
  const auto entries = (*store)->list({});
  if (!entries) return;
  for (const auto& entry : *entries) {
    const auto parsed = baselines::parse_file_name(baselines::file_name(entry), entry.host_key);
    fuzz::require(parsed == entry, "an entry's file name says what the entry says");
    if (auto run = (*store)->load(entry.id)) (void)(*store)->load_samples(*run);
  }
  (void)(*store)->load("aaaa");
  (void)(*store)->calibration("host-a");
  if (const auto pin = (*store)->pin("v1.2"); pin && *pin) fuzz::require((*pin)->name == "v1.2", "a pin has its name");
  (void)(*store)->pins();
  baselines::SelectRequest request;
  request.host_key = "host-a";
  request.commits = {std::string(40, 'd'), std::string(40, 'c')};
  const auto selection = baselines::select_baseline(**store, request);
  if (!selection) return;
  fuzz::accepted();
  for (const auto& run : selection->runs) {
    fuzz::require(run.machine.host_key == request.host_key, "a baseline is of the host that was asked for");
    fuzz::require(run.sides.size() == 1 && !run.interrupted && run.sides[0].source.modified != true,
                  "a whole run of a commit");
  }
}
