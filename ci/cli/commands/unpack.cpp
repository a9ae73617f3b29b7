// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/unpack.hpp"

#include <fmt/format.h>

#include <memory>

#include "ci/cli/command_table.hpp"
#include "ci/github/artifact/artifact_limits.hpp"
#include "ci/github/client/artifact.hpp"
#include "ci/github/client/connection.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::cli {
namespace {

/// The artifact of an untrusted job.
struct UnpackCommand {
  std::string artifact;             ///< a file; empty: downloaded
  std::optional<std::int64_t> run;  ///< the workflow run that has it
  std::string name;
  std::optional<std::int64_t> number;  ///< of that artifact, where its upload is known
  std::string folder;
};

using base::ErrorCode;

base::Result<github::Unpacked> unpack_download(const UnpackCommand& command, const Console& console) {
  github::HttpLimits limits;
  limits.answer = std::chrono::minutes(10);  // of 64 MiB on a slow line
  limits.body_bytes = github::max_artifact_bytes;
  const auto session = github::open_github(
      "", [&](const std::string& note) { console.err << note << '\n'; }, limits);
  if (!session) return session.error();
  const auto zip = github::download_artifact(*session->api, *command.run, command.name, command.number);
  if (!zip) return zip.error();
  const auto folder = process::TemporaryFolder::create();
  if (!folder) return folder.error();
  const auto file = folder->path() / "artifact.zip";
  if (const auto written = base::write_file_atomically(file, *zip, false); !written) return written.error();
  auto unpacked = github::unpack(file, command.folder);
  if (unpacked) return unpacked;
  base::Error error = unpacked.error();
  const std::string path = file.string();  // of a folder that is gone when the message is read
  for (auto at = error.message.find(path); at != std::string::npos; at = error.message.find(path))
    error.message.replace(at, path.size(), fmt::format("artifact {} of run {}", command.name, *command.run));
  return error;
}

ExitCode unpack_command(const UnpackCommand& command, const Console& console) {
  const bool is_download = command.run && !command.name.empty() && command.artifact.empty();
  const bool is_file = !command.run && command.name.empty() && !command.number && !command.artifact.empty();
  if (!is_download && !is_file) {
    return console.fail(
        {ErrorCode::bad_input, "unpack: name a zip file, or an artifact by --run-id N and --artifact NAME"});
  }
  const auto unpacked =
      is_download ? unpack_download(command, console) : github::unpack(command.artifact, command.folder);
  if (!unpacked) return console.fail(unpacked.error());
  console.out << fmt::format("{}: {}, {}\n", command.folder, base::counted(unpacked->files, "file", "files"),
                             base::counted(unpacked->bytes, "byte", "bytes"));
  return ExitCode::ok;
}

}  // namespace

Invocation define_unpack(Options& options) {
  const auto command = std::make_shared<UnpackCommand>();
  options.add("artifact FILE.zip", &command->artifact, "Zip file of GitHub's upload-artifact, at most 64 MiB");
  options.add("--run-id N", &command->run, "Instead of a file: download the artifact of this workflow run").positive();
  options.add("--artifact NAME", &command->name, "With --run-id: its name");
  options
      .add("--artifact-id N", &command->number,
           "With --artifact: its number, an output of the upload in the same workflow run; another one is refused")
      .positive();
  options
      .add("--into DIR", &command->folder, "New or empty folder; it gets all files, or none if any of them is refused")
      .required();
  options.footer(
      "--run-id needs GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with actions: read. Exit codes: 0 "
      "all files unpacked; 2 usage, GitHub refused, not a zip file, or beyond a limit: 200 files, 64 MiB inflated, 100 "
      "to 1, names NAME.json, SHA256.samples and commit.");
  return invocation(command, unpack_command);
}

}  // namespace torchgate::cli
