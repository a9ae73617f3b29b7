#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_zips.py FOLDER: writes FOLDER/good/*.zip and FOLDER/hostile/*.zip; beside each hostile one, in .reason, a part of the
message that it has to be refused with. Python's zipfile makes what it can, the rest is patched or written field by field."""
import io
import os
import stat
import struct
import sys
import warnings
import zipfile
import zlib

JSON = b'{"schema":"torchgate.run/1"}'
MIB = 1 << 20
warnings.simplefilter("ignore")  # zipfile warns about duplicates


class Pipe(io.RawIOBase):
    """Cannot seek, so zipfile writes data descriptors."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def made(entries, method=zipfile.ZIP_DEFLATED, level=9, out=None):
    out = out or io.BytesIO()
    with zipfile.ZipFile(out, "w", method, compresslevel=level) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue() if isinstance(out, io.BytesIO) else out.data


def with_info(name, content, **fields):
    """One entry whose ZipInfo has FIELDS."""
    info = zipfile.ZipInfo(name)
    for key, value in fields.items():
        setattr(info, key, value)
    return made([("run.json", JSON), (info, content)])


def central(name, crc, packed, size, offset):
    return struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, packed, size, len(name), 0, 0, 0, 0, 0,
                       offset) + name


def local(name, crc, packed, size):
    return struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, packed, size, len(name), 0) + name


def end(count, size, offset):
    return struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, min(count, 0xffff), min(count, 0xffff), size, offset, 0)


def deflated(content, level=9):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def overlapping(count, kernel_bytes):
    """Every entry of the directory has the same compressed bytes: small file, COUNT times the content."""
    content = b"a" * kernel_bytes
    packed = deflated(content)
    crc = zlib.crc32(content)
    first = local(b"0.json", crc, len(packed), len(content)) + packed
    directory = b"".join(central(b"%d.json" % i, crc, len(packed), len(content), 0) for i in range(count))
    return first + directory + end(count, len(directory), len(first))


def quoting(count):
    """David Fifield's bomb: each entry begins with a stored block that quotes the next local header."""
    content = os.urandom(1 << 16)
    tail = deflated(content, 0)
    crcs, parts, after = [], [], content
    headers, bodies = [], [tail]
    total = content
    for i in reversed(range(count)):
        name = b"%d.json" % i
        header = local(name, zlib.crc32(total), sum(map(len, bodies)), len(total))
        headers.insert(0, (name, header, zlib.crc32(total), sum(map(len, bodies)), len(total)))
        bodies.insert(0, header)
        total = header + total
        bodies.insert(0, b"\0" + struct.pack("<HH", len(header), 0xffff ^ len(header)))
    data = b"".join(bodies[1:])
    directory, offset = b"", 0
    for name, header, crc, packed, size in headers:
        directory += central(name, crc, packed, size, offset)
        offset += len(header) + 5
    return data + directory + end(count, len(directory), len(data))


def zip64_count(count):
    """The end record says one entry, its zip64 record COUNT."""
    data = made([("run.json", JSON)])
    at = data.rindex(b"PK\5\6")
    size, offset = struct.unpack("<2L", data[at + 12:at + 20])
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, at, 1)
    return data[:at] + record + locator + data[at:]


def patched(data, signature, offset, value, size):
    """FIELD at OFFSET of the last header with SIGNATURE is VALUE."""
    at = data.rindex(signature) + offset
    return data[:at] + value.to_bytes(size, "little") + data[at + size:]


def good():
    yield "python", made([("run.json", JSON), ("a" * 64 + ".samples", os.urandom(1 << 16)), ("commit", b"c" * 40)])
    yield "stored", made([("run.json", JSON)], zipfile.ZIP_STORED)
    yield "pipe", made([("run.json", JSON), ("pairs-1.json", b"{}" * 100)], out=Pipe())
    yield "largest", made([("run.json", JSON), ("a" * 64 + ".samples", os.urandom(63 * MIB))], zipfile.ZIP_STORED)
    info = zipfile.ZipInfo("run.json")
    info.external_attr = (stat.S_IFREG | 0o6777) << 16
    yield "executable", made([(info, JSON)])


