#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The dependency check lets a good table through and catches each fault.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

table=cmake/torchgate_dependencies.cmake
good='# | what | tested | from | for | why\n# | {fmt} | 9.1.0 | deb:libfmt-dev | program | text\n# | LibTorch | 2.11.0 | pypi:torch | suites | measured\n# | axe | 0.1.8 | lint-pypi:axe | tests | pages\nfind_package(Threads REQUIRED)\nfind_package(fmt 9 REQUIRED)\n'
put "$table" "$good"
put stats/CMakeLists.txt '# find_package(in a comment)\nadd_library(x x.cpp)\n'
expect 0 "3 dependencies" "$here/check_dependencies.sh" "$tree"

with_table() { put "$table" "$good$1"; expect 1 "$2" "$here/check_dependencies.sh" "$tree"; put "$table" "$good"; }
with_table '# | Boost | 1.74 | deb:libboost-dev | program |  \n' "the row of 'Boost' lacks a column"
with_table '# | Boost | | deb:libboost-dev | program | t tails\n' "the row of 'Boost' lacks a column"
with_table '# | Boost | 1.74 | somewhere | program | t tails\n' "'Boost' comes from 'somewhere'"
with_table '# | axe | 0.1.8 | lint-deb:axe | tests | pages\n' "'axe' comes from 'lint-deb:axe'"
with_table '# | Boost | 1.74 | deb:libboost-dev | fun | t tails\n' "'Boost' is for 'fun'"
with_table '  find_package(CURL REQUIRED)\n' "find_package(CURL) has no row"

elsewhere() { put stats/x.cmake "$1"; expect 1 "stats/x.cmake:1:" "$here/check_dependencies.sh" "$tree"; rm "$tree/stats/x.cmake"; }
elsewhere 'find_package(fmt 9)\n'
elsewhere 'FetchContent_Declare(fmt)\n'
elsewhere 'if(x) find_library(y z) endif()\n'
put "$table" 'nothing\n'
expect 2 "has no rows" "$here/check_dependencies.sh" "$tree"
finish
