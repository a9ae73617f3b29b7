#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A part of GitHub's REST API on a loopback address, with real HTTP, for tests: github_stub.py FOLDER.

Serves until it is killed. In FOLDER:
  address         written when it is ready: http://127.0.0.1:PORT
  state.json      what it stores; read at the start if it exists, written after each change
  requests.jsonl  one line per request: method, path, body, status (authorization: whether it was the right token)
  faults.json     a list, read and consumed by each request; the first entry that matches is applied once:
                  {"method": "POST", "path": "regular expression", "skip": 0, "do": ...}
                  do: {"status": 503, "headers": {}, "body": {}}, "drop" (closes the connection unanswered, nothing stored),
                      "drop after" (stores, then closes the connection), {"slow_s": 3}
  artifacts/NAME-RUN.zip  artifacts
The token that it accepts is in the variable STUB_TOKEN; the login of its owner in STUB_LOGIN (empty: the token of an app); as whom it writes,
if that is another login, in STUB_ACTOR.
"""
import json
import os
import re
import socketserver
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

folder = Path(sys.argv[1])
token = os.environ["STUB_TOKEN"]
login = os.environ.get("STUB_LOGIN", "")
actor = os.environ.get("STUB_ACTOR") or login or "github-actions[bot]"
page_size = int(os.environ.get("STUB_PAGE_SIZE", "100"))
lock = Lock()
state = {"next_id": 1000, "comments": [], "check_runs": [], "pulls": [], "issues": [], "permissions": {}, "user_ids": {},
         "runs": [], "artifacts": [], "reruns": [], "reactions": []}
if (folder / "state.json").exists():
    state.update(json.loads((folder / "state.json").read_text()))


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def new_id():
    state["next_id"] += 1
    return state["next_id"]


def find(things, **wanted):
    for thing in things:
        if all(thing.get(key) == value for key, value in wanted.items()):
            return thing
    raise Refused(404, "Not Found")


def user():
    if not login:
        raise Refused(403, "Resource not accessible by integration")
    return 200, {"login": login}


def comments(number):
    return 200, [c for c in state["comments"] if c["issue"] == int(number)]


def create_comment(number, body):
    if len(body["body"]) > 65536:
        raise Refused(422, "Validation Failed: body is too long")
    comment = {"id": new_id(), "issue": int(number), "body": body["body"], "user": {"login": actor}}
    state["comments"].append(comment)
    return 201, comment


def change_comment(id_, body):
    comment = find(state["comments"], id=int(id_))
    if comment["user"]["login"] != actor:
        raise Refused(403, "Must have admin rights to Repository.")
    comment["body"] = body["body"]
    return 200, comment


def delete_comment(id_):
    state["comments"].remove(find(state["comments"], id=int(id_)))
    return 204, None


def check_runs(sha, query):
    runs = [r for r in state["check_runs"] if r["head_sha"] == sha and r["name"] == query.get("check_name", r["name"])]
    return 200, {"total_count": len(runs), "check_runs": runs}


def create_check(body):
    run = {"id": new_id(), "app": {"slug": "github-actions"}, **body}
    state["check_runs"].append(run)
    return 201, run


def change(things, id_, body):
    thing = find(things, id=int(id_))
    thing.update(body)
    return 200, thing


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def change_check(id_, body):
    completed = {"completed_at": now()} if body.get("status") == "completed" else {}
    return change(state["check_runs"], id_, {**completed, **body})


def react(id_, body):
    reaction = {"comment": int(id_), "content": body["content"]}
    if reaction in state["reactions"]:
        return 200, reaction
    state["reactions"].append(reaction)
    return 201, reaction


def check_issue_length(body):
    if len(body.get("body", "")) > 65536:
        raise Refused(422, "Validation Failed: body is too long")


def create_issue(body):
    check_issue_length(body)
    issue = {"id": new_id(), "number": len(state["issues"]) + 1, "state": "open", "user": {"login": actor}, **body}
    issue["labels"] = [{"name": label} for label in body.get("labels", [])]
    state["issues"].append(issue)
    return 201, issue


def change_issue(number, body):
    check_issue_length(body)
    issue = find(state["issues"], number=int(number))
    issue.update(body)
    return 200, issue


def issues(query):
    label = query.get("labels", "")
    wanted = query.get("state", "open")
    return 200, [i for i in state["issues"] if (wanted == "all" or i["state"] == wanted) and
                 (not label or any(have["name"] == label for have in i["labels"]))]


def permission(name):
    who = {"login": name, "id": state["user_ids"].get(name, 1)}
    return 200, {"permission": state["permissions"].get(name, "read"), "user": who}


def artifacts(run, query):
    found = [a for a in state["artifacts"] if str(a["run"]) == run and a["name"] == query.get("name", a["name"])]
    return 200, {"total_count": len(found), "artifacts": found}


def runs(query):
    found = [r for r in state["runs"] if all(r.get(key) == query.get(key, r.get(key)) for key in ("head_sha", "event"))]
    return 200, {"total_count": len(found), "workflow_runs": found}


def jobs(run):
    found = find(state["runs"], id=int(run)).get("jobs", [])
    return 200, {"total_count": len(found), "jobs": found}


def rerun(run):
    found = find(state["runs"], id=int(run))
    if found.get("status", "completed") != "completed":
        raise Refused(403, "This workflow is already running")
    found.update(status="queued", run_attempt=found.get("run_attempt", 1) + 1, run_started_at=now())
    state["reruns"].append(int(run))
    return 201, {}


# method, path below /repos/owner/name ("/user": the whole path), function of the groups; `query` and `body` where it takes them
routes = [
    ("GET", r"/user", lambda: user()),
    ("GET", r"/issues/(\d+)/comments", comments),
    ("POST", r"/issues/(\d+)/comments", create_comment),
    ("PATCH", r"/issues/comments/(\d+)", change_comment),
    ("DELETE", r"/issues/comments/(\d+)", delete_comment),
    ("POST", r"/issues/comments/(\d+)/reactions", react),
    ("GET", r"/commits/([0-9a-f]+)/check-runs", check_runs),
    ("POST", r"/check-runs", create_check),
    ("PATCH", r"/check-runs/(\d+)", change_check),
    ("GET", r"/pulls", lambda: (200, [p for p in state["pulls"] if p["state"] == "open"])),
    ("GET", r"/pulls/(\d+)", lambda number: (200, find(state["pulls"], number=int(number)))),
    ("GET", r"/collaborators/([^/]+)/permission", permission),
    ("GET", r"/issues", issues),
    ("GET", r"/issues/(\d+)", lambda number: (200, find(state["issues"], number=int(number)))),
    ("POST", r"/issues", create_issue),
    ("PATCH", r"/issues/(\d+)", change_issue),
    ("GET", r"/actions/runs", runs),
    ("GET", r"/actions/runs/(\d+)", lambda run: (200, find(state["runs"], id=int(run)))),
    ("GET", r"/actions/runs/(\d+)/artifacts", artifacts),
    ("GET", r"/actions/runs/(\d+)/jobs", jobs),
    ("POST", r"/actions/runs/(\d+)/rerun", rerun),
]


class Stub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def fault(self):
        file = folder / "faults.json"
        if not file.exists():
            return None
        faults = json.loads(file.read_text() or "[]")
        for at, fault in enumerate(faults):
            if fault.get("method", self.command) != self.command or not re.search(fault["path"], self.path):
                continue
            if fault.get("skip", 0) > 0:
                fault["skip"] -= 1
                chosen = None
            else:
                chosen = faults.pop(at)["do"]
            file.write_text(json.dumps(faults))
            return chosen
        return None

    def answer(self, status, body, headers=()):
        text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def called(self, path, query, body):
        path = path.removeprefix("/repos/acme/nets")
        for method, pattern, function in routes:
            match = re.fullmatch(pattern, path)
            if method != self.command or not match:
                continue
            names = function.__code__.co_varnames[:function.__code__.co_argcount]
            extra = {name: value for name, value in (("query", query), ("body", body)) if name in names}
            return function(*(urllib.parse.unquote(group) for group in match.groups()), **extra)
        raise Refused(404, "Not Found")

    def paged(self, path, query, result):
        """Cuts a list into pages with a Link header, as GitHub does."""
        page = int(query.get("page", "1"))
        size = min(int(query.get("per_page", "30")), page_size)
        key = next((k for k, v in result.items() if isinstance(v, list)), None) if isinstance(result, dict) else None
        things = result[key] if key else result
        part = things[(page - 1) * size:page * size]
        headers = {}
        if page * size < len(things):
            more = urllib.parse.urlencode({**query, "page": page + 1})
            headers["Link"] = f'<{self.server.address}{path}?{more}>; rel="next", <{self.server.address}{path}>; rel="last"'
        return ({**result, key: part} if key else part), headers

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length).decode()
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        right = self.headers.get("Authorization") == f"Bearer {token}"
        fault = None
        with lock:
            fault = self.fault()
        if isinstance(fault, dict) and "slow_s" in fault:
            time.sleep(fault["slow_s"])
        status, body, headers = 0, None, {}
        with lock:
            if isinstance(fault, dict) and "status" in fault:
                status, body, headers = fault["status"], fault.get("body", {"message": "planted"}), fault.get("headers", {})
            elif fault != "drop":
                status, body, headers = self.carried_out(url, query, text, right)
            with open(folder / "requests.jsonl", "a") as log:
                log.write(json.dumps({"method": self.command, "path": self.path, "status": status, "body": text,
                                      "authorization": right, "fault": fault}) + "\n")
        if fault in ("drop", "drop after"):
            self.close_connection = True
            self.connection.close()
            return
        self.answer(status, body, headers)

    def carried_out(self, url, query, text, right):
        storage = re.fullmatch(r"/_storage/([\w.-]+\.zip)", url.path)
        if storage:  # another host in reality: it must not be sent the token
            file = folder / "artifacts" / storage.group(1)
            return (400, {"message": "token at the storage"}, {}) if self.headers.get("Authorization") else (200, file.read_bytes(), {})
        if url.path == "/_test/append":  # what events outside of the API make: pull requests, runs, artifacts
            for name, things in json.loads(text).items():
                state[name] = [thing for thing in state[name] if all(thing["id"] != new["id"] for new in things)] + things
            (folder / "state.json").write_text(json.dumps(state))
            return 200, {}, {}
        if not right:
            return 401, {"message": f"Bad credentials: {self.headers.get('Authorization')}"}, {}
        download = re.fullmatch(r"/repos/acme/nets/actions/artifacts/(\d+)/zip", url.path)
        if download:
            artifact = find(state["artifacts"], id=int(download.group(1)))
            return 302, None, {"Location": f"{self.server.address}/_storage/{artifact['name']}-{artifact['run']}.zip"}
        try:
            status, body = self.called(url.path, query, json.loads(text) if text else {})
        except Refused as refused:
            return refused.status, {"message": str(refused)}, {}
        if self.command != "GET":
            (folder / "state.json").write_text(json.dumps(state))
        headers = {}
        if self.command == "GET" and (isinstance(body, list) or (isinstance(body, dict) and "total_count" in body)):
            body, headers = self.paged(url.path, query, body)
        return status, body, headers

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = handle_request


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self):
        socketserver.TCPServer.server_bind(self)  # that of HTTPServer asks for the name of the address, which can take a minute
        self.server_name, self.server_port = self.server_address[:2]


server = Server(("127.0.0.1", 0), Stub)
server.address = f"http://127.0.0.1:{server.server_address[1]}"
(folder / "address.new").write_text(server.address)
(folder / "address.new").rename(folder / "address")
server.serve_forever()
