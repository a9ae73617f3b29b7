# SPDX-License-Identifier: Apache-2.0
"""monitor_test.py DRIVE_MONITOR DASHBOARD FOLDER: what Redis and Prometheus have of a server, while each of the two dies and comes back."""
import json
import math
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

drive, dashboard, folder = sys.argv[1:]
LONGEST_S = 60
failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence, file=sys.stderr)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def start_redis(port):
    server = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
                              stdout=subprocess.DEVNULL, cwd=folder)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if redis(port, "PING").strip() == "PONG":
            return server
        time.sleep(0.05)
    raise RuntimeError("redis-server does not answer")


def redis(port, *command):
    return subprocess.run(["redis-cli", "-p", str(port), *command], capture_output=True, text=True).stdout


class Counts:
    """The lines that drive_monitor prints once a second."""

    def __init__(self, process):
        self.process = process

    def next(self):
        return json.loads(self.process.stdout.readline())


redis_port, prometheus_port = free_port(), free_port()
redis_server = start_redis(redis_port)
log = os.path.join(folder, "requests.jsonl")
driver = subprocess.Popen([drive, str(redis_port), log, "sync", "180"], stdout=subprocess.PIPE, text=True)
published = os.path.join(folder, "published")
subscriber = subprocess.Popen(["redis-cli", "-p", str(redis_port), "SUBSCRIBE", "degradation:trigger"], stdout=open(published, "w"),
                              stderr=subprocess.DEVNULL)
