// SPDX-License-Identifier: Apache-2.0
#include "ci/git/data_branch.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "ci/git/run_git.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/process/process.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::git {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

/// A gigabyte at 10 Mbit/s; a stalled connection ends here.
constexpr std::chrono::minutes transfer_limit{15};
/// Limit of the bytes that are fetched of a branch before its files can be counted: ten years of runs, with a run a day of 300 kB, compressed.
constexpr std::uint64_t most_fetched_bytes = std::uint64_t{2} << 30U;
/// Linux allows 2 MiB of arguments; a path takes 4 kB at most.
constexpr std::size_t paths_per_command = 100;
/// GIT_CONFIG_COUNT, which keeps secrets out of argument lists, is of this version (March 2021).
constexpr int oldest_major = 2;
constexpr int oldest_minor = 31;
constexpr std::size_t quoted_bytes_of_git = 2000;

constexpr const char* fetched_reference = "refs/torchgate/fetched";

/// What must hold in our repository, whatever the user's settings say.
std::vector<std::pair<std::string, std::string>> own_settings() {
  return {
      {"fetch.fsckObjects", "true"},     // malformed trees are refused before anything reads them
      {"core.bigFileThreshold", "16m"},  // larger files are not read into memory
      {"gc.auto", "0"},                  // the folder goes away at the end
      {"maintenance.auto", "false"},     //
      {"core.autocrlf", "false"},        // files are checked out as they are
      {"core.attributesFile", "/dev/null"},
      {"core.logAllRefUpdates", "false"},
      {"push.gpgSign", "false"},
      {"push.followTags", "false"},
      {"submodule.recurse", "false"},
  };
}

std::vector<record::Parameter> author() {
  std::vector<record::Parameter> variables;
  for (const char* role : {"AUTHOR", "COMMITTER"}) {
    variables.push_back({std::string("GIT_") + role + "_NAME", "torchgate"});
    variables.push_back({std::string("GIT_") + role + "_EMAIL", "torchgate@localhost.invalid"});
  }
  return variables;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(std::move(line));
  return all;
}

/// The last line that is a hash: warnings are printed before it.
std::string last_hash(const std::string& text) {
  auto all = lines(text);
  std::erase_if(all, [](const std::string& line) { return !record::is_full_commit(line); });
  return all.empty() ? "" : all.back();
}

/// Calls DO with at most `paths_per_command` of ITEMS at a time.
template <class Item, class Do>
Result<void> in_pieces(const std::vector<Item>& items, Do act) {
  for (std::size_t begin = 0; begin < items.size(); begin += paths_per_command) {
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(begin + paths_per_command, items.size()));
    if (auto done = act(std::vector<Item>(items.begin() + static_cast<std::ptrdiff_t>(begin), end)); !done) return done;
  }
  return {};
}

/// "100644 blob HASH    SIZE\tPATH"; a submodule has "-" for its size.
std::optional<BranchFile> parse_entry(const std::string& entry) {
  const auto tab = entry.find('\t');
  if (tab == std::string::npos) return std::nullopt;
  BranchFile file;
  std::string size;
  std::istringstream fields(entry.substr(0, tab));
  fields >> file.mode >> file.type >> file.blob >> size;
  if (!fields || !record::is_full_commit(file.blob)) return std::nullopt;
  if (size != "-") std::istringstream(size) >> file.bytes;
  file.path = entry.substr(tab + 1);
  return file;
}

/// Of an answer to a push: git keeps no branch "data" beside "data/sub".
bool is_name_taken(const std::string& output) {
  return output.find("exists; cannot create") != std::string::npos ||
         output.find("directory file conflict") != std::string::npos;
}

/// The answer to one reference of `git push --porcelain`: "!\tFROM:TO\t[rejected] (fetch first)".
PushOutcome outcome_of(const std::string& output) {
  const auto all = lines(output);
  const auto answer =
      std::find_if(all.begin(), all.end(), [](const std::string& line) { return line.starts_with("!\t"); });
  if (answer == all.end()) return PushOutcome::unclear;
  const auto says = [&](const char* words) { return answer->find(words) != std::string::npos; };
  if (says("[remote failure]") || says("failed to report status") || says("nternal server error"))
    return PushOutcome::unclear;
  for (const char* race : {"\t[rejected]", "non-fast-forward", "fetch first", "cannot lock ref", "failed to update ref",
                           "failed to lock", "already exists", "incorrect old value"}) {
    if (says(race)) return PushOutcome::lost_race;
  }
  return PushOutcome::refused;
}

Result<void> check_version(const fs::path& folder) {
  const auto answer = run_git(folder, {"version"});
  if (!answer) return answer.error();
  int major = 0;
  int minor = 0;
  const auto at = answer->output.find("git version ");
  if (at == std::string::npos || std::sscanf(answer->output.c_str() + at, "git version %d.%d", &major, &minor) != 2)
    return failure(folder, "asking for the version of git", *answer, ErrorCode::io);
  if (std::pair(major, minor) >= std::pair(oldest_major, oldest_minor)) return {};
  return Error{ErrorCode::bad_input, "git " + std::to_string(major) + "." + std::to_string(minor) +
                                         " is too old for a data branch; install git " + std::to_string(oldest_major) +
                                         "." + std::to_string(oldest_minor) + " or later"};
}

}  // namespace

