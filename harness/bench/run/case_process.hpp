// SPDX-License-Identifier: Apache-2.0
// A case in a process of its own: this program once more, told to measure that one case. The schedule of a run, its pairs and its
// records know nothing of it: the process of the group reports the case as if it had measured it itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/bench/files/files_read.hpp"
#include "harness/bench/run/group_description.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// What such a process loaded and read.
struct ProcessTraces {
  std::vector<record::LoadedObject> objects;
  FilesRead files;
};

struct CaseAnswer {
  record::CaseResult result;
  ProcessTraces traces;
  std::int64_t load_ns = 0;  ///< from its launch to its main()
};

class CaseProcess {
 public:
  virtual ~CaseProcess() = default;
  /// `flag`: one more of its own, without "--torchgate_". bad_input or io if it could not be started, crashed, or reported nothing; the
  /// message says which.
  virtual base::Result<CaseAnswer> run(const std::string& group, const std::string& case_name,
                                       const OwnProcess& settings, const std::optional<std::string>& flag) = 0;
};

/// Starts /proc/self/exe. `arguments`: the flags of this process that the other one shall have too. The other's standard output
/// goes to standard error: this process's may be read by a program.
class SelfProcess final : public CaseProcess {
 public:
  explicit SelfProcess(std::vector<std::string> arguments, int threads)
      : arguments_(std::move(arguments)), threads_(threads) {}
  base::Result<CaseAnswer> run(const std::string& group, const std::string& case_name, const OwnProcess& settings,
                               const std::optional<std::string>& flag) override;

 private:
  std::vector<std::string> arguments_;
  int threads_;
};

}  // namespace torchgate::bench
