# SPDX-License-Identifier: Apache-2.0
"""accessibility_test.py AXE_JS PAGE...: what axe-core finds against WCAG 2.2 A and AA on pages in a browser, light and dark, wide and narrow.

Details are open and histories zoomed: what a click shows is looked at, too. What axe cannot decide is not reported."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

SIZES = ((1440, 900, False), (360, 780, True))
SCHEMES = ("light", "dark")

OPEN = """(() => {
  for (const each of document.querySelectorAll('details')) each.open = true;
  document.querySelector('figure[data-history] button, #history > button')?.click();
})()"""

# target-size is the one rule of these tags that axe leaves out unless it is named. It would load style sheets again (preload), which a page
# from a file may not do.
RUN = """(async () => {
  const found = await axe.run(document, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: { 'target-size': { enabled: true } }, preload: false, resultTypes: ['violations'],
  });
  return { rules: found.passes.map((rule) => rule.id), violations: found.violations.map((rule) => ({
    id: rule.id, help: rule.help, page: rule.helpUrl,
    nodes: rule.nodes.map((node) => ({ target: node.target.join(' '), html: node.html.slice(0, 200), why: node.failureSummary })) })) };
})()"""


def violations_of(browser, axe, page, size, scheme):
    browser.size(*size)
    browser.media(scheme)
    browser.open(page)
    browser.run(axe + ";true")
    browser.run(OPEN)
    found = browser.run(RUN)
    what = f"{os.path.basename(page)}, {size[0]} px, {scheme}"
    for rule in found["violations"]:
        print(f"FAILED: {what}: {rule['id']}: {rule['help']} ({len(rule['nodes'])} elements; {rule['page']})")
        for node in rule["nodes"][:3]:
            print(f"  {node['target']}: {node['html']}\n    " + node["why"].replace("\n", "\n    "))
    return len(found["violations"]), set(found["rules"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        axe = file.read()
    violations, looks, rules = 0, 0, set()
    browser = Browser()
    try:
        browser.LONGEST_S = 300  # a page of 500 findings
        # The page's own policy stays what it is; axe makes functions from text.
        browser.call("Page.setBypassCSP", enabled=True)
        for page in sys.argv[2:]:
            for size in SIZES:
                for scheme in SCHEMES:
                    found, passed = violations_of(browser, axe, page, size, scheme)
                    violations, looks, rules = violations + found, looks + 1, rules | passed
        version = browser.run("axe.version")
    finally:
        browser.close()
    print(json.dumps({"axe": version, "looks": looks, "violations": violations, "rules": sorted(rules)}))
    sys.exit(1 if violations else 0)


main()
