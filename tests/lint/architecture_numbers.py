#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How large and how entangled the product is, as numbers that may not grow.

    tests/lint/architecture_numbers.py [--update] [ROOT]

Reads the files that git knows. architecture_numbers.txt beside this script has a limit for each number: a number above its limit is exit code 1;
--update writes lower limits where numbers fell, never higher ones. To raise a limit, change the file by hand and give the reason in the commit.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

AREAS = ("stats", "harness", "baselines", "reports", "ci", "suites")
SOURCE = (".cpp", ".hpp", ".cu")


def unit_of(path):
    """A header and its source are one unit."""
    return re.sub(r"\.(cpp|hpp|cu)$", "", path)


def strongly_connected(graph):
    """Tarjan's algorithm, without recursion: in the order in which they can be compiled."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(graph.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found.append(stack[at:])
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
    return found


def floors(components, graph):
    """The longest chain of units that include each other."""
    height = {}
    for component in components:
        below = [height[target] for unit in component for target in graph[unit] if target not in component]
        for unit in component:
            height[unit] = 1 + max(below, default=0)
    return max(height.values(), default=0)


class Product:
    def __init__(self, root):
        names = subprocess.run(["git", "-C", str(root), "ls-files"], check=True, text=True, stdout=subprocess.PIPE).stdout.split("\n")
        self.text = {name: (root / name).read_text() for name in names
                     if name.split("/")[0] in AREAS and name.endswith(SOURCE) and (root / name).is_file()}

    def under(self, folder):
        return {name: text for name, text in self.text.items() if name.startswith(folder + "/")}

    def lines(self, folder):
        return sum(text.count("\n") for text in self.under(folder).values())

    def uses(self, pattern, folder):
        return sum(len(re.findall(pattern, text)) for text in self.under(folder).values())

    def graph(self, folder=""):
        units = collections.defaultdict(set)
        for name, text in self.text.items():
            if not name.startswith(folder):
                continue
            unit = unit_of(name)
            targets = {unit_of(target) for target in re.findall(r'^#include "([^"]+)"', text, re.M) if target.startswith(folder)}
            units[unit] |= targets - {unit}
        for target in [each for targets in list(units.values()) for each in targets]:
            units.setdefault(target, set())
        return units

    def repeated_names(self):
        """Base names of two units. Commands are named as what they do; groups of different suites are different programs."""
        units = collections.defaultdict(set)
        for name in self.text:
            if not name.startswith(("ci/cli/commands/", "suites/")):
                units[os.path.basename(unit_of(name))].add(unit_of(name))
        return {name: places for name, places in units.items() if len(places) > 1}


def numbers_of(product):
    graph, gate = product.graph(), product.graph("ci/gate/")
    cycles = [each for each in strongly_connected(graph) if len(each) > 1]
    workflow = collections.Counter(os.path.dirname(name) for name in product.under("ci/workflow"))
    repeated = product.repeated_names()
    return {
        "product lines": (sum(text.count("\n") for text in product.text.values()), []),
        "ci/gate files": (len(product.under("ci/gate")), []),
        "ci/gate lines": (product.lines("ci/gate"), []),
        "ci/gate floors": (floors(strongly_connected(gate), gate), []),
        "ci/gate sentences (fmt::format)": (product.uses(r"fmt::format\(", "ci/gate"), []),
        "ci/workflow files in one room": (max(workflow.values(), default=0), []),
        "ci/workflow lines": (product.lines("ci/workflow"), []),
        "harness/record files": (len(product.under("harness/record")), []),
        "harness/record lines": (product.lines("harness/record"), []),
        "keys read by hand (key ==)": (sum(product.uses(r"\bkey == ", area) for area in AREAS), []),
        "files with nlohmann": (sum("#include <nlohmann" in text for text in product.text.values()), []),
        "unit cycles": (len(cycles), [" ".join(sorted(each)) for each in cycles]),
        "base names used twice": (len(repeated), [" ".join(sorted(places)) for places in repeated.values()]),
    }


def read_limits(file):
    limits = {}
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            name, limit = line.rsplit(None, 1)
            limits[name.strip()] = int(limit)
    return limits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    file = arguments.root / "tests/lint/architecture_numbers.txt"
    limits, numbers = read_limits(file), numbers_of(Product(arguments.root))
    failed = sorted(limits.keys() ^ numbers.keys())
    for name in failed:
        print(f"{name}: in one of architecture_numbers.py and architecture_numbers.txt only; add or remove it")
    for name, (value, examples) in numbers.items():
        limit = limits.get(name, value)
        print(f"{name:34} {value:7} of at most {limit}")
        if value > limit:
            failed.append(name)
            print("".join(f"    {example}\n" for example in examples), end="")
            print(f"    {name}: grew from {limit} to {value}; write it with less, or raise the limit with the reason in the commit")
    if arguments.update and not failed:
        head = [line for line in file.read_text().splitlines() if line.startswith("#")]
        rows = [f"{name:34} {min(value, limits[name])}" for name, (value, _) in numbers.items()]
        file.write_text("\n".join([*head, *rows, ""]))
    sys.exit(1 if failed else 0)


main()
