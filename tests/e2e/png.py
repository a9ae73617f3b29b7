# SPDX-License-Identifier: Apache-2.0
"""Pictures as PNG files (ISO/IEC 15948), with Python's own library only: 8 bits, not interlaced; written with a palette."""
import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 3: 1, 6: 4}  # of the colour types RGB, palette and RGBA


class Picture:
    """rows: bytes of red, green and blue, one after the other."""

    def __init__(self, width, rows, texts=None):
        self.width, self.height, self.rows, self.texts = width, len(rows), rows, texts or {}

    def pixel(self, x, y):
        return self.rows[y][3 * x:3 * x + 3]

    def colors(self):
        return collections.Counter(row[i:i + 3] for row in self.rows for i in range(0, 3 * self.width, 3))


def _chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def _paeth(line, above, step):
    for i in range(step):
        line[i] = (line[i] + above[i]) & 255
    for i in range(step, len(line)):
        left, up, corner = line[i - step], above[i], above[i - step]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        guess = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        line[i] = (line[i] + guess) & 255
    return line


def _unfiltered(line, kind, above, step):
    if kind == 0:
        return line
    if kind == 2:
        return bytearray((a + b) & 255 for a, b in zip(line, above))
    if kind == 4:
        return _paeth(line, above, step)
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        line[i] = (line[i] + (left if kind == 1 else (left + above[i]) // 2)) & 255
    return line


def read(data):
    """A Picture of the bytes of a file; what is seen through is left as it is."""
    if not data.startswith(SIGNATURE):
        raise ValueError("not a PNG file")
    packed, palette, texts = b"", b"", {}
    for kind, content in _chunks(data):
        if kind == b"IHDR":
            width, height, bits, color, _, _, interlaced = struct.unpack(">IIBBBBB", content)
        elif kind == b"PLTE":
            palette = content
        elif kind == b"tEXt":
            key, text = content.split(b"\0", 1)
            texts[key.decode("latin-1")] = text.decode("latin-1")
        elif kind == b"IDAT":
            packed += content
    if bits != 8 or interlaced or color not in CHANNELS:
        raise ValueError(f"PNG of {bits} bits, colour type {color}: not read here")
    step, raw, rows = CHANNELS[color], zlib.decompress(packed), []
    length, line = step * width, bytearray(step * width)
    for y in range(height):
        at = y * (length + 1)
        line = _unfiltered(bytearray(raw[at + 1:at + 1 + length]), raw[at], line, step)
        if color == 3:
            rows.append(b"".join(palette[3 * i:3 * i + 3] for i in line))
        elif color == 6:
            row = bytearray(3 * width)
            row[0::3], row[1::3], row[2::3] = line[0::4], line[1::4], line[2::4]
            rows.append(bytes(row))
        else:
            rows.append(bytes(line))
    return Picture(width, rows, texts)


def _distance(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other))


def _palette(counts, most):
    """The most frequent colours that look different: the shades at the edges of text are many, a thin line in a colour of its own is rare."""
    unlike = 3 * 12 ** 2
    palette = []
    for color, _ in counts.most_common():
        if len(palette) < most and all(_distance(color, other) > unlike for other in palette):
            palette.append(color)
    chosen = set(palette)
    return palette + [color for color, _ in counts.most_common() if color not in chosen][:most - len(palette)]


def written(picture, colors):
    """The bytes of a file with COLORS (256 at most) of the picture, and the nearest of them for each other one."""
    counts = picture.colors()
    palette = _palette(counts, colors)
    nearest = {color: index for index, color in enumerate(palette)}
    for color in counts:
        if color not in nearest:
            nearest[color] = min(range(len(palette)), key=lambda i: _distance(color, palette[i]))
    lines = b"".join(b"\0" + bytes(nearest[row[i:i + 3]] for i in range(0, len(row), 3)) for row in picture.rows)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 3, 0, 0, 0)
    texts = b"".join(chunk(b"tEXt", f"{key}\0{text}".encode("latin-1", "replace")) for key, text in sorted(picture.texts.items()))
    return SIGNATURE + chunk(b"IHDR", head) + texts + chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