prometheus = None
second = None
try:
    metrics_port = int(driver.stdout.readline())
    config = os.path.join(folder, "prometheus.yml")
    with open(config, "w") as file:
        json.dump({"global": {"scrape_interval": "1s"}, "scrape_configs": [
            {"job_name": "serving", "static_configs": [{"targets": [f"127.0.0.1:{metrics_port}"]}]}]}, file)
    prometheus_log = open(os.path.join(folder, "prometheus.log"), "w")

    def start_prometheus():
        return subprocess.Popen(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                                 f"--web.listen-address=127.0.0.1:{prometheus_port}"], stdout=prometheus_log, stderr=prometheus_log)

    prometheus = start_prometheus()

    def query(expression):
        url = f"http://127.0.0.1:{prometheus_port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]["result"]

    def numbers(expression):
        """The values of all series but those that are NaN: a quantile or a quotient of nothing is not an answer."""
        try:
            values = [float(series["value"][1]) for series in query(expression)]
        except OSError:
            return []
        return [value for value in values if math.isfinite(value)]

    def answered(expression, above=0.0):
        """The values, the first of which is above that; of a restarted Prometheus the first answers may be those of its database."""
        end = time.monotonic() + LONGEST_S
        values = []
        while time.monotonic() < end:
            values = numbers(expression)
            if values and values[0] > above:
                break
            time.sleep(0.2)
        return values

    # promtool reads what the server serves.
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=10) as answer:
        text = answer.read()
    lint = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    check(lint.returncode == 0, "promtool: " + lint.stderr.decode())

    counts = Counts(driver)
    for _ in range(3):
        before = counts.next()
    check(before["sent"] > 500 and before["dropped"] <= 5, f"with Redis: {before}")
    check(before["shed"] > 0 and before["lite"] > 0, f"the bursts overload nothing: {before}")
    length = int(redis(redis_port, "XLEN", "metrics:stream"))
    check(length > 500, f"{length} entries in the stream")
    check(int(redis(redis_port, "ZCARD", "metrics:window")) > 500, "the window of five minutes")
    old = int((time.time() - 301) * 1000)
    redis(redis_port, "ZADD", "metrics:window", str(old), "too-old", str(old + 100_000), "young")
    counts.next()
    before = counts.next()
    check(redis(redis_port, "ZSCORE", "metrics:window", "too-old").strip() == "", "what is older than five minutes is still there")
    check(redis(redis_port, "ZSCORE", "metrics:window", "young").strip() != "", "what is younger than five minutes was removed")
    entry = redis(redis_port, "XRANGE", "metrics:stream", "-", "+", "COUNT", "1").split()
    check(entry[1::2][:4] == ["request", "latency_ns", "outcome", "model"], f"an entry: {entry}")

    # The answer to SUBSCRIBE ends with the number of subscriptions, a 1. Each burst leads to the lite model, and back: later on a busy machine.
    def published_states():
        with open(published) as file:
            return [line for line in file.read().split() if line in ("0", "1")]

    for _ in range(30):
        if len(published_states()) >= 5:
            break
        before = counts.next()
    redis_server.send_signal(signal.SIGKILL)
    redis_server.wait()
    subscriber.kill()
    states = published_states()
    check(len(states) >= 5 and states[0] == "1" and all(a != b for a, b in zip(states[1:], states[2:])), f"published states: {states}")
    for _ in range(4):
        away = counts.next()
    check(away["completed"] > before["completed"] + 1500, f"requests stopped with Redis: {before}, then {away}")
    check(away["dropped"] > before["dropped"] + 500, f"drops are not counted: {away}")

    redis_server = start_redis(redis_port)
    for _ in range(5):
        back = counts.next()
    check(back["sent"] > away["sent"] + 500, f"after the restart: {away}, then {back}")
    check(int(redis(redis_port, "XLEN", "metrics:stream")) > 500, "the new Redis has no entries")

    # Prometheus dies: the server does not notice. Its successor reads the same database, in which the time between is missing.
    scraped = answered("sum(torchgate_serving_requests_total)")
    check(bool(scraped), "Prometheus has no requests")
    prometheus.send_signal(signal.SIGKILL)
    prometheus.wait()
    unscraped = counts.next()
    for _ in range(3):
        alone = counts.next()
    check(alone["completed"] > unscraped["completed"] + 1000, f"requests stopped with Prometheus: {unscraped}, then {alone}")
    # A few, as above: a burst may find the queue of a busy machine full.
    check(alone["dropped"] <= unscraped["dropped"] + 50, f"entries were lost with Prometheus: {unscraped}, then {alone}")
    prometheus = start_prometheus()
    again = answered("sum(torchgate_serving_requests_total)", above=scraped[0] + 1000 if scraped else 0.0)
    check(bool(again) and bool(scraped) and again[0] > scraped[0] + 1000, f"before Prometheus died {scraped}, after it {again}")
    check(bool(answered("sum(torchgate_serving_requests_total{outcome=\"shed\"})")), "Prometheus has no refused requests")

    # Rates need two scrapes; the averages are those of a minute that has only begun.
    expressions = [target["expr"] for panel in json.load(open(dashboard))["panels"] for target in panel["targets"]]
    check(len(expressions) >= 10, f"{len(expressions)} expressions in the dashboard")
    end = time.monotonic() + LONGEST_S
    unanswered = set(expressions)
    while unanswered and time.monotonic() < end:
        for expression in sorted(unanswered):
            if numbers(expression):
                unanswered.discard(expression)
        time.sleep(0.5)
    check(not unanswered, f"no answer to {unanswered}: " + open(prometheus_log.name).read()[-500:])
    by_model = [expression for expression in expressions if "by (le, model)" in expression]
    check(len(by_model) == 1 and len(numbers(by_model[0])) == 2, "not two models answered, the full and the lite one")
    dropped = float(query("torchgate_serving_dropped_entries{sink=\"redis\"}")[0]["value"][1])
    check(dropped > 500, f"Prometheus has {dropped} dropped entries")

    def whole_lines(path, fewest):
        lines = open(path).read().split("\n")
        check(len(lines) > fewest, f"{len(lines)} lines in the log")
        for line in lines[:-1]:
            json.loads(line)
        check(lines[-1] == "", "the last line is not whole: " + lines[-1])
        return len(lines) - 1

    driver.send_signal(signal.SIGKILL)
    driver.wait()
    lines = whole_lines(log, 5000)
    asynchronous = os.path.join(folder, "asynchronous.jsonl")
    second = subprocess.Popen([drive, str(redis_port), asynchronous, "async", "45"], stdout=subprocess.PIPE, text=True)
    second.stdout.readline()
    second_counts = Counts(second)
    for _ in range(2):
        second_counts.next()
    second.send_signal(signal.SIGKILL)
    second.wait()
    lines += whole_lines(asynchronous, 500)
    print(f"{len(expressions)} expressions answered; Redis away: {away['completed'] - before['completed']} requests went on, "
          f"{away['dropped'] - before['dropped']} entries dropped; Prometheus away: {alone['completed'] - unscraped['completed']} "
          f"requests went on; {lines} whole lines after kill -9")
finally:
    for process in (driver, second, subscriber, redis_server, prometheus):
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
sys.exit(1 if failures else 0)
