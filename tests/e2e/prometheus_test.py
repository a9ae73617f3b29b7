# SPDX-License-Identifier: Apache-2.0
"""prometheus_test.py METRICS DASHBOARD REPORT: a real Prometheus scrapes the exported file, and answers every expression of the dashboard."""
import functools
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

LONGEST_S = 60
metrics, dashboard, report = sys.argv[1:]
failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence, file=sys.stderr)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def guess_type(self, _):
        return "text/plain; version=0.0.4"


with tempfile.TemporaryDirectory() as folder:
    handler = functools.partial(Quiet, directory=os.path.dirname(os.path.abspath(metrics)))
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=files.serve_forever, daemon=True).start()
    config = os.path.join(folder, "prometheus.yml")
    with open(config, "w") as file:
        json.dump({"global": {"scrape_interval": "1s"}, "scrape_configs": [
            {"job_name": "torchgate", "metrics_path": "/" + os.path.basename(metrics),
             "static_configs": [{"targets": [f"127.0.0.1:{files.server_port}"]}]}]}, file)
    port = free_port()
    log = open(os.path.join(folder, "log"), "w")
    server = subprocess.Popen(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                               f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)

    def query(expression):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=10) as answer:
            document = json.load(answer)
        return document["data"]["result"]

    try:
        end = time.monotonic() + LONGEST_S
        found = []
        while not found and time.monotonic() < end:
            try:
                found = query("torchgate_outcome")
            except OSError:
                pass
            time.sleep(0.2)
        check(found, "Prometheus has no torchgate_outcome: " + open(os.path.join(folder, "log")).read()[-500:])
        check(query("up{job=\"torchgate\"}")[0]["value"][1] == "1", "the scrape failed")

        expressions = re.findall(r'"expr": "((?:[^"\\]|\\.)*)"', open(dashboard).read())
        check(len(expressions) >= 10, f"{len(expressions)} expressions in the dashboard")
        for text in expressions:
            expression = json.loads(f'"{text}"').replace("$case", ".*")
            try:
                check(query(expression), f"no answer to {expression}")
            except urllib.error.HTTPError as error:
                check(False, f"{expression}: {error.read()[:300]}")

        # Panels show each case by the metric that judges it, and count a case once, however many of its metrics fail.
        panels = {panel["title"]: [target["expr"].replace("$case", ".*") for target in panel["targets"]] for panel in json.load(open(dashboard))["panels"]}
        for title in ("Largest slow-downs", "Time of a case", "Change with its interval"):
            for expression in panels[title]:
                shown = {one["metric"]["metric"] for one in query(expression)}
                check(shown == {"time", "gpu_time_hot"}, f"{title}: {expression} shows {shown}")
        failing = {one["metric"]["case"] for one in query("torchgate_case_fails == 1")}
        pairs = len(query("torchgate_case_fails == 1"))
        counted = int(query(panels["Failing cases"][0])[0]["value"][1])
        check(counted == len(failing) < pairs, f"{counted} failing cases, not {len(failing)} (of {pairs} metrics)")

        # The numbers that Prometheus has are those of the JSON report.
        document = json.load(open(report))
        compared = 0
        changes = {(one["metric"]["case"], one["metric"]["metric"]): float(one["value"][1]) for one in query("torchgate_case_change_ratio")}
        for finding in document["findings"]:
            if finding["change"] is None:
                continue
            compared += 1
            key = (finding["case"], finding["metric"]["name"])
            check(abs(changes.get(key, 9) - finding["change"]) < 1e-12, f"{key}: {changes.get(key)}, not {finding['change']}")
        check(compared > 3, f"{compared} changes compared")
        print(f"{len(expressions)} expressions answered, {compared} changes compared")
    finally:
        server.terminate()
        server.wait()
        files.shutdown()
sys.exit(1 if failures else 0)
