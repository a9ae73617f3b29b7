#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The HTML report in a real browser (Debian's chromium), offline.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
time_formats=$1
"$time_formats" page >page.html
"$time_formats" page 10000 >large.html
"$time_formats" page 500 hostile >hostile.html
python3 "$(dirname "${BASH_SOURCE[0]}")/html_report_test.py" page.html large.html hostile.html || complain "the page in the browser"

# The test finds what it looks for: a page that breaks its content policy, and one that asks the network for something.
sed 's|<h1>|<h1 style="color: red">|' page.html >styled.html
python3 "$(dirname "${BASH_SOURCE[0]}")/html_report_test.py" styled.html large.html hostile.html >styled.txt 2>&1 && complain "an inline style is not found"
grep -q "the console has" styled.txt || { complain "an inline style is not named"; head -5 styled.txt >&2; }
sed 's|class="shape warn"|class="shape fail"|g' page.html >same_color.html
python3 "$(dirname "${BASH_SOURCE[0]}")/html_report_test.py" same_color.html large.html hostile.html >same_color.txt 2>&1 && complain "two shapes of one colour are not found"
grep -q "shapes and colours" same_color.txt || { complain "two shapes of one colour are not named"; head -5 same_color.txt >&2; }
finish
