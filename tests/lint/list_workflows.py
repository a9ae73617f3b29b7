# SPDX-License-Identifier: Apache-2.0
"""list_workflows.py ROOT WORK: prints KIND<TAB>PATH of each file that check_workflows.sh hands to other tools. Workflows in pages and run
blocks are written to files below WORK, whose names say where they stand."""
import pathlib
import re
import sys

from workflow_files import blocks_of, find_files


def main():
    root, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    try:
        files = find_files(root, work)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    for file in files:
        print(f"{file.kind}\t{file.path}")
        for block in blocks_of(file):
            name = re.sub(r"[^\w.-]+", "-", block.title.replace(": ", ":"))
            path = work / "blocks" / f"{name}.sh"
            path.parent.mkdir(parents=True, exist_ok=True)
            first = "" if block.text.startswith("#!") else "#!/usr/bin/env bash\n"
            path.write_text(f"{first}{block.text}\n", encoding="utf-8")
            print(f"block\t{path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