DataBranch::DataBranch(Remote remote, std::string name, process::TemporaryFolder folder)
    : remote_(std::move(remote)), name_(std::move(name)), folder_(std::move(folder)) {
  environment_ = remote_.environment(own_settings());
  environment_.push_back({"GIT_DIR", (folder_.path() / "repository.git").string()});
  environment_.push_back({"GIT_ATTR_NOSYSTEM", "1"});
  for (auto& variable : author()) environment_.push_back(std::move(variable));
}

Result<DataBranch> DataBranch::open(Remote remote, const std::string& name) {
  auto folder = process::TemporaryFolder::create();
  if (!folder) return folder.error();
  if (auto checked = check_version(folder->path()); !checked) return checked.error();
  const auto valid = run_git(folder->path(), {"check-ref-format", "refs/heads/" + name});
  if (!valid) return valid.error();
  if (valid->exit_code != 0) {
    return Error{ErrorCode::bad_input,
                 "'" + name + "' cannot be the name of a branch; choose another (baseline.branch)"};
  }
  DataBranch branch(std::move(remote), name, std::move(folder).value());
  // Without a template there are no hooks and no excluded files of the user's in it.
  const auto made = branch.git("making a temporary repository",
                               {"init", "--quiet", "--bare",
                                "--template=", "--object-format=" + branch.remote_.object_format(), "repository.git"});
  if (!made) return made.error();
  return branch;
}

Error DataBranch::failed(const std::string& doing, int exit_code, const std::string& words) const {
  std::string said = remote_.redacted(words);
  said.resize(std::min(said.size(), quoted_bytes_of_git));
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return {ErrorCode::io, doing + ": git failed (exit code " + std::to_string(exit_code) + "): " + said};
}

/// The output of a command that must succeed.
Result<std::string> DataBranch::git(const std::string& doing, const std::vector<std::string>& arguments,
                                    const std::vector<record::Parameter>& more) const {
  GitOptions options{transfer_limit};
  options.environment = environment_;
  options.environment.insert(options.environment.end(), more.begin(), more.end());
  options.file_limit_bytes = most_fetched_bytes;
  auto answer = run_git(folder_.path(), arguments, options);
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failed(doing, answer->exit_code, answer->output);
  return std::move(answer->output);
}

fs::path DataBranch::new_path(const std::string& name) {
  return folder_.path() / (name + std::to_string(++paths_made_));
}

/// That the answer is one of a git server: of the text of a proxy or a login page, git reads no reference, without an error.
Result<void> DataBranch::check_has_branches(const std::string& doing) const {
  if (!remote_.had_references()) return {};
  const auto listed = git(doing, {"ls-remote", "--heads", Remote::configured_name});
  if (!listed) return listed.error();
  if (listed->find("\trefs/heads/") != std::string::npos) return {};
  return Error{ErrorCode::io,
               doing + ": the answer has no branch at all, and this repository has fetched some of " + remote_.name() +
                   "; check that its URL is that of a repository, and not of a proxy or a login page "
                   "(`git ls-remote " +
                   remote_.name() + "`); of an emptied repository, run `git fetch --prune " + remote_.name() + "`"};
}

Result<std::optional<std::string>> DataBranch::fetch() const {
  const std::string reference = "refs/heads/" + name_;
  const std::string doing = "fetching branch " + name_ + " of " + remote_.name();
  const auto listed = git(doing, {"ls-remote", Remote::configured_name, reference});
  if (!listed) return listed.error();
  const auto all = lines(*listed);
  const bool exists = std::any_of(all.begin(), all.end(), [&](const std::string& line) {
    const auto tab = line.find('\t');
    return tab != std::string::npos && record::is_full_commit(line.substr(0, tab)) && line.substr(tab + 1) == reference;
  });
  if (!exists) {
    const auto checked = check_has_branches(doing);
    return checked ? Result<std::optional<std::string>>(std::optional<std::string>()) : checked.error();
  }
  const auto fetched =
      git(doing, {"fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
                  Remote::configured_name, "+" + reference + ":" + fetched_reference});
  if (!fetched) return fetched.error();
  const auto commit = git(doing, {"rev-parse", "--verify", std::string(fetched_reference) + "^{commit}"});
  if (!commit) return commit.error();
  return std::optional(last_hash(*commit));
}

