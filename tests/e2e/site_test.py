# SPDX-License-Identifier: Apache-2.0
"""site_test.py SITE: the pages of a store in a browser, from file://."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence, file=sys.stderr)


def quiet(browser, page, site):
    name = os.path.basename(page)
    check(not browser.console, f"{name}: the console has {browser.console}")
    inside = "file://" + os.path.abspath(site) + "/"
    check(all(url.startswith(inside) for url in browser.requests), f"{name}: requests {browser.requests}")


def main():
    site = sys.argv[1]
    index = os.path.join(site, "index.html")
    for page in glob.glob(os.path.join(site, "*.html")):
        text = open(page, encoding="utf-8").read()
        for link in re.findall(r'(?:href|src)="([^"#]+)"', text):
            check(os.path.exists(os.path.join(site, link)), f"{os.path.basename(page)}: dead link {link}")
    browser = Browser()
    try:
        for width, height, mobile, scheme in ((1440, 900, False, "light"), (820, 1180, False, "dark"), (360, 780, True, "light")):
            browser.size(width, height, mobile)
            browser.media(scheme)
            for page in (index, glob.glob(os.path.join(site, "suite-*.html"))[0], glob.glob(os.path.join(site, "case-*.html"))[0]):
                browser.open(page)
                quiet(browser, page, site)
                check(browser.run("document.documentElement.scrollWidth") <= width, f"{page}: wider than {width}")
                if "SCREENSHOTS" in os.environ:
                    name = os.path.basename(page).split("-")[0].split(".")[0]
                    browser.screenshot(os.path.join(os.environ["SCREENSHOTS"], f"site_{name}_{width}.png"))
        browser.size(1440, 900)
        browser.open(index)
        check("became slower in the last 30 days" in browser.run("document.querySelector('h1').textContent"), "no headline")
        rows = browser.run("[...document.querySelectorAll('tbody tr')].map((r) => [r.cells[0].textContent, r.cells[2].textContent])")
        changes = [float(change.replace(" %", "")) for _, change in rows]
        check(len(rows) >= 1 and changes == sorted(changes, reverse=True), f"not worst first: {rows}")

        browser.open(glob.glob(os.path.join(site, "suite-*.html"))[0])
        hovered = browser.run("""(() => { const svg = document.querySelectorAll('svg.multiple')[1]; const box = svg.getBoundingClientRect();
          svg.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + box.width / 3, clientY: box.top + 5 }));
          return [...document.querySelectorAll('.cursor')].map((c) => c.getAttribute('d')); })()""")
        check(len(set(hovered)) == 1 and hovered[0].startswith("M"), f"hover is not linked: {set(hovered)}")
        check(browser.run("document.getElementById('when').textContent").startswith("20"), "hover says no time")
        check(browser.run("document.querySelectorAll('path.release').length") > 0, "no line of a release")
        check(browser.run("document.querySelectorAll('path.change').length") > 0, "no line of a change")

        slower = browser.run("[...document.querySelectorAll('figure')].find((f) => f.querySelector('path.change')).querySelector('a').href")
        browser.open(slower[len("file://"):])
        quiet(browser, slower, site)
        check(browser.run("document.querySelectorAll('#history canvas').length") > 0, "the history of a case cannot be zoomed")
        check(browser.run("document.querySelectorAll('.dygraphDefaultAnnotation, .dygraph-annotation').length") >= 1, "no mark of the change")
        browser.scripts(False)
        browser.open(slower[len("file://"):])
        browser.scripts(True)
        check(browser.run("document.querySelectorAll('#history svg').length") == 1, "without a script there is no drawing")
    finally:
        browser.close()
    sys.exit(1 if failures else 0)


main()
