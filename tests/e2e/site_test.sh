#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `torchgate report --site`: pages of a real store, brought up to date by what is new, and what is refused.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository
for i in $(seq 2 61); do git commit -q --allow-empty -m "change $i"; done
git rev-list --reverse HEAD >commits
git tag v1.0 "$(sed -n 20p commits)"
git tag -a v1.1 -m "annotated" "$(sed -n 40p commits)"
git remote add origin git@github.com:example/project.git
mkdir runs
"$made_runs" history 61 48 1.2 commits runs 24
# From the 31st run on with another LibTorch.
for i in $(seq 0 60); do
  libtorch=2.$((i < 30 ? 4 : 5)).0
  sed -i "s|\"facts\":\[\]|\"facts\":[{\"name\":\"libtorch_version\",\"value\":\"$libtorch\",\"class\":\"warn\"}]|" "runs/$i.json"
done
for i in $(seq 0 59); do "$torchgate" baseline add "runs/$i.json" --without-objects >/dev/null; done
"$torchgate" baseline pin stable --commit "$(sed -n 35p commits)" >/dev/null
printf '[[waiver]]\ncase = "made/group/variant/case:0"\nmetric = "time"\nceiling = 0.3\nreason = "accepted <b>"\nexpires = 2030-01-31\ncommit = "%s"\n' \
  "$(sed -n 49p commits)" >torchgate-waivers.toml

exits_with 0 "$torchgate" report --site site
says "60 runs"
says "60 new runs read"
grep -q "v1.0" site/suite-made-*.html || complain "a plain tag is no line"
grep -q "v1.1" site/suite-made-*.html || complain "an annotated tag is no line"
grep -q 'class="waived"' site/suite-made-*.html || complain "a waiver is not a band of a suite's page"
! grep -rq "accepted <b>" site || complain "the reason of a waiver is markup"

# The first page answers without a script: what became slower, by which commit, whether it still is.
page=$(sed 's/<[^>]*>/ /g' site/index.html | tr -s ' \n' ' ')
[[ $page == *" Slower in the last 30 days 3 of 24 cases became slower in the 30 days before the newest run, of 2026-03-04: 2 are still slower, 1 is still slower and accepted. "* ]] ||
  complain "the first page does not begin with what became slower: ${page:0:400}"
[[ $page == *" change 49 "*"still slower on 2026-03-04"* ]] || complain "the first page names no commit or no state"
[[ $page == *"accepted: waiver until 2030-01-31 of at most +30.0 %"* ]] || complain "the first page does not say what accepted a slow-down"
changed=$(sed -n 49p commits) before=$(sed -n 48p commits) case_page=(site/case-made-group-variant-case-0-*.html)
grep -q "href=\"https://github.com/example/project/commit/$changed\"" site/index.html || complain "the first page has no link to the commit"
# So does the page of a case.
grep -q "<a href=\"https://github.com/example/project/commit/$changed\"><text" "${case_page[0]}" || complain "a change has no link in the drawing"
grep -q "https://github.com/example/project/compare/$before...$changed" "${case_page[0]}" || complain "the two runs of a change cannot be compared"
for mark in 'class="waived"' 'class="pin"' 'class="version"' 'class="release"' "pin stable" "LibTorch 2.5.0 (before: 2.4.0)" "LibTorch 2.5.0, torchgate made"; do
  grep -q "$mark" "${case_page[0]}" || complain "the page of a case has no $mark"
done
python3 "$(dirname "${BASH_SOURCE[0]}")/site_test.py" site || complain "the site in the browser"

# One more run reads one more file; nothing new writes nothing; and both are what a new site is, byte for byte.
exits_with 0 "$torchgate" report --site site
says "0 written, 0 removed; 0 new runs read"
"$torchgate" baseline add runs/60.json --without-objects >/dev/null
exits_with 0 "$torchgate" report --site site
says "1 new run read"
exits_with 0 "$torchgate" report --site fresh
says "61 new runs read"
diff -r site fresh >differences || complain "an updated site differs from a new one: $(head -3 differences)"

# What `/perf accept` accepted is a file of the store. It accepts the change that came with its commit and no other one; a damaged file costs nothing.
waivers=.torchgate/store/waivers
mkdir -p "$waivers/$changed" "$waivers/$(sed -n 20p commits)"
sed 's/case:0"/case:10"/' torchgate-waivers.toml >"$waivers/$changed/7.toml"
sed 's/case:0"/case:20"/' torchgate-waivers.toml >"$waivers/$(sed -n 20p commits)/8.toml"
echo damaged >"$waivers/$changed/9.toml"
exits_with 0 "$torchgate" report --site accepted
sed 's/<[^>]*>/ /g' accepted/index.html | tr -s ' \n' ' ' | grep -q ": 1 is still slower, 2 are still slower and accepted\. " ||
  complain "what a comment accepted is not accepted on the first page"
grep -q "for commit ${changed:0:12}: accepted" accepted/index.html || complain "the first page does not say for which commit"
grep -q 'class="waived"' accepted/case-made-group-variant-case-10-*.html || complain "what a comment accepted is not a band"
rm -r "$waivers"

# Where nothing became slower, one sentence says so.
mkdir quiet
for i in $(seq 0 20); do "$torchgate" baseline add "runs/$i.json" --without-objects --store quiet/store >/dev/null; done
exits_with 0 "$torchgate" report --site quiet/site --store quiet/store
grep -q "No case became slower in the 30 days before the newest run, of 2026-01-21\." quiet/site/index.html || complain "a quiet store has no sentence"

# A damaged cache is made anew; a page that a crash has cut is written again.
head -c 1000 site/.torchgate-site.jsonl >damaged && mv damaged site/.torchgate-site.jsonl
: >site/index.html
exits_with 0 "$torchgate" report --site site
says "1 written"
says "61 new runs read"
diff -r site fresh >differences || complain "a mended site differs from a new one: $(head -3 differences)"

# A comparison on a page has the histories of what changed.
TORCHGATE_GATE_ALLOW_NOISY=true "$torchgate" compare runs/40.json runs/55.json --quiet --html page.html || true
grep -q 'data-history="0"' page.html || complain "a page of a comparison has no history"

# Not ours: nothing is touched.
mkdir other && echo mine >other/index.html
exits_with 2 "$torchgate" report --site other
says "not a site of torchgate, and not empty; name a new folder"
[[ $(ls -A other) == index.html && $(cat other/index.html) == mine ]] || complain "a folder of somebody else was changed"
exits_with 2 "$torchgate" report --site commits
says "not a folder"
exits_with 2 "$torchgate" report
says "no run named"
exits_with 3 "$torchgate" report --site none --host elsewhere
says "no baseline of a commit of elsewhere"
finish
