#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Over 400 lines because a third of it is the program that it edits, which stands beside the edits that name its lines.
"""Edits a small program with two libraries in many ways, and prints what the comparison of functions says of each edit beside what is true.

  tests/studies/edit_study.py --compare build/ci/tests/harness/code/compare_code [--edits 200] [--seed 1] [--cxx g++] [--keep DIR]

Every edit is built, run once in Callgrind, and compared with the program before it, function by function, over the functions that one of both
executed. What is true is known from how the edit was made; of changed flags, from what objdump shows of the object files.
Exit code: 0 no edit that changes executed code was called identical, 1 one was, 2 wrong usage or a failed build.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

NUMBERS = r"""
#include "numbers.h"
static const int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static const double weights[4] = {0.25, 0.5, 0.75, 1.0};
int start_value = 17;
thread_local int per_thread = 5;
static int helper(int x) { return x * 7 + 1; }
//@
int times_three(int x) { return x * 3 + helper(x); }
//@
int plus_nine(int x) { return (x + 9) ^ helper(x); }
//@
static int (*const steps[2])(int) = {times_three, plus_nine};
//@
int lookup(int from, int to) {
  int sum = start_value;
  for (int i = from; i <= to; ++i) sum += table[(i - 1) & 15] * i;
  return sum;
}
//@
double weighted(double x) {
  double sum = 2.5;
  for (int i = 0; i < 4; ++i) sum = sum * weights[i] + x;
  return sum;
}
//@
int choose(int which, int x) {
  switch (which) {
    case 0: return x + 11;
    case 1: return x * x;
    case 2: return x - lookup(1, 3);
    case 3: return x ^ 0x55;
    case 4: return times_three(x);
    case 5: return plus_nine(x);
    case 6: return x / 3;
    case 7: return x % 5;
    default: return 0;
  }
}
//@
int apply_steps(int x) {
  for (int i = 0; i < 6; ++i) x = steps[i & 1](x) + per_thread;
  return x;
}
//@
static int seed_of_start() { return 40 + 2; }
int computed_at_start = seed_of_start();
int with_start(int x) { return x + computed_at_start; }
//@
int rarely(int x) {
  if (x == 123456) return lookup(x, x + 1) * 3;
  return x - 1;
}
//@
static int spare_helper(int x) { return x * 1001; }
int never_called(int x) {
  int s = 0;
  for (int i = 0; i < x; ++i) s += spare_helper(i) ^ table[i & 7];
  return s;
}
//@
"""

TEXT = r"""
#include "numbers.h"
#include <cstring>
static int helper(int x) { return x * 5 - 2; }
static char buffer[256];
int bytes_written = 0;
struct Small { int x; };
struct Large { int x; };
//@
struct Shape { virtual ~Shape() {} virtual int area(int x) const; virtual int edge(int x) const; };
struct Square : Shape { int area(int x) const override; };
//@
int Shape::area(int x) const { return x; }
int Shape::edge(int x) const { return x + helper(x); }
int Square::area(int x) const { return x * x; }
//@
static Square square;
Shape* shape() { return &square; }
int total_area(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += shape()->area(i) + shape()->edge(i);
  return sum;
}
//@
int write_text(int n) {
  const char* const word = n & 1 ? "a first text of some length" : "another text, which is longer than the first one";
  std::strcpy(buffer, word);
  bytes_written += static_cast<int>(std::strlen(buffer));
  return bytes_written;
}
//@
unsigned hash_text(const char* text) {
  unsigned h = 2166136261u;
  for (; *text != 0; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 16777619u;
  return h;
}
//@
unsigned hash_known() { return hash_text("to be hashed") + hash_text(buffer); }
//@
__attribute__((noinline)) int throws(int x) {
  if (x % 7 == 3) throw Small{x};
  return x + 1;
}
//@
int guarded(int x) {
  try {
    return throws(x);
  } catch (const Small&) {
    return -2;
  } catch (...) {
    return -3;
  }
}
//@
__attribute__((noinline)) static int thrice(int x) { return throws(x * 7) * 3; }
int passes(int x) { return thrice(x) + 1; }
//@
int never_written(int x) {
  std::strcpy(buffer, "this is never written by anybody");
  return x + buffer[2];
}
//@
"""

MAIN = r"""
#include <cstdio>
#include "numbers.h"
static int rounds = 40;
//@
template <int N> static int repeat(int x) {
  for (int i = 0; i < N; ++i) x = choose(i & 7, x);
  return x;
}
//@
static int one_round(int i) {
  int x = lookup(1, 20 + i) + static_cast<int>(weighted(i));
  x += repeat<6>(i) + apply_steps(i) + with_start(i) + rarely(i);
  x += bytes_written + total_area(5) + write_text(i) + static_cast<int>(hash_known()) + guarded(i) + passes(i);
  return x;
}
//@
int unused_in_main(int x) { return x * 77 + rounds; }
//@
int main() {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += one_round(i);
  return sum == 0;
}
"""

HEADER = """#pragma once
int times_three(int x); int plus_nine(int x); int lookup(int from, int to); double weighted(double x); int choose(int which, int x);
int apply_steps(int x); int with_start(int x); int rarely(int x); int never_called(int x); int total_area(int n); int write_text(int n);
unsigned hash_text(const char* text); unsigned hash_known(); int never_written(int x);
int throws(int x); int guarded(int x); int passes(int x);
extern int start_value; extern int bytes_written;
"""

FILES = {"numbers.cpp": NUMBERS, "text.cpp": TEXT, "main.cpp": MAIN}
FLAGS = ["-O2", "-fPIC"]


@dataclasses.dataclass
class Edit:
    kind: str
    truth: str  # "same", "changed", or "flags": objdump says
    files: dict
    flags: list = dataclasses.field(default_factory=lambda: list(FLAGS))
    link: list = dataclasses.field(default_factory=list)


def at_mark(random_, text, addition):
    """ADDITION in the place of a random mark, which stays behind it."""
    places = [m.start() for m in re.finditer("//@", text)]
    place = random_.choice(places)
    return text[:place] + addition + "\n" + text[place:]


def pieces(text):
    return text.split("//@\n")


def replaced(name, old, new, count=1):
    assert old in FILES[name], (name, old)
    return {**FILES, name: FILES[name].replace(old, new, count)}


REAL = [  # file, old, new: all of it is executed
    ("table of numbers", "numbers.cpp", "{3, 1, 4, 1, 5", "{3, 1, 4, 2, 5"),
    ("first entry of a table", "numbers.cpp", "table[16] = {3,", "table[16] = {2,"),
    ("last entry of a table", "numbers.cpp", "7, 9, 3}", "7, 9, 4}"),
    ("table of floating-point numbers", "numbers.cpp", "0.75, 1.0", "0.875, 1.0"),
    ("floating-point literal", "numbers.cpp", "sum = 2.5", "sum = 2.25"),
    ("initial value of a variable of another file", "text.cpp", "bytes_written = 0", "bytes_written = 3"),
    ("initial value of a variable", "numbers.cpp", "start_value = 17", "start_value = 18"),
    ("initial value of a thread-local variable", "numbers.cpp", "per_thread = 5", "per_thread = 6"),
    ("constant of a helper", "numbers.cpp", "x * 7 + 1", "x * 9 + 1"),
    ("other function is called", "numbers.cpp", "case 4: return times_three(x)", "case 4: return plus_nine(x)"),
    ("cases of a switch swapped", "numbers.cpp", "case 0: return x + 11;\n    case 1: return x * x;",
     "case 1: return x + 11;\n    case 0: return x * x;"),
    ("table of functions", "numbers.cpp", "{times_three, plus_nine}", "{plus_nine, times_three}"),
    ("what is computed at the start", "numbers.cpp", "return 40 + 2;", "return 40 + 3;"),
    ("one more case", "numbers.cpp", "case 7: return x % 5;", "case 7: return x % 5;\n    case 8: return x + 88;"),
    ("loop begins later", "numbers.cpp", "int i = from;", "int i = from + 1;"),
    ("order of operations", "numbers.cpp", "sum * weights[i] + x", "(sum + x) * weights[i]"),
    ("string literal", "text.cpp", "a first text of some length", "a first text of Some length"),
    ("longer string literal", "text.cpp", "to be hashed", "to be hashed, too"),
    ("overridden function", "text.cpp", "return x * x;", "return x * x + 1;"),
    ("override removed", "text.cpp", "struct Square : Shape { int area(int x) const override; };",
     "struct Square : Shape { int edge(int x) const override; int area(int x) const override; };\nint Square::edge(int x) const { return x + helper(x); }"),
    ("constant of a hash", "text.cpp", "2166136261u", "2166136263u"),
    ("number of rounds", "main.cpp", "rounds = 40", "rounds = 41"),
    ("argument of a template", "main.cpp", "repeat<6>", "repeat<7>"),
    ("argument of a call", "main.cpp", "lookup(1, 20 + i)", "lookup(1, 21 + i)"),
    ("branch that is rarely taken", "numbers.cpp", "x == 123456", "x == 123457"),
    ("inlined by an attribute", "numbers.cpp", "static int helper(int x)", "__attribute__((noinline)) static int helper(int x)"),
    ("type that is caught", "text.cpp", "catch (const Small&)", "catch (const Large&)"),
    ("no exception may leave a function", "text.cpp", "static int thrice(int x) {", "static int thrice(int x) noexcept {"),
    ("helper of the other file", "text.cpp", "x * 5 - 2", "x * 7 + 1"),
]

CHANGED_FLAGS = [["-O1"], ["-O3"], ["-Os"], ["-march=x86-64-v3"], ["-fno-plt"], ["-fwrapv"], ["-fno-inline"], ["-fno-strict-aliasing"],
                 ["-ffast-math"], ["-fno-omit-frame-pointer"], ["-fno-jump-tables"], ["-fcf-protection=none"], ["-funroll-loops"],
                 ["-fstack-protector-strong"], ["-fno-tree-vectorize"], ["-DNDEBUG"], ["-g"], ["-fno-asynchronous-unwind-tables"],
                 ["-falign-functions=64"], ["-falign-loops=32"], ["-falign-jumps=32"], ["-fno-schedule-insns2"], ["-fno-semantic-interposition"],
                 ["-ftls-model=initial-exec"], ["-mtune=skylake"]]
LINK_FLAGS = [["-Wl,-z,now"], ["-Wl,--build-id=sha1"], ["-Wl,-O2"], ["-Wl,--sort-section=name"], ["-Wl,-z,separate-code"], ["-rdynamic"]]


def make_edits(count, random_):
    names = list(FILES)
    edits = []

    def comment():
        name = random_.choice(names)
        return Edit("comment", "same", {**FILES, name: at_mark(random_, FILES[name], f"// a comment: {random_.random()}")})

    def lines():
        name = random_.choice(names)
        return Edit("blank lines", "same", {**FILES, name: "\n" * random_.randint(1, 9) + FILES[name]})

    def local_name():
        return Edit("renamed local variable", "same",
                    {**FILES, "numbers.cpp": re.sub(r"\bsum\b", random_.choice(["total", "s", "accumulated"]), FILES["numbers.cpp"])})

    def unused_name():
        return Edit("renamed function that is not executed", "same",
                    {**FILES, "numbers.cpp": FILES["numbers.cpp"].replace("spare_helper", f"spare_{random_.randint(1, 99)}")})

    def new_function():
        name, number = random_.choice(names), random_.randint(2, 999)
        body = random_.choice([
            f"int added_{number}(int x) {{ return x * {number} + 3; }}",
            f'const char* added_{number}() {{ return "some new text {number}"; }}',
            f"static const int rows_{number}[5] = {{1, 2, 3, {number}, 5}};\nint added_{number}(int i) {{ return rows_{number}[i]; }}",
            f"int added_{number} = {number}; int more_{number}[{number}];",
            f"struct Added{number} {{ virtual ~Added{number}() {{}} virtual int f() {{ return {number}; }} }};\n"
            f"void* added_{number}() {{ return new Added{number}; }}",
            f"double added_{number}(double x) {{ return x * {number}.125; }}"])
        return Edit("new code or data that is not used", "same", {**FILES, name: at_mark(random_, FILES[name], body)})

    def unexecuted():
        name, old, new = random_.choice([
            ("numbers.cpp", "return x * 1001;", "return x * 1003 + 1;"), ("numbers.cpp", "i < x; ++i) s +=", "i < x + 2; i += 2) s +="),
            ("text.cpp", "this is never written by anybody", "this is never written"), ("text.cpp", "x + buffer[2]", "x * 3 + buffer[4]"),
            ("main.cpp", "return x * 77 + rounds;", "return x * 77 - rounds / 3 + 9;")])
        return Edit("changed function that is not executed", "same", replaced(name, old, new))

    def moved():
        name = random_.choice(["numbers.cpp", "text.cpp"])
        parts = pieces(FILES[name])
        head, body, tail = parts[0], parts[1:-1], parts[-1]
        # What is used by the pieces behind it stays; the two first ones of numbers and of text.
        kept = 3 if name == "numbers.cpp" else 3
        order = body[kept:]
        random_.shuffle(order)
        return Edit("moved functions", "same", {**FILES, name: "//@\n".join([head, *body[:kept], *order, tail])})

    def linked():
        flags = random_.choice(LINK_FLAGS)
        return Edit("flags of the linker", "same", dict(FILES), list(FLAGS), flags)

    def flags():
        return Edit("flags of the compiler", "flags", dict(FILES), FLAGS + random_.choice(CHANGED_FLAGS))

    def real():
        what, name, old, new = random_.choice(REAL)
        return Edit("real change: " + what, "changed", replaced(name, old, new))

    def real_and_moved():
        edit, other = real(), new_function()
        changed = next(name for name in names if edit.files[name] != FILES[name])
        files = dict(edit.files)
        for name in names:
            if name != changed:
                files[name] = other.files[name]
        return Edit(edit.kind, "changed", files)

    # Each real change and each flag once, then by chance.
    for what, name, old, new in REAL:
        edits.append(Edit("real change: " + what, "changed", replaced(name, old, new)))
    for more in CHANGED_FLAGS:
        edits.append(Edit("flags of the compiler", "flags", dict(FILES), FLAGS + more))
    for more in LINK_FLAGS:
        edits.append(Edit("flags of the linker", "same", dict(FILES), list(FLAGS), more))
    makers = [comment, lines, local_name, unused_name, new_function, new_function, new_function, unexecuted, unexecuted, moved, moved, linked,
              flags, real, real_and_moved]
    random_.shuffle(edits)
    while len(edits) < count:
        edits.append(random_.choice(makers)())
    return edits[:count]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode not in (0, 1) or (done.returncode == 1 and "valgrind" not in str(command[0])):
        raise SystemExit(f"edit_study.py: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}{done.stdout}")
    return done.stdout


def build(edit, folder, cxx):
    folder.mkdir(parents=True)
    (folder / "numbers.h").write_text(HEADER)
    for name, text in edit.files.items():
        (folder / name).write_text(text)
        run(cxx, "-std=c++20", *edit.flags, "-c", name, "-o", name + ".o", cwd=folder)
    for library in ("numbers", "text"):
        run(cxx, "-shared", *edit.flags, *edit.link, f"{library}.cpp.o", "-o", f"lib{library}.so", cwd=folder)
    run(cxx, *edit.flags, *edit.link, "main.cpp.o", "-L.", "-ltext", "-lnumbers", "-Wl,-rpath,$ORIGIN", "-o", "program", cwd=folder)


def executed(folder):
    """Functions by object, by Callgrind."""
    run("valgrind", "--tool=callgrind", "--quiet", "--demangle=no", f"--callgrind-out-file={folder}/counted", folder / "program")
    functions, names, objects = collections.defaultdict(set), {}, {}
    current = ""

    def name_in(known, text):
        number, _, name = text.partition(" ")
        if name:
            known[number] = name
        return known[number]

    for line in (folder / "counted").read_text().splitlines():
        if line.startswith("ob="):
            current = pathlib.Path(name_in(objects, line[3:])).name
        elif line.startswith("cob="):
            name_in(objects, line[4:])
        elif line.startswith("fn="):
            functions[current].add(name_in(names, line[3:]))
        elif line.startswith("cfn="):
            name_in(names, line[4:])
    return functions


def disassembled(folder):
    """Function -> its instructions with relocations, without addresses and nops."""
    functions = {}
    for name in FILES:
        text = run("objdump", "-dr", "--no-show-raw-insn", folder / (name + ".o"))
        current = None
        for line in text.splitlines():
            head = re.match(r"[0-9a-f]+ <(.*)>:", line)
            if head:
                current = functions.setdefault(name + ":" + head[1], [])
            elif current is not None and line.strip() and not re.search(r"nop|xchg\s+%ax,%ax", line):
                line = re.sub(r"^\s*[0-9a-f]+:\s*", "", line)
                current.append(re.sub(r"\b[0-9a-f]+ <[^>]*>|\.LC\d+|0x[0-9a-f]+(?=\(%rip\))|[+-]0x[0-9a-f]+$", "", line).strip())
    return functions


def differs_in_objdump(before, after, names):
    was, is_ = disassembled(before), disassembled(after)
    return any(was.get(key) != is_.get(key) for key in set(was) | set(is_) if key.split(":", 1)[1] in names)


def judge(number, edit, base, base_functions, folder, arguments):
    build(edit, folder, arguments.cxx)
    functions = executed(folder)
    differences = []
    files = ("program", "libnumbers.so", "libtext.so")
    for name in files:
        both = sorted(each for each in base_functions[name] | functions[name] if not each.startswith(("0x", "(", "???")))
        beside = [part for other in files if other != name for part in ("--beside", base / other, folder / other)]
        said = run(arguments.compare, base / name, folder / name, *beside, *both) if both else ""
        differences += [line.replace("\t", ": ") for line in said.splitlines()]
    truth = edit.truth
    if truth == "flags":
        names = set().union(*base_functions.values(), *functions.values())
        truth = "changed" if differs_in_objdump(base, folder, names) else "same"
    if not arguments.keep:
        shutil.rmtree(folder)
    return number, edit, truth, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare", required=True, type=pathlib.Path, help="the program compare_code")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for all builds")
    arguments = parser.parse_args()
    arguments.compare = arguments.compare.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.keep or pathlib.Path(temporary)
        base = root / "base"
        build(Edit("", "same", dict(FILES)), base, arguments.cxx)
        base_functions = executed(base)
        edits = make_edits(arguments.edits, random.Random(arguments.seed))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(judge, i, edit, base, base_functions, root / f"edit_{i}", arguments) for i, edit in enumerate(edits)]
            results = [job.result() for job in jobs]
    table = collections.Counter()
    wrong = []
    for number, edit, truth, differences in results:
        said = "changed" if differences else "identical"
        table[edit.kind, truth, said] += 1
        if truth == "changed" and said == "identical":
            wrong.append(f"edit {number}: {edit.kind} {edit.flags[len(FLAGS):]}")
        if truth == "same" and said == "changed":
            print(f"edit {number}: {edit.kind}: called changed: {'; '.join(differences)[:300]}", file=sys.stderr)
    print("| edit | executed code | said identical | said changed |\n|---|---|---|---|")
    for kind, truth in sorted({key[:2] for key in table}):
        print(f"| {kind} | {truth} | {table[kind, truth, 'identical']} | {table[kind, truth, 'changed']} |")
    same = [sum(n for (_, t, s), n in table.items() if (t, s) == key) for key in
            (("same", "identical"), ("same", "changed"), ("changed", "changed"), ("changed", "identical"))]
    print(f"\n{len(results)} edits: of {same[0] + same[1]} that change no executed code {same[0]} were called identical; "
          f"of {same[2] + same[3]} that change it {same[2]} were called changed")
    for line in wrong:
        print(f"wrongly identical: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
