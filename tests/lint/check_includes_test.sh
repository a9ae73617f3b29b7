#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The include check lets through what the table allows, and catches one violation of each kind.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

# A small tree that keeps to the table; every case below adds one file and takes it away again.
put stats/welch.hpp '#pragma once\n#include <span>\n'
put stats/welch.cpp '#include "stats/welch.hpp"\n#include <boost/math/distributions/students_t.hpp>\n#include "stats/policy.hpp"\n'
put stats/policy.hpp '// SPDX\n// Private to the .cpp files of stats.\n#include <boost/math/policies/policy.hpp>\n'
put harness/record/run.hpp '#include <string>\n'
put harness/import/reader.cpp '#include <nlohmann/json.hpp>\n#include <unistd.h>\n#include <sys/stat.h>\n#include "harness/record/run.hpp"\n'
put harness/bench/bench.hpp '#include <benchmark/benchmark.h>\n#include "stats/welch.hpp"\n'
put harness/bench/torch/output.cpp '#include <torch/torch.h>\n#include <cuda_runtime_api.h>\n#include "harness/bench/bench.hpp"\n'
put suites/fusion/conv.hpp '#include <torch/torch.h>\n'
put suites/fusion/conv.cpp '#include "suites/fusion/conv.hpp"\n#include "suites/common/nets.hpp"\n#include "harness/bench/bench.hpp"\n'
put suites/common/nets.hpp '#include <ATen/ATen.h>\n'
put suites/memory/pool.hpp ''
put reports/report.hpp '#include "stats/welch.hpp"\n#include "harness/record/run.hpp"\n'
put baselines/store.hpp '#include "harness/record/run.hpp"\n'
put ci/cli/arguments.cpp '#include <CLI/CLI.hpp>\n#include "baselines/store.hpp"\n#include "reports/report.hpp"\n#include "stats/welch.hpp"\n'
put ci/cli/arguments.hpp '#include <optional>\n#include "ci/workflow/version.hpp"\n'
put ci/workflow/version.hpp.in '// made by CMake\n'
sed -i '1i #include "ci/cli/arguments.hpp"' "$tree/ci/cli/arguments.cpp"
put tests/fixture.hpp ''
expect 0 "files keep to include_table.txt" "$here/check_includes.sh" "$tree"

# forbidden FILE TEXT-OF-THE-FILE MESSAGE
forbidden() {
  put "$1" "$2"
  expect 1 "$3" "$here/check_includes.sh" "$tree"
  rm "$tree/$1"
}
forbidden stats/x.cpp '#include "harness/record/run.hpp"\n' 'stats/x.cpp:1: "harness/record/run.hpp": stats may not include harness/record'
forbidden stats/x.cpp '#include <nlohmann/json.hpp>\n' 'stats may not use nlohmann'
forbidden stats/x.hpp '#include <boost/math/policies/policy.hpp>\n' 'a public header of stats may not show boost'
forbidden stats/x.hpp '#include "stats/policy.hpp"\n' '"stats/policy.hpp" is private to the .cpp files of stats'
forbidden reports/x.cpp '#include "stats/policy.hpp"\n' '"stats/policy.hpp" is private to the .cpp files of stats'
forbidden harness/import/x.hpp '\n  #  include  <nlohmann/json.hpp>\n' 'harness/import/x.hpp:2: <nlohmann/json.hpp>: a public header of harness/import may not show nlohmann'
forbidden harness/json/x.cpp '#include "stats/welch.hpp"\n' 'harness/json may not include stats'
forbidden ci/policy/x.cpp '#include "ci/gate/judge.hpp"\n' 'ci/policy may not include ci/gate'
forbidden ci/workflow/x.cpp '#include "ci/cli/arguments.hpp"\n' 'ci/workflow may not include ci/cli'
forbidden harness/bench/x.cpp '#include <torch/torch.h>\n' 'harness/bench may not use torch'
forbidden harness/bench/x.cpp '#include "harness/bench/torch/output.hpp"\n' 'harness/bench may not include harness/bench/torch'
forbidden suites/fusion/x.cpp '#include "suites/memory/pool.hpp"\n' 'suites may not include suites'
forbidden suites/common/x.cpp '#include "suites/fusion/conv.hpp"\n' 'suites/common may not include suites'
forbidden suites/fusion/x.cpp '#include "harness/record/run.hpp"\n' 'suites may not include harness/record'
forbidden baselines/x.cpp '#include "reports/report.hpp"\n' 'baselines may not include reports'
forbidden reports/x.cpp '#include "ci/cli/arguments.hpp"\n' 'reports may not include ci'
forbidden ci/gate/x.cpp '#include <torch/torch.h>\n' 'ci/gate may not use torch'
forbidden ci/gate/x.cpp '#include <cuda_runtime_api.h>\n' 'ci/gate may not use cuda'
forbidden ci/gate/x.cpp '#include <c10/util/Exception.h>\n' 'ci/gate may not use c10'
forbidden ci/gate/x.cpp '#include "suites/fusion/conv.hpp"\n' 'ci/gate may not include suites'
forbidden ci/gate/x.cpp '#include "harness/bench/bench.hpp"\n' 'ci/gate may not include harness/bench'
forbidden ci/cli/x.cpp '#include <CLI/CLI.hpp>\n' 'one file includes CLI, and that is ci/cli/arguments.cpp'
forbidden ci/gate/x.cpp '#include <something/new.hpp>\n' 'ci/gate may not use something'
forbidden ci/gate/x.cpp '#include "arguments.hpp"\n' 'our files are included by their path from the root'
forbidden ci/gate/x.cpp '#include <stats/welch.hpp>\n' 'our own files are included with ""'
forbidden ci/gate/x.cpp '#include "stats/gone.hpp"\n' 'there is no such file'
forbidden ci/gate/x.cpp '#include "tests/fixture.hpp"\n' 'ci/gate may not include tests/fixture.hpp'
forbidden ci/cli/arguments.cpp '#include <vector>\n#include "ci/cli/arguments.hpp"\n' 'its own header "ci/cli/arguments.hpp" comes first'
forbidden harness/x.cpp '#include <vector>\n' 'this folder is not in include_table.txt'
expect 2 "no source files" "$here/check_includes.sh" /proc/self/task
finish
