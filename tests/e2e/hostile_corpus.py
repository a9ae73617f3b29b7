#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small files that ask for much: what torchgate does with each, how long it takes and how much memory.

  hostile_corpus.py TORCHGATE MADE_RUNS [LIMIT_MIB]    makes the files, gives each to the program, prints a table
  hostile_corpus.py --only-make MADE_RUNS FOLDER       makes them only

Exit code 1 when an exit code or an error line is not the expected one. With LIMIT_MIB the program has no more address space
than that, so that a file which takes gigabytes fails. Durations are printed and not judged."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

LONGEST_S = 120  # a hang; not what is aimed at (2 s)


class Corpus:
    """Rows: file, arguments after `torchgate`, exit code, what the error line must name (none: no error line is expected)."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def record(self, name, run):
        self.text(name, json.dumps(run))

    def base(self):
        with open(self.path("base.json"), encoding="utf-8") as file:
            return json.load(file)

    def expect(self, name, arguments, code, place=None, folder="."):
        self.rows.append([name, arguments, code, place, folder])

    def compared(self, name, run, code, place=None):
        self.record(name, run)
        self.expect(name, ["compare", "base.json", name], code, place)


def without_samples(run):
    run.pop("samples", None)
    return run


def result_of(position, median=100.0):
    return {"case": position, "calls_per_sample": 1, "measurements": {"time": [3, median, 1.0, median, median, median, median,
                                                                              None, None, median, None]}}


def process_of(run, index, results):
    template = {k: v for k, v in run["processes"][0].items() if k not in ("cases", "index")}
    return {**template, "index": index, "cases": results}


def records(corpus):
    run = without_samples(corpus.base())
    run["id"] = "00000000000000ff"
    fresh = lambda: json.loads(json.dumps(run))

    each = fresh()
    each["cases"][0]["name"] = "a/" * 13201 + "b"
    corpus.record("case_name_26403_bytes.json", each)
    corpus.text("match_all.toml", "[[case]]\nmatch = '^(a|b|/)*$'\nlatency = 0.1\n")
    corpus.expect("case_name_26403_bytes.json", ["compare", "base.json", "case_name_26403_bytes.json", "--config", "match_all.toml"],
                  2, "/cases/0/name")
    each = fresh()
    each["plan"]["filter"] = "(" * 50000 + ")" * 50000  # asked for the case that is missing
    each["cases"] = each["cases"][:1]
    each["processes"] = [process_of(run, i, [result_of(0)]) for i in range(3)]
    corpus.compared("filter_100000_parentheses.json", each, 2, "/plan/filter")
    each = fresh()
    each["warnings"] = [f"warning {i}" for i in range(300000)]
    corpus.compared("warnings_300000.json", each, 2, "/warnings/1000")
    each = fresh()
    each["warnings"] = [f"warning {i}" for i in range(1000)]
    corpus.compared("warnings_1000.json", each, 0)
    timed = each["metrics"][0]
    each = fresh()
    each["metrics"] = [timed] + [{"name": f"m{i}", "unit": "1", "better": "lower", "kind": "exact"} for i in range(60000)]
    each["cases"][0]["metrics"] = list(range(60001))
    corpus.compared("metrics_60000.json", each, 2, "/metrics/10000")
    each = fresh()
    each["metrics"] = [timed] + [{"name": f"m{i}", "unit": "1", "better": "lower", "kind": "exact"} for i in range(9000)]
    each["cases"][0]["metrics"] = list(range(9001))
    corpus.compared("metrics_of_case_9000.json", each, 2, "/cases/0/metrics/256")
    each = fresh()
    each["metrics"] = [dict(timed, name="x" * 1000000)]
    each["cases"] = [dict(run["cases"][0], name=f"case {i}") for i in range(2000)]
    corpus.compared("name_1_mb_2000_times.json", each, 2, "/metrics/0/name")
    each = fresh()
    each["metrics"] = [timed] + [{"name": f"{i}" + "x" * 4000, "unit": "1", "better": "lower", "kind": "exact"}
                                 for i in range(60)]
    each["cases"] = [dict(run["cases"][0], name=f"case {i}", metrics=list(range(61))) for i in range(4000)]
    corpus.compared("names_4_kb_240000_times.json", each, 2, "too many references")
    each = fresh()
    each["cases"] = [dict(run["cases"][0], name=f"{i}" + "x" * 4000) for i in range(100)]
    each["processes"] = [process_of(run, i, [result_of(c) for c in range(100)]) for i in range(200)]
    corpus.compared("case_names_4_kb_20000_times.json", each, 2, "too many references")
    # Optional keys come before what refers to them.
    each = {"schema": run["schema"], "operators": [[f"{i}" + "x" * 1000, "y" * 1000] for i in range(500)], **fresh()}
    profile = {"passes": 1, "call_ns": 1, "operators": [[i, 1, 1] for i in range(500)]}
    each["processes"] = [process_of(run, i, [dict(result_of(0), profile=profile)]) for i in range(200)]
    corpus.compared("operators_2_kb_100000_times.json", each, 2, "too many references")
    each = fresh()
    each["objects"] = [{"path": f"/lib/{i}", "bytes": 1, "inode": i, "mtime_ns": 1} for i in range(9999)]
    each["processes"] = [dict(process_of(run, i, []), objects=[[0, 9998]]) for i in range(3000)]
    corpus.compared("objects_30000000_references.json", each, 2, "too many references")
    each = fresh()
    each["cases"] = [dict(run["cases"][0], name=f"case {i}") for i in range(100001)]
    corpus.compared("cases_100001.json", each, 2, "/cases/100000")
    each = fresh()
    each["processes"] = [process_of(run, i, []) for i in range(100001)]
    corpus.compared("processes_100001.json", each, 2, "/processes/100000")
    each = fresh()
    each["objects"] = [{"path": "/lib/x", "bytes": 1, "inode": i, "mtime_ns": 1} for i in range(10001)]
    corpus.compared("objects_10001.json", each, 2, "/objects/10000")
    each = fresh()
    each["groups"][0]["claims"] = [{"case": "a", "reference_case": "b", "metric": "time", "relation": "at_most", "ratio": 1, "text": "x"}] * 2000
    corpus.compared("claims_2000.json", each, 2, "/groups/0/claims")
    each = fresh()
    each["machine"]["facts"] = [{"name": f"f{i}", "value": "1", "class": "warn"} for i in range(100000)]
    corpus.compared("facts_100000.json", each, 2, "/machine/facts/1000")
    each = fresh()
    each["cases"][0]["parameters"] = {f"p{i}": "1" for i in range(100000)}
    corpus.compared("parameters_100000.json", each, 2, "/cases/0/parameters")
    each = fresh()
    each["processes"][0]["message"] = "x" * 1000000
    corpus.compared("message_1_mb.json", each, 2, "/processes/0/message")
    # All lost: each of the cases knows why, and none has it for itself.
    each = fresh()
    each["cases"] = [dict(run["cases"][0], name=f"case {i}") for i in range(5000)]
    each["processes"] = [dict(process_of(run, i, []), status="crashed", signal=11, message=f"{i} " + "x" * 2000) for i in range(2000)]
    corpus.compared("lost_processes_2000_of_5000_cases.json", each, 1)
    # A filter that std::regex does not come back from; the baseline's cases are missing here.
    long_names = fresh()
    long_names["id"] = "00000000000000fe"
    long_names["cases"] = [dict(run["cases"][0], name=f"{'a' * 3000}{i}") for i in range(200)]
    long_names["processes"] = [process_of(run, i, [result_of(c) for c in range(200)]) for i in range(2)]
    corpus.record("names_3_kb.json", long_names)
    each = fresh()
    each["plan"]["filter"] = "^(([a-z/_]+)+)+!$"
    corpus.record("filter_backtracks.json", each)
    corpus.expect("filter_backtracks.json", ["compare", "names_3_kb.json", "filter_backtracks.json"], 3)  # nothing in common
    corpus.text("deep_1_mb.json", "[" * 1000000)
    corpus.expect("deep_1_mb.json", ["compare", "base.json", "deep_1_mb.json"], 2, "deep_1_mb.json")
    corpus.text("deep_in_unknown_key.json", '{"x":' + '{"a":' * 200000)
    corpus.expect("deep_in_unknown_key.json", ["compare", "base.json", "deep_in_unknown_key.json"], 2, "unknown format")


def special_files(corpus):
    run = corpus.base()
    sha = run["samples"]["sha256"]
    for kind in ("zero", "fifo", "sparse", "socket"):
        folder = f"samples_{kind}"
        each = json.loads(json.dumps(run))
        each["id"] = "00000000000000fd"
        samples = corpus.path(f"{folder}/{sha}.samples")
        os.makedirs(os.path.dirname(samples))
        if kind == "zero":
            os.symlink("/dev/zero", samples)
        elif kind == "fifo":
            os.mkfifo(samples)
        elif kind == "socket":
            import socket
            with socket.socket(socket.AF_UNIX) as listener:
                here = os.getcwd()
                os.chdir(os.path.dirname(samples))
                listener.bind(os.path.basename(samples))
                os.chdir(here)
        else:
            with open(samples, "wb") as file:
                file.truncate(1 << 30)
        corpus.compared(f"{folder}/run.json", each, 2, f"{sha}.samples")
    os.mkfifo(corpus.path("fifo.json"))
    corpus.expect("fifo.json", ["import", "fifo.json"], 2, "fifo.json")
    os.symlink("/dev/zero", corpus.path("zero.json"))
    corpus.expect("zero.json", ["import", "zero.json"], 2, "zero.json")
    corpus.expect("zero.json", ["compare", "base.json", "zero.json"], 2, "zero.json")
    corpus.expect("fifo.json", ["ab", "--pair-plan", "fifo.json"], 2, "fifo.json")
    corpus.expect("fifo.json", ["accept", "x", "--reason", "y", "--report", "fifo.json"], 2, "fifo.json")
    for name, linked in (("config_fifo", "torchgate.toml"), ("waivers_fifo", "torchgate-waivers.toml")):
        os.makedirs(corpus.path(name))
        os.mkfifo(corpus.path(f"{name}/{linked}"))
        corpus.expect(f"{name}/{linked}", ["compare", "../base.json", "../other.json"], 2, linked, name)
    os.makedirs(corpus.path("waivers_link"))
    os.symlink("/etc/passwd", corpus.path("waivers_link/torchgate-waivers.toml"))
    corpus.expect("waivers_link/torchgate-waivers.toml", ["compare", "../base.json", "../other.json"], 2, "symbolic link", "waivers_link")
    os.makedirs(corpus.path("journal.part"))
    os.mkfifo(corpus.path("journal.part/run.json"))
    corpus.expect("journal.part/run.json", ["compare", "base.json", "journal.part"], 2, "run.json")


def toml(corpus):
    def config(name, text, code, place=None):
        corpus.text(name, text)
        corpus.expect(name, ["compare", "base.json", "other.json", "--config", name], code, place)

    config("key_300000_parts.toml", "[gate]\n" + "a." * 300000 + "b = 1\n", 2, "key_300000_parts.toml:2")
    config("header_300000_parts.toml", "[" + "a." * 300000 + "b]\n", 2, "header_300000_parts.toml:1")
    config("quoted_300000_parts.toml", "[gate]\n" + '"a".' * 200000 + "b = 1\n", 2, "quoted_300000_parts.toml:2")
    config("arrays_300000_levels.toml", "[gate]\nx = " + "[" * 300000, 2, "arrays_300000_levels.toml:2")
    config("tables_100000_levels.toml", "[gate]\nx = " + "{a=" * 100000, 2, "tables_100000_levels.toml:2")
    config("values_400000.toml", "[run]\nsuites = [" + "1," * 400000 + "]\n", 2, "values_400000.toml:2")
    config("key_500_kb.toml", "[gate]\n" + "a" * 500000 + " = 1\n", 2, "key_500_kb.toml:2")
    config("quoted_key_60_kb.toml", '[gate]\n"' + "a" * 60000 + '" = 1\n', 2, "quoted_key_60_kb.toml:2")
    config("string_3_mb.toml", '[gate]\nx = "' + "a" * 3000000 + '"\n', 2, "string_3_mb.toml:1")
    config("match_backreference.toml", "[[case]]\nmatch = '(a)\\1'\nlatency = 0.1\n", 2, "backreferences")
    config("match_lookahead.toml", "[[case]]\nmatch = '(?=a)'\nlatency = 0.1\n", 2, "lookahead")
    config("match_100000_parentheses.toml", "[[case]]\nmatch = '" + "(" * 30000 + ")" * 30000 + "'\nlatency = 0.1\n", 2, "match_100000_parentheses.toml:2")
    config("case_tables_20000.toml", "[[case]]\nmatch = 'a'\nlatency = 0.1\n" * 20000, 2, "case_tables_20000.toml")
    corpus.text("backtracks.toml", "[[case]]\nmatch = '^(([a-z/_]+)+)+!$'\nlatency = 0.1\n")
    corpus.expect("backtracks.toml", ["compare", "names_3_kb.json", "filter_backtracks.json", "--config", "backtracks.toml"], 3)


def imports(corpus):
    def entry(name, repetition=0):
        return {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1, "repetition_index": repetition,
                "threads": 1, "iterations": 10, "real_time": 1.5, "cpu_time": 1.5, "time_unit": "ns"}

    context = {"date": "2026-01-01T00:00:00+00:00", "host_name": "h", "num_cpus": 2, "library_build_type": "release"}

    def imported(name, document, code, place=None):
        corpus.record(name, document)
        corpus.expect(name, ["import", name, "--save", name.split(".")[0]], code, place)

    imported("gb_name_500_kb.json", {"context": context, "benchmarks": [entry("x" * 500000)]}, 2, "/benchmarks/0/name")
    imported("gb_twins_40000.json", {"context": context, "benchmarks": [entry(f"b{i}") for i in range(40000) for _ in range(2)]}, 0)
    imported("gb_facts_100000.json", {"context": {**context, **{f"f{i}": "x" for i in range(100000)}}, "benchmarks": [entry("b")]}, 2, "/context")
    imported("gb_arguments.json", {"context": context, "benchmarks": [entry(f"{i}" + "".join(f"/{k}:1" for k in range(700))) for i in range(300)]}, 0)
    corpus.text("gb_deep.json", json.dumps({"context": context})[:-1] + ', "benchmarks": [' + "[" * 500000)
    corpus.expect("gb_deep.json", ["import", "gb_deep.json"], 2, "gb_deep.json")


def plans(corpus):
    plan = {"schema": "torchgate.plan/1", "run": "0" * 16, "baseline": "1" * 16, "family": 1, "pairs": 10, "profile": "default",
            "seed": 1, "cases": []}
    corpus.record("plan_200000_cases.json", {**plan, "cases": [f"case {i}" for i in range(200000)]})
    corpus.expect("plan_200000_cases.json", ["ab", "--pair-plan", "plan_200000_cases.json"], 2, "/cases/100000")
    shards = {"schema": "torchgate.shards/1", "profile": "default", "filter": ".*", "processes": 5, "seed": 1, "shards": []}
    one = lambda i: {"group": f"g{i}", "seconds": 1, "from": "estimate"}
    corpus.record("shards_100000_groups.json", {**shards, "shards": [[one(i) for i in range(100000)], []]})
    run_shard = lambda name: ["run", "--suite", "base.json", "--shard", "1/2", "--shard-plan", name]
    corpus.expect("shards_100000_groups.json", run_shard("shards_100000_groups.json"), 2, "/shards/0/10000")
    corpus.record("shards_filter.json", {**shards, "filter": "(" * 100000, "shards": [[one(0)], []]})
    corpus.expect("shards_filter.json", run_shard("shards_filter.json"), 2, "/filter")
    corpus.text("report_deep.json", '{"schema":"torchgate.report/1","findings":' + "[" * 1000000)
    corpus.expect("report_deep.json", ["accept", "x", "--reason", "y", "--report", "report_deep.json"], 2, "nested deeper")


def make(made_runs, folder):
    corpus = Corpus(folder)
    os.makedirs(folder, exist_ok=True)
    for name, seed in (("base.json", "1"), ("other.json", "2")):
        subprocess.run([made_runs, "generate", "2", "9", "3", seed, corpus.path(name)], check=True)
    for part in (records, special_files, toml, imports, plans):
        part(corpus)
    with open(corpus.path("rows.list"), "w", encoding="utf-8") as file:
        json.dump(corpus.rows, file)


def limited(limit_mib):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limit_mib:
        resource.setrlimit(resource.RLIMIT_AS, (limit_mib << 20, limit_mib << 20))


def run_one(torchgate, arguments, folder, limit_mib):
    """Exit code (negative: a signal), stderr, seconds, seconds of CPU, MiB."""
    with tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen([torchgate, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=err, preexec_fn=lambda: limited(limit_mib))
        pid, status, usage = 0, 0, None
        while pid == 0:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid == 0 and time.monotonic() - begin > LONGEST_S:
                process.kill()
                pid, status, usage = os.wait4(process.pid, 0)
            if pid == 0:
                time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begin
        err.seek(0)
        return process.returncode, err.read().decode(errors="replace"), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def complaint(code, err, want, place):
    if code != want:
        return f"exit code {code}, expected {want}: {err[:300]}"
    if want != 2:
        return ""
    lines = err.splitlines()
    if len(lines) != 1 or not lines[0].startswith("torchgate: "):
        return f"expected one error line: {err[:300]}"
    return "" if place in lines[0] else f"expected {place} in: {err[:300]}"


def run_all(torchgate, made_runs, limit_mib):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: what this one holds would count as the program's memory.
        subprocess.run([sys.executable, __file__, "--only-make", made_runs, folder], check=True)
        with open(os.path.join(folder, "rows.list"), encoding="utf-8") as file:
            rows = json.load(file)
        print(f"{'file':44} {'command':8} {'bytes':>10} {'exit':>4} {'seconds':>8} {'CPU s':>6} {'MiB':>5}")
        for name, arguments, want, place, within in rows:
            code, err, seconds, cpu, mib = run_one(torchgate, arguments, os.path.join(folder, within), limit_mib)
            size = os.lstat(os.path.join(folder, name)).st_size
            print(f"{name[:44]:44} {arguments[0]:8} {size:10} {code:4} {seconds:8.2f} {cpu:6.2f} {mib:5.0f}", flush=True)
            if wrong := complaint(code, err, want, place):
                failures += 1
                print(f"FAILED: {name}: {wrong}", file=sys.stderr, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--only-make":
        make(os.path.abspath(sys.argv[2]), sys.argv[3])
    elif len(sys.argv) in (3, 4):
        limit = int(sys.argv[3]) if len(sys.argv) == 4 else 0
        sys.exit(run_all(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), limit))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
