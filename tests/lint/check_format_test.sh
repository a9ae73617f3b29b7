#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The format check names the file that is not formatted, and is skipped, not passed, without clang-format 14.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

mkdir "$tree/bin"
ln -s "$(command -v bash)" "$(command -v dirname)" "$tree/bin/"
expect 77 "skipped: no clang-format-14" env PATH="$tree/bin" "$here/check_format.sh" "$tree"
command -v clang-format-14 >/dev/null || exit 77

cp "$here/../../.clang-format" "$tree/.clang-format"
put stats/good.cpp 'int x = 1;\n'
expect 0 "1 files are formatted" "$here/check_format.sh" "$tree"
put stats/bad.cpp 'int  x =1;\n'
expect 1 $'stats/bad.cpp\nfix it with' "$here/check_format.sh" "$tree"
finish
