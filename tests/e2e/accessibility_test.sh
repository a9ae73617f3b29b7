#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No page violates WCAG 2.2 AA as far as axe-core sees it: pages of reports, of an upgrade, of a matrix, and those of a store.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2 time_formats=$3 source_dir=$4
axe=${TORCHGATE_DEPS_DIR:-$source_dir/.deps}/axe-core/axe_playwright_python/axe.min.js
needs_browser
[[ -s $axe ]] || { echo "skipped: axe-core is not installed; ci/scripts/setup.sh --lint installs it"; exit 77; }
looks() { python3 "$source_dir/tests/e2e/accessibility_test.py" "$axe" "$@"; }

new_repository
for i in $(seq 2 21); do git commit -q --allow-empty -m "change $i"; done
git rev-list --reverse HEAD >commits
git tag v1.0 "$(sed -n 5p commits)"
mkdir runs
"$made_runs" history 21 14 1.2 commits runs 24
for i in $(seq 0 20); do "$torchgate" baseline add "runs/$i.json" --without-objects >/dev/null; done
exits_with 0 "$torchgate" report --site site

# What a report may have: failures, undecided cases, none compared, broken claims, families, drawings with a history, many pages.
pages=()
for name in confirmed_regression too_few_decided all_pass no_baseline host_differs failed_wrong_missing claims_broken one_of_two_benchmarks upgrade matrix; do
  "$time_formats" page "$name" >"$name.html"
  pages+=("$name.html")
done
"$time_formats" page >drawings.html
"$time_formats" page 500 >families.html
looks "${pages[@]}" drawings.html families.html site/index.html site/suite-*.html site/case-made-group-variant-case-0-*.html ||
  complain "a page violates WCAG 2.2 AA"

# The test finds what it looks for: a light grey text, a drawing without words, and a table that scrolls without the keyboard.
sed 's|class="quiet"|class="planted"|; s|</head>|<style>.planted { color: #bbb; } .wide table { min-width: 2000px; }</style></head>|; s|<title>[^<]*</title><desc>[^<]*</desc>||; s|role="group" tabindex="0"||' \
  drawings.html >planted.html
looks planted.html >planted.txt 2>&1 && complain "planted violations are not found"
for rule in color-contrast svg-img-alt scrollable-region-focusable; do
  grep -q "planted.html, .*: $rule: " planted.txt || { complain "not found: $rule"; head -20 planted.txt >&2; }
done
finish