def hostile():
    zeros = b"\0" * (60 * MIB)
    two = made([("run.json", JSON), ("pairs.json", JSON)], zipfile.ZIP_STORED)
    yield "ratio", made([("run.json", zeros)]), "beyond the limit of 100 to 1"
    nested = made([("run.json", made([("inner.zip", zeros)]))])
    yield "nested", made([("bomb.zip", nested)]), "name not allowed"
    nested_as_json = made([("bomb.json", made([("bomb.json", zeros)], zipfile.ZIP_DEFLATED))])
    yield "nested_as_json", nested_as_json, "beyond the limit of 100 to 1"
    yield "overlapping", overlapping(200, 1 << 20), "the limit of 100 to 1"
    yield "overlapping_mild", overlapping(100, 400), "overlaps another entry"
    yield "overlapping_many", overlapping(60000, 1 << 20), "60000 entries, more than the limit of 200"
    yield "quoting", quoting(150), "overlaps another entry"
    yield "total", made([(f"{i}.json", os.urandom(1 << 14) + b"a" * MIB) for i in range(80)]), "in all files together"
    yield "entries", made([(f"{i}.json", b"") for i in range(100000)]), "100000 entries, more than the limit of 200"
    yield "entries_zip64", zip64_count(1 << 40), "the zip64 end record contradicts"
    yield "file", made([("run.json", os.urandom(66 * MIB))], zipfile.ZIP_STORED), "larger than the limit of 67108864 bytes"
    for number, kind in enumerate((stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK)):
        yield f"special_{number}", with_info("link.json", b"/etc/passwd", create_system=3,
                                             external_attr=(kind | 0o777) << 16), "not a regular file"
    for number, name in enumerate(("../escaped.json", "/tmp/escaped.json", "a/../../escaped.json", "..\\escaped.json", "..", "a/",
                                   "x.sh", ".git", "torchgate.toml", "\x1b]0;x\x07.json")):
        yield f"name_{number}", made([("run.json", JSON), (name, JSON)]), "name not allowed in an artifact"
    yield "duplicate", made([("run.json", JSON), ("run.json", b"{}")]), 'duplicate entry "run.json"'
    yield "case", made([("run.json", JSON), ("Run.json", b"{}")]), 'entry 2 "Run.json": name not allowed'
    deflate = made([("run.json", bytes(range(256)) * 8)])
    lying = patched(patched(deflate, b"PK\1\2", 24, 300, 4), b"PK\3\4", 22, 300, 4)
    yield "lying_small", lying, "inflates to more than the 300 bytes that it declares"
    yield "lying_local", patched(deflate, b"PK\3\4", 22, 300, 4), "local header contradicts"
    yield "lying_large", patched(deflate, b"PK\1\2", 24, 0xfffffff0, 4), "more than the limit of 67108864"
    bomb = made([("run.json", zeros)])
    yield "lying_bomb", patched(patched(bomb, b"PK\1\2", 24, 9, 4), b"PK\3\4", 22, 9, 4), "inflates to more than the 9 bytes"
    yield "crc", patched(patched(deflate, b"PK\1\2", 16, 1, 4), b"PK\3\4", 14, 1, 4), "does not match its CRC"
    yield "encrypted", patched(patched(deflate, b"PK\1\2", 8, 1, 2), b"PK\3\4", 6, 1, 2), "encrypted"
    yield "bzip2", made([("run.json", JSON)], zipfile.ZIP_BZIP2), "compression method 12"
    yield "lzma", made([("run.json", JSON)], zipfile.ZIP_LZMA), "compression method 14"
    yield "other_name", two.replace(b"pairs.json", b"other.json", 1), "name in the local header contradicts"
    yield "appended", two + made([("run.json", b"{}")]), "does not end where the end record begins"
    yield "prepended", made([("run.json", b"{}")]) + two, "does not end where the end record begins"
    yield "trailing", two + b"\0", "after its end record"
    yield "truncated", two[:-1], "not a zip file"
    yield "empty", b"", "not a zip file"
    yield "no_entries", made([]), "no entries"
    yield "text", b"<html>not found</html>" * 10, "not a zip file"


def main():
    folder = sys.argv[1]
    for kind in ("good", "hostile"):
        os.makedirs(os.path.join(folder, kind))
    for name, data in good():
        with open(os.path.join(folder, "good", name + ".zip"), "wb") as file:
            file.write(data)
    for name, data, reason in hostile():
        path = os.path.join(folder, "hostile", name)
        with open(path + ".zip", "wb") as file:
            file.write(data)
        with open(path + ".reason", "w", encoding="utf-8") as file:
            file.write(reason)


if __name__ == "__main__":
    main()
