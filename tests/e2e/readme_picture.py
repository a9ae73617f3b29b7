# SPDX-License-Identifier: Apache-2.0
"""readme_picture.py take PAGE PICTURE: the top of an HTML report in a browser, as a PNG file of at most 150 kB.
readme_picture.py compare NEW COMMITTED: whether two such pictures show the same. Where fonts or the browser differ, their sizes only.

No picture is written unless its headline, the intervals and marks of the forest and the lines of the gate are drawn."""
import base64
import collections
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import png  # noqa: E402
from browser import Browser  # noqa: E402

# Of the window, and how many pixels of the picture one of the window is: it is sharp on a screen of that density, too.
WIDTH, HEIGHT, SCALE = 1000, 505, 2
MOST_BYTES = 150_000
TILE = 32  # pixels of the picture
PALETTES = (128, 64, 32)  # colours: the first that makes a file small enough

# What has to be drawn: [what, colour, left, top, right, bottom, share of this place that has at least this colour]. A line has no width of
# its own.
DRAWN = """(() => {
  const place = (what, element, property, share) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [what, getComputedStyle(element)[property], left - 1, top - 1, right + 1, bottom + 1, share];
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return [place('headline', document.querySelector('h1'), 'color', 0.01), place('outcome', document.querySelector('.outcome'), 'color', 0.05),
    ...all('.forest li .bar').map((bar) => place('interval', bar, 'stroke', 0.2)),
    ...all('.forest li .plot .shape').map((shape) => place('mark', shape, 'fill', 0.2)),
    ...all('.forest li .gate').map((gate) => place('gate', gate, 'stroke', 0.1))];
})()"""


def near(one, other, most):
    return all(abs(a - b) <= most for a, b in zip(one, other))


def check_drawn(picture, places):
    for kind in ("headline", "outcome", "interval", "mark", "gate"):
        if kind not in (place[0] for place in places):
            raise SystemExit(f"readme_picture.py: the page has no {kind}; take it of a comparison with changes and a gate")
    for kind, color, *box, share in places:
        left, top, right, bottom = (round(SCALE * edge) for edge in box)
        if bottom > picture.height or right > picture.width or min(left, top) < 0:
            raise SystemExit(f"readme_picture.py: {kind} is outside the picture at {box}; make the window larger (HEIGHT)")
        wanted = [int(part) for part in color[color.index("(") + 1:-1].split(",")[:3]]
        seen = [near(picture.pixel(x, y), wanted, 24) for y in range(top, bottom) for x in range(left, right)]
        if sum(seen) < share * len(seen):
            raise SystemExit(f"readme_picture.py: {kind} is not drawn at {box}: {sum(seen)} of {len(seen)} pixels are {color}")


def fonts_of(browser):
    """The fonts that the browser has found for the text of the page."""
    for domain in ("DOM", "CSS"):
        browser.call(f"{domain}.enable")
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    names = set()
    for selector in ("h1", "header p", ".forest .name", "#findings td"):
        node = browser.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        names |= {font["familyName"] for font in browser.call("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]}
    return ", ".join(sorted(names))


def take(page, target):
    browser = Browser()
    try:
        browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=SCALE, mobile=False)
        browser.media("light")
        browser.open(page)
        browser.run("document.fonts.ready.then(() => true)")
        places, fonts = browser.run(DRAWN), fonts_of(browser)
        version = browser.call("Browser.getVersion", _session=None)["product"]
        picture = png.read(base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"]))
    finally:
        browser.close()
    if (picture.width, picture.height) != (SCALE * WIDTH, SCALE * HEIGHT):
        raise SystemExit(f"readme_picture.py: the browser made {picture.width} x {picture.height} pixels")
    check_drawn(picture, places)
    picture.texts = {"Fonts": fonts, "Browser": version}
    for colors in PALETTES:
        data = png.written(picture, colors)
        if len(data) <= MOST_BYTES:
            break
    else:
        raise SystemExit(f"readme_picture.py: {len(data)} bytes with {colors} colours, more than {MOST_BYTES}; make the window smaller (HEIGHT)")
    check_drawn(png.read(data), places)
    with open(target, "wb") as file:
        file.write(data)
    print(f"{target}: {picture.width} x {picture.height} pixels, {colors} colours, {len(data):,} bytes; fonts: {fonts}")


def shares(picture):
    """Of the colours of surfaces, lines and marks: those that have at least a thousandth of the picture. Text is of many colours."""
    pixels = picture.width * picture.height
    return {color: count / pixels for color, count in picture.colors().items() if count >= pixels / 1000}


def share_near(picture_shares, color):
    return sum(share for other, share in picture_shares.items() if near(color, other, 12))


def differing(new, committed):
    """Where more than a twentieth of a tile is visibly different: another digit is, a letter with softer edges is not."""
    counts = collections.Counter()
    for y, (one, other) in enumerate(zip(new.rows, committed.rows)):
        if one != other:
            counts.update((x // TILE, y // TILE) for x in range(new.width) if not near(one[3 * x:3 * x + 3], other[3 * x:3 * x + 3], 64))
    return [(TILE * x, TILE * y) for (x, y), count in sorted(counts.items()) if count > TILE * TILE / 20]


def compare(new_file, committed_file):
    pictures = []
    for name in (new_file, committed_file):
        with open(name, "rb") as file:
            data = file.read()
        if len(data) > MOST_BYTES:
            raise SystemExit(f"readme_picture.py: {name} has {len(data)} bytes, more than {MOST_BYTES}")
        pictures.append(png.read(data))
    new, committed = pictures
    faults = []
    if (new.width, new.height) != (committed.width, committed.height):
        faults.append(f"{committed.width} x {committed.height} pixels, now {new.width} x {new.height}")
    # Another browser or font moves text by parts of a pixel, and may break a line elsewhere: take() has checked what is drawn.
    if new.texts != committed.texts:
        print(f"pixels are not compared: {committed_file} was drawn with {committed.texts}, now {new.texts}")
    else:
        before, now = shares(committed), shares(new)
        for color in now:
            was, here = share_near(before, color), share_near(now, color)
            if abs(was - here) > 0.002 + 0.2 * here:
                faults.append(f"colour #{color.hex()}: {was:.2%} of the picture, now {here:.2%}")
        tiles = differing(new, committed) if not faults else []
        if tiles:
            faults.append(f"{len(tiles)} places differ, the first at {tiles[0]}")
    for fault in faults:
        print(f"FAILED: {committed_file}: {fault}; make it again with ci/scripts/readme_picture.sh", file=sys.stderr)
    sys.exit(1 if faults else 0)


{"take": take, "compare": compare}[sys.argv[1]](*sys.argv[2:])
