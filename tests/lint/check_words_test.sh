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

# Includes, names in code, other words and allowed phrases; a text in pieces; what other text merely contains; literals of tests.
put reports/good.cpp '#include "effect.hpp"\n// effects\n/* a fix\n   of it */ int effect = 0;\nconst char* a = "recommended, effects";\nchar c = (char)34;\n'
put reports/quote.cpp "char q = '\"'; /* fix */ char r = '\\\\\\\\'; const char* s = \"fine\";\n"
put reports/README.md 'It is no longer slow. There is no key.\n'
put tests/reports/x_test.cpp 'TEST(Mending, EffectsStay) {\n  EXPECT_EQ(text(), "mend it");\n}\n'
put tests/golden/reports/x.md 'How to mend it.\n'
check 0 "5 files use the words"

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
caught reports/x.cpp 'int a;\n// How to\n// mend it.\nint b;\n' 'reports/x.cpp:2: "mend"'
caught reports/x.cpp 'int a;  // the effect\n// of it\n' 'reports/x.cpp:1: "effect"'
caught reports/x.cpp 'int a; /* how to\n  mend it */ int b;\n' 'reports/x.cpp:1: "mend"'
caught reports/x.cpp '// this is\n#include "a.hpp"\n// no run: how to mend it\n' 'reports/x.cpp:3: "mend"'
caught tests/reports/x_test.cpp 'TEST_F(Fixture, AFileIsNoRun) {\n' 'tests/reports/x_test.cpp:1: "is no"'
caught tests/reports/x_test.cpp 'TEST(Mend, Works) {\n' 'tests/reports/x_test.cpp:1: "mend"'
caught tests/reports/x_test.cpp 'int a;  // mend\n' 'tests/reports/x_test.cpp:1: "mend"'
caught tests/reports/mend_it_test.cpp 'int x;\n' 'tests/reports/mend_it_test.cpp:1: "mend"'
caught reports/gate_effect.hpp 'int x;\n' 'reports/gate_effect.hpp:1: "effect"'
caught README.md 'One line.\n\nHow to\nmend it.\n' 'README.md:3: "mend"'
caught README.md '| key | effect |\n' 'README.md:1: "effect"'
caught ci/policy/README.md '```sh\nrun word3 now\n```\n' 'word3'
put stats/README.md 'An effect.\n'  # words_allowed.txt
check 0 "files use the words"

rm "$tree/tests/lint/README.md"
put tests/lint/README.md '# C\n'
check 2 "has lost its tables"
finish
