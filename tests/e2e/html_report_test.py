# SPDX-License-Identifier: Apache-2.0
"""html_report_test.py PAGE LARGE_PAGE HOSTILE_PAGE: the HTML report in a browser.

No error, no request, at three sizes, light and dark; contrast; filter, sort, pages, zoom, keyboard; without a script and on paper.
Times are printed and not judged."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

SIZES = {"desktop": (1440, 900, False), "tablet": (820, 1180, False), "phone": (360, 780, True)}
failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence, file=sys.stderr)


# WCAG 2.1, 1.4.3: relative luminance and contrast ratio of text and the first background behind it that is not transparent.
CONTRAST = """(() => {
  const channel = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || ["SCRIPT", "STYLE", "TITLE", "DESC"].includes(element.tagName.toUpperCase())) continue;
    ++count;
    const style = getComputedStyle(element);
    const color = parse(element instanceof SVGElement ? style.fill : style.color);
    let behind = element, background = [0, 0, 0, 0];
    while (behind && (background.length === 4 && background[3] === 0)) { background = parse(getComputedStyle(behind).backgroundColor); behind = behind.parentElement; }
    const [light, dark] = [luminance(color), luminance(background)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${element.tagName} ${walker.currentNode.textContent.slice(0, 40)}`);
  }
  return { count, bad: bad.slice(0, 5) };
})()"""


# Of each row of the drawing: whether it lies inside the window, shows a plot that is wide enough to be read, and its sentence is hidden.
FOREST = """(() => [...document.querySelectorAll('.forest li')].map((row) => {
  const plot = row.querySelector('.plot > svg').getBoundingClientRect();
  const said = row.querySelector('.said').getBoundingClientRect();
  const inside = [...row.querySelectorAll('*')].every((e) => e.closest('.plot') || e.closest('.said') || e.getBoundingClientRect().right <= window.innerWidth + 1);
  return { plot: plot.width, height: plot.height, inside: inside && plot.right <= window.innerWidth, said: said.width,
           sentence: row.querySelector('.said').textContent, shape: row.querySelector('.key path').getAttribute('d'), tone: row.querySelector('.key path').getAttribute('class') };
}))()"""


def forest(browser, what, width):
    rows = browser.run(FOREST)
    check(0 < len(rows) <= 40, f"{what}: {len(rows)} rows are drawn")
    check(all(row["inside"] for row in rows), f"{what}: a row of the drawing leaves the window")
    check(all(row["plot"] >= min(width, 1000) * 0.25 and row["height"] >= 20 for row in rows), f"{what}: plots of {min(row['plot'] for row in rows)} px")
    check(all(row["said"] <= 1 for row in rows), f"{what}: the sentence of a row is shown without focus")
    check(all(row["sentence"] for row in rows), f"{what}: a row without a sentence for a screen reader")
    # Colour alone says nothing: each tone has one shape, and each shape one tone.
    pairs = {(row["tone"], row["shape"]) for row in rows}
    check(len({tone for tone, _ in pairs}) == len(pairs) == len({shape for _, shape in pairs}), f"{what}: shapes and colours {pairs}")
    check(browser.run("document.querySelector('.forest').getBoundingClientRect().top < document.getElementById('findings').getBoundingClientRect().top"), f"{what}: the drawing is not above the table")


def quiet(browser, what):
    check(not browser.console, f"{what}: the console has {browser.console}")
    others = [url for url in browser.requests if not url.startswith("file:///")]
    check(len(browser.requests) == 1 and not others, f"{what}: requests {browser.requests}")


def look(browser, page):
    for name, (width, height, mobile) in SIZES.items():
        for scheme in ("light", "dark"):
            what = f"{name}, {scheme}"
            browser.size(width, height, mobile)
            browser.media(scheme)
            browser.open(page)
            quiet(browser, what)
            check(browser.run("document.documentElement.scrollWidth") <= width, f"{what}: wider than the window")
            contrast = browser.run(CONTRAST)
            check(contrast["count"] > 100, f"{what}: {contrast['count']} texts seen")
            check(not contrast["bad"], f"{what}: contrast below 4.5: {contrast['bad']}")
            check(browser.run("document.querySelector('h1').getBoundingClientRect().bottom") < height, f"{what}: the verdict is below the fold")
            check(browser.run("(() => { const sort = document.querySelector('#findings th button').getBoundingClientRect(); return sort.left >= 0 && sort.height >= 24; })()"),
                  f"{what}: a button to sort is outside the window or below 24 px")
            forest(browser, what, width)
            if "SCREENSHOTS" in os.environ:
                browser.screenshot(os.path.join(os.environ["SCREENSHOTS"], f"{name}_{scheme}.png"))


def use(browser, page):
    browser.size(1440, 900)
    browser.media("light")
    browser.open(page)
    rows = "document.querySelectorAll('#findings > tbody').length"
    everything = browser.run(rows)
    summary = "document.getElementById('summary').textContent"
    check(f"{everything} of {everything} rows" in browser.run(summary), f"summary: {browser.run(summary)}")

    # By keyboard only: Ctrl+/ goes to the filter, Escape empties it. A key alone would disturb those who speak to their browser (WCAG 2.1.4).
    browser.press("/", text="/", code="Slash", virtual=191)
    check(browser.run("document.activeElement.id") != "search", "\"/\" alone goes to the filter")
    browser.press("/", code="Slash", virtual=191, control=True)
    check(browser.run("document.activeElement.id") == "search", "Ctrl+/ does not go to the filter")
    browser.type("uflat 1")
    names = browser.run("[...document.querySelectorAll('#findings tbody code:first-of-type')].map((e) => e.textContent)")
    names = [name for name in names if name.startswith("BM_")]
    check(sorted(names) == ["BM_UFlat/1", "BM_UFlat/10", "BM_UFlat/11"], f"filter: {names}")
    check("3 of 24 rows: 3 regressed; geometric mean of 3 changes" in browser.run(summary), f"summary of the filter: {browser.run(summary)}")
    browser.press("Escape", virtual=27)
    check(browser.run(rows) == everything, "Escape does not empty the filter")
    seen = []
    for _ in range(40):
        browser.press("Tab", virtual=9)
        seen.append(browser.run("document.activeElement.id || document.activeElement.tagName"))
    for wanted in ("verdict", "expand", "BUTTON", "SUMMARY"):
        check(wanted in seen, f"Tab does not reach {wanted}: {seen}")

    # A row of the drawing: focus shows its sentence, Enter leads to its row of the table, also where that is filtered out.
    browser.run("document.querySelector('.forest a.name').focus()")
    check(browser.run("document.querySelector('.forest li .said').getBoundingClientRect().width") > 100, "focus does not show the values of a row")
    browser.press("Escape", virtual=27)
    check(browser.run("document.querySelector('.forest li .said').getBoundingClientRect().width") <= 1, "Escape does not hide the values of a row")
    check(browser.run("document.activeElement.className") == "name", "Escape moves the focus")
    browser.run("document.activeElement.blur(); document.querySelector('.forest a.name').focus()")
    check(browser.run("document.querySelector('.forest li .said').getBoundingClientRect().width") > 100, "after Escape, focus does not show the values again")
    browser.run("(() => { const s = document.getElementById('search'); s.value = 'nothing'; s.dispatchEvent(new Event('input')); document.querySelector('.forest a.name').click(); })()")
    target = browser.run("(() => { const t = document.querySelector('tbody:target'); return t && [t.dataset.verdict, t.querySelector('details').open, t.getBoundingClientRect().top < innerHeight]; })()")
    check(target == ["regressed", True, True], f"a row of the drawing leads to {target}")
    check(browser.run(rows) == everything, "after a row of the drawing, the table is filtered")
    check(browser.run("document.querySelector('.forest li .plot title').textContent") == browser.run("document.querySelector('.forest li .said').textContent"), "hover and a screen reader say different things")

    browser.run("(() => { const s = document.getElementById('verdict'); s.value = 'inconclusive'; s.dispatchEvent(new Event('change')); })()")
    check("1 of 24 rows: 1 inconclusive" in browser.run(summary), f"verdict filter: {browser.run(summary)}")
    browser.run("(() => { const s = document.getElementById('verdict'); s.value = ''; s.dispatchEvent(new Event('change')); })()")

    column = "[...document.querySelectorAll('#findings tbody tr.head')].map((r) => r.cells[4].textContent)"
    head = "document.querySelectorAll('#findings > thead th')[4]"
    browser.run(f"{head}.querySelector('button').click()")
    changes = [float(text.replace(" %", "")) for text in browser.run(column)]
    check(changes == sorted(changes, reverse=True), f"sorted by change: {changes}")
    check(browser.run(f"{head}.getAttribute('aria-sort')") == "descending", "aria-sort after one click")
    browser.run(f"{head}.querySelector('button').click()")
    changes = [float(text.replace(" %", "")) for text in browser.run(column)]
    check(changes == sorted(changes), f"sorted the other way: {changes}")

    browser.run("document.getElementById('expand').click()")
    check(browser.run("[...document.querySelectorAll('#findings details')].every((d) => d.open)"), "not all details open")
    browser.run("document.querySelector('figure[data-history] button').click()")
    check(browser.run("document.querySelectorAll('.chart canvas').length") > 0, "no chart after Zoom")
    check(browser.run("document.querySelectorAll('.dygraphDefaultAnnotation, .dygraph-annotation').length") >= 1, "the chart shows no change")
    # What dragging does, buttons do, too, and the picture keeps its words.
    check(browser.run("document.activeElement.textContent") == "Zoom in", "after Zoom, the focus is lost")
    check(browser.run("document.querySelector('.chart').getAttribute('aria-label')").startswith("History of "), "a chart without words")
    times = "[...document.querySelectorAll('.dygraph-axis-label-x')].map((e) => e.textContent).join()"
    everything_shown = browser.run(times)
    browser.run("document.activeElement.click()")
    check(browser.run(times) != everything_shown, "Zoom in does nothing")
    browser.run("[...document.querySelectorAll('figure .tools button')].find((b) => b.textContent === 'Zoom out').click()")
    check(browser.run(times) == everything_shown, "Zoom out does not show everything again")
    quiet(browser, "after use")

    drawings = browser.run("[...document.querySelectorAll('#findings svg')].map((s) => [s.getAttribute('role'), !!s.querySelector('title'), s.querySelector('desc')?.textContent || ''])")
    check(len(drawings) > 10 and all(role == "img" and title and text for role, title, text in drawings), "a drawing without role, title or description")
    check(browser.run("[...document.querySelectorAll('#findings > thead th')].every((h) => h.scope === 'col')"), "a head of a column without scope")


def without_scripts(browser, page):
    browser.scripts(False)
    browser.open(page)
    browser.scripts(True)
    forest(browser, "without a script", 1440)
    check(browser.run("document.querySelectorAll('#findings tbody[data-fails] svg').length") >= 6, "without a script, failing rows have no drawing")
    check(browser.run("document.getElementById('tools').hidden"), "without a script, there are tools that do nothing")
    check("12 rows are not listed here" in browser.run("document.getElementById('rest').textContent"), "without a script, nothing is said of the other rows")


def on_paper(browser, page):
    browser.media("light", kind="print")
    browser.open(page)
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    check(browser.run("[...document.querySelectorAll('tbody[data-fails] details')].every((d) => d.open)"), "what fails is closed on paper")
    check(not browser.run("document.getElementById('tools').checkVisibility()"), "the tools are on paper")
    check(browser.run("document.querySelectorAll('.forest li .plot > svg').length && [...document.querySelectorAll('.forest li .plot > svg')].every((s) => s.checkVisibility() && s.getBoundingClientRect().width > 100)"), "the drawing is not on paper")
    check(not browser.run("[...document.querySelectorAll('.forest .said')].some((s) => s.checkVisibility())"), "hidden sentences are on paper")
    browser.media("light")


def large(browser, page):
    browser.size(1440, 900)
    browser.open(page)
    quiet(browser, "10,000 rows")
    opened = browser.run("(() => { const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime; })()")
    filtered = browser.run("""(() => { const search = document.getElementById('search'); const begin = performance.now();
      search.value = 'batch:7'; search.dispatchEvent(new Event('input')); document.body.getBoundingClientRect(); return performance.now() - begin; })()""")
    ordered = browser.run("""(() => { const begin = performance.now(); document.getElementById('search').value = '';
      document.querySelectorAll('#findings th button')[4].click(); document.body.getBoundingClientRect(); return performance.now() - begin; })()""")
    forest(browser, "10,000 rows", 1440)
    check(browser.run("/more cases are not drawn/.test(document.querySelector('.forest').textContent)"), "10,000 rows: the drawing does not say how many cases it leaves out")
    size = os.path.getsize(page)
    print(f"10,000 findings: {size:,} bytes, open in {opened:.0f} ms, filter in {filtered:.0f} ms, sort in {ordered:.0f} ms")
    check(browser.run("document.querySelectorAll('#findings > tbody').length") == 100, "a page has not 100 rows")
    check(browser.run("document.getElementById('page').textContent") == "page 1 of 100", "pages")
    browser.run("document.getElementById('next').click()")
    check(browser.run("document.getElementById('page').textContent") == "page 2 of 100", "next page")
    check(size <= 5_000_000, f"{size} bytes")


def hostile(browser, page):
    browser.open(page)
    quiet(browser, "hostile names")
    check(browser.run("document.querySelectorAll('img, iframe, object, link, base').length") == 0, "a name became an element")
    check(browser.run("document.scripts.length") == 3, "a name became a script")
    check(browser.run("document.body.textContent.includes('onerror=alert(1)')"), "the hostile name is not there, so this shows nothing")
    check(browser.run("document.documentElement.scrollWidth") <= 1440, "hostile names: wider than the window")


def main():
    page, large_page, hostile_page = sys.argv[1:]
    browser = Browser()
    try:
        look(browser, page)
        use(browser, page)
        without_scripts(browser, page)
        on_paper(browser, page)
        large(browser, large_page)
        hostile(browser, hostile_page)
    finally:
        browser.close()
    print(json.dumps({"failures": len(failures)}))
    sys.exit(1 if failures else 0)


main()