Result<std::vector<BranchFile>> DataBranch::files(const std::string& commit) const {
  const std::string doing = "listing the files of branch " + name_;
  const fs::path listing = folder_.path() / ("listing-" + commit);
  std::error_code ignored;
  fs::remove(listing, ignored);  // that of an earlier call
  GitOptions options;
  options.environment = environment_;
  options.output_file = listing;
  const auto answer = run_git(folder_.path(), {"ls-tree", "-r", "-z", "-l", "--full-tree", commit}, options);
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failed(doing, answer->exit_code, answer->output);
  const auto text = base::read_file(listing, process::output_limit_bytes, base::Links::refused);
  if (!text) return text.error();
  std::vector<BranchFile> files;
  std::istringstream entries(*text);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    auto file = parse_entry(entry);
    if (!file) return Error{ErrorCode::io, doing + ": git gave an entry that cannot be read; update git"};
    files.push_back(std::move(*file));
  }
  return files;
}

Result<fs::path> DataBranch::check_out(const std::string& commit, const std::vector<std::string>& paths) {
  const std::string doing = "reading branch " + name_;
  const fs::path folder = new_path("files-");
  std::error_code error;
  if (!fs::create_directory(folder, error))
    return Error{ErrorCode::io, "cannot create " + folder.string() + ": " + error.message()};
  const std::vector<record::Parameter> into{{"GIT_INDEX_FILE", new_path("index-")}, {"GIT_WORK_TREE", folder}};
  if (auto read = git(doing, {"read-tree", commit}, into); !read) return read.error();
  auto written = in_pieces(paths, [&](const std::vector<std::string>& piece) -> Result<void> {
    std::vector<std::string> arguments{"checkout-index", "--quiet", "--"};
    arguments.insert(arguments.end(), piece.begin(), piece.end());
    const auto answer = git(doing, arguments, into);
    return answer ? Result<void>() : answer.error();
  });
  if (!written) return written.error();
  return folder;
}

Result<std::vector<std::string>> DataBranch::blobs_of(const std::vector<fs::path>& files) const {
  std::vector<std::string> blobs;
  auto hashed = in_pieces(files, [&](const std::vector<fs::path>& piece) -> Result<void> {
    std::vector<std::string> arguments{"hash-object", "--no-filters", "--"};
    for (const fs::path& file : piece) arguments.push_back(fs::absolute(file).string());
    const auto answer = git("hashing stored files", arguments);
    if (!answer) return answer.error();
    for (auto& line : lines(*answer)) {
      if (record::is_full_commit(line)) blobs.push_back(std::move(line));
    }
    return {};
  });
  if (!hashed) return hashed.error();
  if (blobs.size() != files.size()) return Error{ErrorCode::io, "git did not hash all stored files; update git"};
  return blobs;
}

Result<std::string> DataBranch::commit(const std::optional<std::string>& parent, const std::vector<NewFile>& files,
                                       const std::string& message) {
  const std::string doing = "making a commit for branch " + name_;
  const std::vector<record::Parameter> index{{"GIT_INDEX_FILE", new_path("index-")}};
  if (auto read = git(doing, {"read-tree", parent.value_or("--empty")}, index); !read) return read.error();
  auto added = in_pieces(files, [&](const std::vector<NewFile>& piece) -> Result<void> {
    std::vector<std::string> arguments{"hash-object", "-w", "--no-filters", "--"};
    for (const NewFile& file : piece) arguments.push_back(fs::absolute(file.content).string());
    const auto answer = git(doing, arguments);
    if (!answer) return answer.error();
    auto blobs = lines(*answer);
    std::erase_if(blobs, [](const std::string& line) { return !record::is_full_commit(line); });
    if (blobs.size() != piece.size()) return Error{ErrorCode::io, doing + ": git did not take all files; update git"};
    arguments = {"update-index", "--add"};
    for (std::size_t i = 0; i < piece.size(); ++i) {
      arguments.insert(arguments.end(),
                       {"--cacheinfo", std::string(regular_file_mode) + "," + blobs[i] + "," + piece[i].path});
    }
    const auto updated = git(doing, arguments, index);
    return updated ? Result<void>() : updated.error();
  });
  if (!added) return added.error();
  const auto tree = git(doing, {"write-tree"}, index);
  if (!tree) return tree.error();
  std::vector<std::string> arguments{"commit-tree", "--no-gpg-sign", "-m", message, last_hash(*tree)};
  if (parent) arguments.insert(arguments.end(), {"-p", *parent});
  const auto made = git(doing, arguments);
  if (!made) return made.error();
  return last_hash(*made);
}

Result<PushAnswer> DataBranch::push(const std::string& commit) const {
  GitOptions options{transfer_limit};
  options.environment = environment_;
  auto answer = run_git(folder_.path(),
                        {"push", "--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no",
                         Remote::configured_name, commit + ":refs/heads/" + name_},
                        options);
  if (!answer) return answer.error();
  if (answer->exit_code == 0) return PushAnswer{PushOutcome::pushed, {}};
  Error error = failed("pushing to branch " + name_ + " of " + remote_.name(), answer->exit_code, answer->output);
  if (is_name_taken(answer->output)) {
    return PushAnswer{PushOutcome::refused, "the name " + name_ +
                                                " is taken: another branch is part of this name, or below it; delete "
                                                "that branch, or choose another name (baseline.branch). " +
                                                error.message};
  }
  return PushAnswer{outcome_of(answer->output), error.message};
}

}  // namespace torchgate::git
