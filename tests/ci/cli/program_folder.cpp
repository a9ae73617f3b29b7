// SPDX-License-Identifier: Apache-2.0
#include "tests/ci/cli/program_folder.hpp"

#include <sstream>

#include "ci/cli/program.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::cli::testing {

Ran ProgramFolder::torchgate(const std::vector<std::string>& arguments) const {
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err};
  const ExitCode code = run_program(arguments, console);
  return {static_cast<int>(code), out.str(), err.str()};
}

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no \"" << part << "\" in:\n" << text;
}

record::Run made_run(const std::string& id, double time_ns) {
  record::Run run = gate::testing::empty_run(id);
  gate::testing::add_case(run, made_case, gate::testing::around(time_ns, 0.01));
  return run;
}

}  // namespace torchgate::cli::testing
