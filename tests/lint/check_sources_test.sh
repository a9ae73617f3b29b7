#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The source check lets a good tree through and catches each fault.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

put stats/good.cpp '// SPDX-License-Identifier: Apache-2.0\nint x;\n'
put run.sh '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n'
put CMakeLists.txt '# SPDX-License-Identifier: Apache-2.0\nadd_library(x stats/good.cpp)\n'
put stats/CMakeLists.txt '# SPDX-License-Identifier: Apache-2.0\nadd_library(y a.cpp b/long.cpp x.cpp)\n'
put build/generated.cpp 'no licence needed here\n'
long_body=$(printf '\\n%.0s' {1..400})
put stats/b/long.cpp "// SPDX-License-Identifier: Apache-2.0\n// Over 400 lines because it is one table.$long_body"
expect 0 "5 source files are in order" "$here/check_sources.sh" "$tree"

forbidden() {
  put "$1" "$2"
  expect 1 "$3" "$here/check_sources.sh" "$tree"
  rm "$tree/$1"
}
licence='// SPDX-License-Identifier: Apache-2.0\n'
forbidden stats/x.cpp 'int x;\n' 'stats/x.cpp:1: the first line is not'
forbidden stats/x.cpp "\n$licence" 'stats/x.cpp:1: the first line is not'
forbidden x.sh '#!/bin/sh\necho\n' 'x.sh:1: the first line is not'
forbidden stats/x.hpp "${licence}\n// TO""DO later\n" 'stats/x.hpp:3:'
forbidden stats/x.hpp "${licence}// FIX""ME(me): later\n" 'nothing is left for later'
forbidden stats/x.cpp "$licence$long_body\n" '402 lines; split it'
forbidden stats/orphan.cpp "$licence" 'stats/orphan.cpp: no CMakeLists.txt lists it'
forbidden stats/utils.hpp "$licence" 'stats/utils.hpp: a name that says nothing'
forbidden stats/string_helpers.cpp "$licence" 'a name that says nothing'
forbidden helpers/x.cpp "$licence" 'a name that says nothing'
forbidden stats/x.hpp "${licence}int x;\n" 'stats/x.hpp: #pragma once is missing'
expect 2 "no source files" "$here/check_sources.sh" /proc/self/task
finish
