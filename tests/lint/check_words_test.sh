#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The word check finds a retired word where a person reads it, and nowhere else.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

rows=''
for i in 1 2 3 4 5 6 7 8 9; do rows+="| \`word$i\` | other |\n"; done
put tests/lint/README.md "# C\n\n## Words\n\n| word | meaning | retired |\n|---|---|---|\n| action | what | \`effect\` |\n| plan | which | – |\n
| instead of | write |\n|---|---|\n| \`is no\`, \`mend\` | fix |\n$rows\n## Rest\n\nWords as they are.\n"
check() {
  # shellcheck disable=SC2154  # expect.sh sets tree
  expect "$1" "$2" bash "$here/check_words.sh" "$tree"
}

# Comments, includes, other words and allowed phrases; a text in pieces; what other text merely contains.
put reports/good.cpp '#include "effect.hpp"\n// an effect\n/* to mend\n   it */ int effect = 0;\nconst char* a = "recommended, effects";\nchar c = (char)34;\n'
put reports/quote.cpp "char q = '\"'; /* mend */ char r = '\\\\\\\\'; const char* s = \"fine\";\n"
put reports/README.md 'It is no longer slow. There is no key.\n'
check 0 "4 files use the words"

caught() {
  put "$1" "$2"
  check 1 "$3"
  rm "$tree/$1"
}
caught reports/x.cpp 'int a;\nconst char* b = "the effect of it";\n' 'reports/x.cpp:2: "effect": retired; write action'
caught reports/x.cpp 'auto b = f("mend it", 1);\n' 'reports/x.cpp:1: "mend": retired; write fix'
caught reports/x.cpp 'auto b = f("this is "\n  "no run");\n' 'reports/x.cpp:1: "is no"'
caught reports/x.cpp 'auto b = "first\\nEFFECT";\n' 'reports/x.cpp:1: "effect"'
caught reports/x.cpp 'auto b = R"(one\ntwo mend\n)";\n' 'reports/x.cpp:1: "mend"'
caught reports/x.cpp 'auto b = "https://x mend";\n' '"mend"'
caught reports/gate_effect.hpp 'int x;\n' 'reports/gate_effect.hpp:1: "effect"'
caught README.md 'One line.\n\nHow to\nmend it.\n' 'README.md:3: "mend"'
caught README.md '| key | effect |\n' 'README.md:1: "effect"'
caught ci/policy/README.md '```sh\nrun word3 now\n```\n' 'word3'
put stats/README.md 'An effect.\n'  # not a folder of the list
check 0 "files use the words"

rm "$tree/tests/lint/README.md"
put tests/lint/README.md '# C\n'
check 2 "has lost its tables"
finish
