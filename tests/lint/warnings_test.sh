#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A warning breaks the build of the `ci` preset, and only that: the same file compiles where the preset's setting is off.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

compile() { cmake -G Ninja -S "$here/warnings" -B "$tree/$1" -DCMAKE_BUILD_TYPE=Release "-DTORCHGATE_WERROR=$1" && cmake --build "$tree/$1"; }

# What CI really sets: read from the preset, so that switching it off there fails here.
cat >"$tree/preset.cmake" <<'SCRIPT'
file(READ "${PRESETS}" text)
string(JSON presets GET "${text}" configurePresets)
string(JSON count LENGTH "${presets}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON name GET "${presets}" ${i} name)
  if(name STREQUAL "ci")
    string(JSON value GET "${presets}" ${i} cacheVariables TORCHGATE_WERROR)
    message(STATUS "${value}")
  endif()
endforeach()
SCRIPT
ci_setting=$(cmake "-DPRESETS=$here/../../CMakePresets.json" -P "$tree/preset.cmake" | sed 's/^-- //')

expect 1 "never_used" compile "$ci_setting"
expect 1 "-Werror=unused-variable" compile "$ci_setting"
expect 0 "-Wunused-variable" compile OFF
finish
