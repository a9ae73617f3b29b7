// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_state.hpp"

#include <system_error>

#include "ci/policy/policy_values.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/workspace_folder.hpp"
#include "harness/json/fields.hpp"

namespace torchgate::workflow {
namespace {

using stats::SideOfChange;

constexpr std::int64_t largest_state = std::int64_t{64} << 20;
constexpr std::int64_t most_commits = 100'000;
constexpr std::int64_t longest_list = 100'000;
constexpr double largest_log = 100.0;

constexpr base::EnumNames<PairNumber, 3> pair_numbers{
    {{PairNumber::median, "median"}, {PairNumber::floor, "floor"}, {PairNumber::typical, "typical"}}};
constexpr base::EnumNames<SideOfChange, 3> sides{
    {{SideOfChange::before, "good"}, {SideOfChange::after, "bad"}, {SideOfChange::undecided, "undecided"}}};
constexpr base::EnumNames<CommitFate, 3> fates{
    {{CommitFate::measured, "measured"}, {CommitFate::identical, "identical"}, {CommitFate::skipped, "skipped"}}};

constexpr json::Table question_fields{
    json::of<BisectQuestion>,
    json::required("good", &BisectQuestion::good, json::hex),
    json::required("bad", &BisectQuestion::bad, json::hex),
    json::required("build", &BisectQuestion::build, json::text),
    json::required("suites", &BisectQuestion::suites, json::list_of(longest_list, json::text)),
    json::required("cases", &BisectQuestion::cases, json::list_of(longest_list, json::some_name)),
    json::required("first_parent", &BisectQuestion::first_parent, json::flag),
    json::required("profile", &BisectQuestion::profile, json::some_name),
    json::required("most_pairs", &BisectQuestion::most_pairs, json::counted_from_1),
    json::optional("device_metric", &BisectQuestion::device_metric, json::word<policy::device_metric_words>),
    json::optional("warmup_calls", &BisectQuestion::warmup_calls, json::counted_from_1),
    json::optional("samples", &BisectQuestion::samples, json::counted_from_1),
};

constexpr json::Table changed_fields{
    json::of<ChangedCase>,
    json::required("name", &ChangedCase::name, json::some_name),
    json::required("number", &ChangedCase::number, json::word<pair_numbers>),
    json::required("change", &ChangedCase::change, json::number(-largest_log, largest_log)),
    json::required("scale", &ChangedCase::scale, json::above_0),
};

constexpr json::Table placed_fields{
    json::of<PlacedCase>,
    json::required("name", &PlacedCase::name, json::some_name),
    json::required("side", &PlacedCase::side, json::word<sides>),
    json::required("pairs", &PlacedCase::pairs, json::counted),
};

constexpr json::Table judged_fields{
    json::of<JudgedCommit>,
    json::required("commit", &JudgedCommit::commit, json::hex),
    json::required("fate", &JudgedCommit::fate, json::word<fates>),
    json::optional("content", &JudgedCommit::content, json::sha256),
    json::optional("reason", &JudgedCommit::reason, json::text),
    json::required("seconds", &JudgedCommit::seconds, json::at_least_0),
    json::required("cases", &JudgedCommit::cases, json::list_of(longest_list, json::object_of<placed_fields>)),
};

constexpr json::Table state_fields{
    json::of<BisectState>,
    json::schema("torchgate.bisect_state/1"),
    json::required("question", &BisectState::question, json::object_of<question_fields>),
    json::required("changed", &BisectState::changed, json::list_of(longest_list, json::object_of<changed_fields>)),
    json::required("files", &BisectState::files, json::list_of(longest_list, json::text)),
    json::required("files_known", &BisectState::files_known, json::flag),
    json::required("left_out", &BisectState::left_out, json::list_of(longest_list, json::text)),
    json::optional("good_content", &BisectState::good_content, json::sha256),
    json::optional("bad_content", &BisectState::bad_content, json::sha256),
    json::required("judged", &BisectState::judged, json::list_of(most_commits, json::object_of<judged_fields>)),
    json::required("pairs", &BisectState::pairs, json::counted),
    json::required("seconds", &BisectState::seconds, json::at_least_0),
    json::required("finished", &BisectState::finished, json::flag),
};

std::filesystem::path state_file(const std::filesystem::path& folder) {
  return folder / "state.json";
}

std::optional<SideOfChange> side_in(const std::vector<PlacedCase>& cases, std::string_view name) {
  for (const PlacedCase& each : cases)
    if (each.name == name && each.side != SideOfChange::undecided) return each.side;
  return std::nullopt;
}

}  // namespace

const JudgedCommit* BisectState::of(std::string_view commit) const {
  for (const JudgedCommit& each : judged)
    if (each.commit == commit) return &each;
  return nullptr;
}

std::optional<SideOfChange> BisectState::side_of_content(
    std::string_view content, std::string_view case_name,
    const std::function<bool(const std::string& commit)>& same_inputs) const {
  if (content.empty()) return std::nullopt;
  if (content == good_content && same_inputs(question.good)) return SideOfChange::before;
  if (content == bad_content && same_inputs(question.bad)) return SideOfChange::after;
  for (const JudgedCommit& each : judged) {
    const auto side = each.content == content ? side_in(each.cases, case_name) : std::nullopt;
    if (side && same_inputs(each.commit)) return side;
  }
  return std::nullopt;
}

const ChangedCase* BisectState::changed_case(std::string_view case_name) const {
  for (const ChangedCase& each : changed)
    if (each.name == case_name) return &each;
  return nullptr;
}

base::Result<std::optional<BisectState>> load_bisect_state(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(state_file(folder), ignored)) return std::optional<BisectState>();
  const auto text = base::read_file(state_file(folder), largest_state);
  if (!text) return text.error();
  auto state = json::read_document<state_fields>(*text, state_file(folder).string());
  if (!state) return state.error();
  return std::optional(std::move(state).value());
}

base::Result<void> save_bisect_state(const BisectState& state, const std::filesystem::path& folder) {
  std::error_code failed;
  base::create_folders(folder, failed);
  if (failed) return base::system_error(folder, "create the folder", failed.value());
  return base::write_file_atomically(state_file(folder), json::write_document<state_fields>(state), true);
}

}  // namespace torchgate::workflow
