// SPDX-License-Identifier: Apache-2.0
// An `srun` that starts its tasks here, and a request for ranks in a job of it.
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/launch/request.hpp"
#include "harness/launch/srun.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::launch::testing {

/// In the place of `PROGRAM doctor` it prints the file "doctor" beside it, the second time "doctor_after" if there is one, and between its lines those of a
/// second node, "doctor_1".
inline constexpr const char* tasks_here = R"(while :; do
  case $1 in
    --ntasks=*) tasks=${1#*=} ;;
    --nodes=*) nodes=${1#*=} ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
here=${0%/*}
if [ "$2" = doctor ]; then
  : >"$here/second"
  [ ! -e "$here/doctor_1" ] || sed 's/^/1: /' "$here/doctor_1" >"$here/second"
  sed 's/^/0: /' "$here/doctor" | paste -d '\n' - "$here/second"
  [ ! -e "$here/doctor_after" ] || mv "$here/doctor_after" "$here/doctor"
  echo 'srun: error: n2: task 0: Exited with exit code 3'
  exit 3
fi
task=0
while [ "$task" -lt "$tasks" ]; do
  SLURM_PROCID=$task SLURM_LOCALID=0 SLURM_NODEID=$((task % nodes)) SLURM_STEP_NUM_TASKS=$tasks "$@" &
  all="$all $!"
  task=$((task + 1))
done
worst=0
for each in $all; do
  wait "$each"
  code=$?
  [ "$code" -le "$worst" ] || worst=$code
done
exit "$worst"
)";

class FakeSlurm {
 public:
  /// NAMES: of the job's nodes.
  explicit FakeSlurm(const std::string& srun = tasks_here, const std::string& names = "n1 n2") {
    add("srun", srun);
    add("scontrol", "[ $2 != hostnames ] || exec echo " + names +
                        "\necho NodeName=$3 Arch=x86_64\n"
                        "echo '   NodeAddr=127.0.0.1 NodeHostName=here'\n");
    add("sleep", "exit 0\n");  // of a rank that lost another one
    ::setenv("PATH", (folder_.path().string() + ':' + path_).c_str(), 1);
  }
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;
  ~FakeSlurm() { ::setenv("PATH", path_.c_str(), 1); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void add(const std::string& name, const std::string& script) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  base::testing::TemporaryFolder folder_;
  std::string path_ = ::getenv("PATH");
};

inline OwnEnvironment job_of(std::int64_t nodes) {
  return {{"SLURM_JOB_ID", "4711"},
          {"SLURM_NODEID", "0"},
          {"SLURMD_NODENAME", "n1"},
          {"SLURM_NTASKS", "2"},
          {"SLURM_JOB_NUM_NODES", std::to_string(nodes)}};
}

inline Request ranks_request(const std::string& filter, const OwnEnvironment& job) {
  Request request;
  request.sides.push_back({"run", {TORCHGATE_RANKS_SUITE}, {}, {}});
  request.plan.processes = 1;
  request.plan.seed = 1;
  request.plan.profile = "quick";
  request.plan.filter = filter;
  request.plan.group_limit_s = 60;
  request.lock_file.clear();
  request.ranks_with = RanksWith::srun;
  for (const auto& [name, value] : job) request.machine.environment[name] = value;
  return request;
}

}  // namespace torchgate::launch::testing
