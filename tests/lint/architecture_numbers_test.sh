#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The numbers of the architecture: counted right on a tree of known size, and one that grows is a failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

numbers() { git -C "$tree" add -A && python3 "$here/architecture_numbers.py" "$tree"; }
limit() { sed -i -E "s/^($1) .*/\1 $2/" "$tree/tests/lint/architecture_numbers.txt"; }

git -C "$tree" init -q
put ci/gate/a.hpp '#include "ci/gate/b.hpp"\n'
put ci/gate/b.hpp '#include "ci/gate/c.hpp"\n'
put ci/gate/c.cpp '#include "ci/gate/c.hpp"\nfmt::format("{}", 1);\n'
put ci/gate/c.hpp '\n'
mkdir -p "$tree/tests/lint"
sed -E 's/[0-9]+$/0/' "$here/architecture_numbers.txt" >"$tree/tests/lint/architecture_numbers.txt"
expect 1 "product lines: grew from 0 to 5; write it with less" numbers
limit "product lines" 5
limit "ci\/gate files" 4
limit "ci\/gate lines" 5
limit "ci\/gate floors" 3
limit "ci\/gate sentences \(fmt::format\)" 1
expect 0 "unit cycles                              0 of at most 0" numbers

put ci/gate/c.cpp '#include "ci/gate/c.hpp"\n#include "ci/gate/a.hpp"\n'
expect 1 "ci/gate/a ci/gate/b ci/gate/c" numbers
put ci/gate/c.cpp '#include "ci/gate/c.hpp"\n\n'
put stats/c.hpp ''
expect 1 "ci/gate/c stats/c" numbers
put ci/cli/commands/c.hpp ''
rm "$tree/stats/c.hpp"
expect 0 "" numbers # a command is named as what it does

limit "product lines" 9
git -C "$tree" add -A
expect 0 "" python3 "$here/architecture_numbers.py" --update "$tree"
expect 0 "product lines                            5 of at most 5" numbers
sed -i '/unit cycles/d' "$tree/tests/lint/architecture_numbers.txt"
expect 1 "unit cycles: in one of architecture_numbers.py and architecture_numbers.txt only" numbers
finish
