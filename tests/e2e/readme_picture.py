#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""readme_picture.py take PAGE PICTURE: the top of an HTML report in a browser, as a PNG file of at most 150 kB.
readme_picture.py compare NEW COMMITTED: whether two such pictures show the same. Where fonts or the browser differ, their sizes only.

No picture is written unless its headline, the intervals and marks of the forest and the lines of the gate are drawn. It is run by Debian's Python,
which has Pillow (python3-pil)."""
import base64
import io
import sys

from PIL import Image, ImageChops, PngImagePlugin

from browser import Browser

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
        seen = [near(picture.getpixel((x, y)), wanted, 24) for y in range(top, bottom) for x in range(left, right)]
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


def read(data):
    """Pixels of red, green and blue, and the texts that the file has beside them."""
    picture = Image.open(io.BytesIO(data))
    texts = dict(picture.text)
    return picture.convert("RGB"), texts


def written(picture, colors, texts):
    """The bytes of a file with COLORS (256 at most) of the picture. Those that look different are kept: the shades at the edges of text are many, a
    thin line in a colour of its own is rare."""
    info, data = PngImagePlugin.PngInfo(), io.BytesIO()
    for key, text in sorted(texts.items()):
        info.add_text(key, text)
    few = picture.quantize(colors, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(data, "PNG", optimize=True, pnginfo=info)
    return data.getvalue()


def take(page, target):
    browser = Browser()
    try:
        browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=SCALE, mobile=False)
        browser.media("light")
        browser.open(page)
        browser.run("document.fonts.ready.then(() => true)")
        places, fonts = browser.run(DRAWN), fonts_of(browser)
        version = browser.call("Browser.getVersion", _session=None)["product"]
        picture, _ = read(base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"]))
    finally:
        browser.close()
    if (picture.width, picture.height) != (SCALE * WIDTH, SCALE * HEIGHT):
        raise SystemExit(f"readme_picture.py: the browser made {picture.width} x {picture.height} pixels")
    check_drawn(picture, places)
    for colors in PALETTES:
        data = written(picture, colors, {"Fonts": fonts, "Browser": version})
        if len(data) <= MOST_BYTES:
            break
    else:
        raise SystemExit(f"readme_picture.py: {len(data)} bytes with {colors} colours, more than {MOST_BYTES}; make the window smaller (HEIGHT)")
    check_drawn(read(data)[0], places)
    with open(target, "wb") as file:
        file.write(data)
    print(f"{target}: {picture.width} x {picture.height} pixels, {colors} colours, {len(data):,} bytes; fonts: {fonts}")


def shares(picture):
    """Of the colours of surfaces, lines and marks: those that have at least a thousandth of the picture. Text is of many colours."""
    pixels = picture.width * picture.height
    return {color: count / pixels for count, color in picture.getcolors(pixels) if count >= pixels / 1000}


def share_near(picture_shares, color):
    return sum(share for other, share in picture_shares.items() if near(color, other, 12))


def differing(new, committed):
    """Where more than a twentieth of a tile is visibly different: another digit is, a letter with softer edges is not."""
    visible = ImageChops.difference(new, committed).point(lambda distance: 255 if distance > 64 else 0)
    red, green, blue = visible.split()
    any_channel = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    tiles = [(x, y) for x in range(0, new.width, TILE) for y in range(0, new.height, TILE)]
    return [(x, y) for x, y in tiles if any_channel.crop((x, y, x + TILE, y + TILE)).histogram()[255] > TILE * TILE / 20]


def compare(new_file, committed_file):
    pictures = []
    for name in (new_file, committed_file):
        with open(name, "rb") as file:
            data = file.read()
        if len(data) > MOST_BYTES:
            raise SystemExit(f"readme_picture.py: {name} has {len(data)} bytes, more than {MOST_BYTES}")
        pictures.append(read(data))
    (new, new_texts), (committed, committed_texts) = pictures
    faults = []
    if (new.width, new.height) != (committed.width, committed.height):
        faults.append(f"{committed.width} x {committed.height} pixels, now {new.width} x {new.height}")
    # Another browser or font moves text by parts of a pixel, and may break a line elsewhere: take() has checked what is drawn.
    if new_texts != committed_texts:
        print(f"pixels are not compared: {committed_file} was drawn with {committed_texts}, now {new_texts}")
    else:
        before, now = shares(committed), shares(new)
        for color in now:
            was, here = share_near(before, color), share_near(now, color)
            if abs(was - here) > 0.002 + 0.2 * here:
                faults.append(f"colour #{bytes(color).hex()}: {was:.2%} of the picture, now {here:.2%}")
        tiles = differing(new, committed) if not faults else []
        if tiles:
            faults.append(f"{len(tiles)} places differ, the first at {tiles[0]}")
    for fault in faults:
        print(f"FAILED: {committed_file}: {fault}; make it again with ci/scripts/readme_picture.sh", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    {"take": take, "compare": compare}[sys.argv[1]](*sys.argv[2:])
