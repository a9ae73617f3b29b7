#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The SBOM of the released program (CycloneDX 1.6): what is inside one file that asks for no library but the C library.

    ci/scripts/sbom.py --program FILE --version V --commit HASH --date SECONDS --sysroot DIR --inputs DIR -o SBOM [--licences FILE]

The components are the rows "# +" of cmake/torchgate_dependencies.cmake, their versions those of DIR/versions.tsv (portable_sysroot.sh).
--inputs has what the build read: torchgate.map of the linker, deps.txt of `ninja -t deps` and embedded.txt of CMake. A file of a package without a row, and a row
of which nothing was read, are errors. --licences writes the packages' licence texts, one after the other.

Exit code: 0, 1 when rows and inputs disagree, 2 when a file is missing or unreadable. Needs no Python packages."""
import argparse
import collections
import datetime
import hashlib
import json
import pathlib
import re
import sys
import urllib.parse
import uuid

TABLE = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "torchgate_dependencies.cmake"
# Files of these are read from beside the compiler, not from the system root.
COMPILER = "compiler"
Row = collections.namedtuple("Row", "what package licence page")
Package = collections.namedtuple("Package", "version distribution")


def give_up(code, sentence):
    print(f"sbom.py: {sentence}", file=sys.stderr)
    raise SystemExit(code)


def table_rows(table):
    text = table.read_text()
    known = {line.split("|")[1].strip() for line in text.splitlines() if line.startswith("# |")}
    for line in text.splitlines():
        if not line.startswith("# +"):
            continue
        cells = [cell.strip() for cell in line[3:].split("|")]
        if len(cells) != len(Row._fields):
            give_up(2, f"{table.name}: the row of '{cells[0]}' lacks a column (what | package | licence | page)")
        if cells[0] == "what":
            continue
        if cells[0] not in {*known, COMPILER}:
            give_up(1, f"{table.name}: '{cells[0]}' is in the program, but the table above does not list it; add its row")
        yield Row(*cells)


def tab_separated(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def files_read(inputs, sysroot):
    """Headers that the compiler read, and members of libraries and start files that the linker took; as (path, whether of the system root)."""
    compiled = re.findall(r"^ +(/\S+)$", (inputs / "deps.txt").read_text(), re.MULTILINE)
    linked_map = (inputs / "torchgate.map").read_text()
    linked = re.findall(r"^(/\S+\.a)\(", linked_map, re.MULTILINE) + re.findall(r"^LOAD (/\S+\.o)$", linked_map, re.MULTILINE)
    if not compiled or not linked:
        give_up(2, f"{inputs}: torchgate.map or deps.txt names no file; build the program again")
    # Files that the program carries in itself; CMake lists them (torchgate_embed.cmake).
    embedded = inputs / "embedded.txt"
    carried = embedded.read_text().split() if embedded.exists() else []
    root = str(sysroot.resolve())
    for path in {*compiled, *linked, *carried}:
        path = pathlib.os.path.normpath(path)
        if path.startswith(root + "/"):
            yield path[len(root):], True
        else:
            yield path, False


def check_inside(rows, inputs, sysroot, source):
    """Complains where the rows and what the build read differ. Files of this project and generated ones belong to no package."""
    packages = dict(tab_separated(sysroot / "packages.tsv"))
    compiler = {row.package for row in rows if row.what == COMPILER}
    own = tuple(f"{pathlib.os.path.normpath(folder)}/" for folder in (source, inputs))
    read, failed = collections.Counter(), False
    for path, of_sysroot in sorted(files_read(inputs, sysroot)):
        package = packages.get(path) or packages.get(path.replace("/usr", "", 1))
        if not of_sysroot and path.startswith(own):
            continue
        if not package or (not of_sysroot and package not in compiler):
            print(f"sbom.py: {path} is in the program, but of no package of {TABLE.name}; add its row (# +)", file=sys.stderr)
            failed = True
        else:
            read[package] += 1
    for row in rows:
        if not read[row.package]:
            print(f"sbom.py: nothing of {row.package} is in the program; remove its row (# +) from {TABLE.name}", file=sys.stderr)
            failed = True
    if failed:
        raise SystemExit(1)
    return read


def licence_of(expression):
    return [{"expression": expression}] if " " in expression else [{"license": {"id": expression}}]


def component(row, package):
    number = urllib.parse.quote(package.version, safe="")
    purl = f"pkg:deb/debian/{row.package}@{number}?arch=amd64&distro={package.distribution}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": row.package if row.what == COMPILER else row.what.strip("{}"),
        "version": package.version,
        "licenses": licence_of(row.licence),
        "purl": purl,
        "externalReferences": [{"type": "website", "url": row.page}],
    }


def bill(rows, packages, arguments):
    sha256 = hashlib.sha256(arguments.program.read_bytes()).hexdigest()
    program = {
        "type": "application",
        "bom-ref": f"torchgate@{arguments.version}",
        "name": "torchgate",
        "version": arguments.version,
        "description": "one program for Linux x86_64, glibc 2.31 and newer",
        "hashes": [{"alg": "SHA-256", "content": sha256}],
        "licenses": licence_of("Apache-2.0"),
        "properties": [{"name": "torchgate:commit", "value": arguments.commit}],
    }
    components = [component(row, packages[row.package]) for row in rows]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same for the same program: a second build writes the same file.
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"torchgate sha256:{sha256}").urn,
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(arguments.date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "lifecycles": [{"phase": "build"}],
            "component": program,
        },
        "components": components,
        "dependencies": [{"ref": program["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}],
    }


def licence_texts(rows, sysroot):
    yield "The program torchgate contains the following software.\n"
    for row in rows:
        text = (sysroot / "copyright" / row.package).read_text()
        yield f"\n{'=' * 100}\n{row.package} ({row.licence}), {row.page}\n{'=' * 100}\n\n{text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--program", "--sysroot", "--inputs", "-o"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--source", type=pathlib.Path, default=TABLE.parents[1])
    parser.add_argument("--licences", type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--date", type=int, required=True, help="of the commit, seconds since 1970")
    arguments = parser.parse_args()
    try:
        rows = list(table_rows(arguments.table))
        packages = {name: Package(*rest) for name, *rest in tab_separated(arguments.sysroot / "versions.tsv")}
        if missing := [row.package for row in rows if row.package not in packages]:
            give_up(2, f"{arguments.sysroot}/versions.tsv lacks {', '.join(missing)}; run ci/scripts/portable_sysroot.sh again")
        read = check_inside(rows, arguments.inputs, arguments.sysroot, arguments.source)
        arguments.o.write_text(json.dumps(bill(rows, packages, arguments), indent=2) + "\n")
        if arguments.licences:
            arguments.licences.write_text("".join(licence_texts(rows, arguments.sysroot)))
    except OSError as error:
        give_up(2, f"{error.filename}: {error.strerror}; make it with ci/scripts/release.sh")
    print(f"{arguments.o}: {len(rows)} components, of which the build read {sum(read.values())} files")


if __name__ == "__main__":
    main()
