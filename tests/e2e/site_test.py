# SPDX-License-Identifier: Apache-2.0
"""site_test.py SITE: the pages of a store in a browser, from file://."""
import datetime
import glob
import json
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


def true_to_time(page):
    """The points of a case's drawing lie at the times of its runs."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    places = [float(x) for x in re.findall(r'<circle class="before" cx="([0-9.]+)"', text)]
    times = [run[0] for run in json.loads(re.search(r'id="series">(.*?)</script>', text).group(1))["runs"]]
    check(len(places) == len(times) > 2, f"{page}: {len(places)} points of {len(times)} runs")
    first, last = times[0], times[-1]
    wrong = [x for x, time in zip(places, times) if abs(x - (60 + 640 * (time - first) / (last - first))) > 0.06]
    check(not wrong, f"{page}: not at their times: {wrong[:5]}")
    steps = [after - before for before, after in zip(places, places[1:])]
    check(max(steps) > 1.5 * min(steps), f"{page}: equal steps; the runs are not a day apart each")
    return [datetime.datetime.fromtimestamp(time / 1000, datetime.timezone.utc).date().isoformat() for time in times]


def main():
    site = sys.argv[1]
    repository = "https://github.com/example/project/"
    index = os.path.join(site, "index.html")
    for page in glob.glob(os.path.join(site, "*.html")):
        text = open(page, encoding="utf-8").read()
        for link in re.findall(r'(?:href|src)="([^"#]+)"', text):
            known = link.startswith(repository) or os.path.exists(os.path.join(site, link))
            check(known, f"{os.path.basename(page)}: dead link {link}")
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
        first = "document.querySelector('main').firstElementChild"
        check(browser.run(f"{first}.querySelector('h1').textContent") == "Slower in the last 30 days", "no headline at the top")
        rows = browser.run(f"""[...{first}.querySelectorAll('tbody tr')].map((r) => ({{
          case: r.cells[0].textContent, change: r.querySelector('.value').textContent, interval: r.cells[1].textContent, day: r.cells[3].textContent,
          commits: r.cells[4].textContent, links: [...r.cells[4].querySelectorAll('a')].map((a) => a.href),
          now: r.cells[5].textContent, tone: r.cells[5].firstElementChild.className }}))""")
        check([row["tone"] for row in rows] == ["fail", "fail", "warn"], f"not the most important first: {rows}")
        changes = [float(row["change"].replace(" %", "")) for row in rows[:2]]
        check(changes == sorted(changes, reverse=True), f"not the largest first: {changes}")
        for row in rows:
            check(re.search(r"\[\+\d+\.\d %, \+\d+\.\d %\]", row["interval"]), f"no interval: {row}")
            check(row["day"] == "2026-02-21" and "change 49" in row["commits"], f"not when and by whom: {row}")
            check(len(row["links"]) == 1 and row["links"][0].startswith(repository + "commit/"), f"no link: {row}")
            check("still slower on 2026-03-04" in row["now"], f"not whether it holds: {row}")
        check(rows[-1]["case"].endswith("case:0") and "accepted: waiver" in rows[-1]["now"], f"the waiver accepts nothing: {rows[-1]}")

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
        days = true_to_time(slower[len("file://"):])
        check(len(days) == 60 and days[-1] == "2026-03-04", f"the runs of {days[0]} to {days[-1]}")
        for mark in ("path.change", "path.pin", "path.release", "path.version", "rect.waived", "a[href^='https://github.com/'] text"):
            check(browser.run(f"document.querySelectorAll(`#history svg {mark}`).length") >= 1, f"no {mark} in the drawing of a case")
        place = "(({x, right}) => [x, right])(document.querySelector('#history svg rect.waived').getBoundingClientRect())"
        change = "document.querySelector('#history svg path.change').getBoundingClientRect().x"
        band = browser.run(place)
        check(abs(band[0] - browser.run(change)) < 2, "the band of the waiver does not begin with the commit that it accepts")
        end = browser.run("document.querySelector('#history svg circle:last-of-type').getBoundingClientRect().x")
        check(band[1] > end - 1, "the band of the waiver does not last until the newest run")
        browser.run("document.querySelector('#history > button').click()")
        check(browser.run("document.querySelectorAll('#history canvas').length") > 0, "the history of a case cannot be zoomed")
        check(browser.run("document.querySelectorAll('.dygraphDefaultAnnotation, .dygraph-annotation').length") >= 1, "no mark of the change")
        quiet(browser, slower, site)
        browser.run("document.querySelector('#history > button').click()")
        check(browser.run("document.querySelectorAll('#history svg a').length") >= 1, "the drawing does not come back")
        browser.scripts(False)
        browser.open(slower[len("file://"):])
        browser.scripts(True)
        check(browser.run("document.querySelectorAll('#history svg').length") == 1, "without a script there is no drawing")
    finally:
        browser.close()
    sys.exit(1 if failures else 0)


main()
