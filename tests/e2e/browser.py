# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium over a pipe (Chrome DevTools Protocol), with Python's own library only."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    """Every console message, every error and every request of the page is kept."""

    LONGEST_S = 60

    def __init__(self):
        program = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
        if program is None:
            raise SystemExit("browser.py: no chromium; install it (apt-get install chromium)")
        self.profile = tempfile.mkdtemp()
        to_read, self.out = os.pipe()
        self.inp, to_write = os.pipe()

        def descriptors():
            # Over a third number: one of the two may be 3 or 4 itself.
            first, second = os.dup2(to_read, 30, inheritable=True), os.dup2(to_write, 31, inheritable=True)
            os.dup2(first, 3, inheritable=True)
            os.dup2(second, 4, inheritable=True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number = b"", 0
        self.console, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank", _session=None)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True, _session=None)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def _message(self):
        end = time.monotonic() + self.LONGEST_S
        while b"\0" not in self.buffer:
            if time.monotonic() > end:
                raise SystemExit("browser.py: no answer of the browser")
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                raise SystemExit("browser.py: the browser ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _event(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(params["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.console.append(json.dumps(params["args"])[:500])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.console.append(params["entry"]["text"][:500])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"][:200])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, _session="", **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if _session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"browser.py: {method}: {answer['error']}")
                return answer["result"]
            self._event(answer)

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, scheme="light", kind="screen"):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, on):
        self.call("Emulation.setScriptExecutionDisabled", value=not on)

    def open(self, path):
        self.console, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            self._event(self._message())

    def run(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"browser.py: {expression[:200]}: {json.dumps(answer['exceptionDetails'])[:600]}")
        return answer["result"].get("value")

    def press(self, key, text=None, code=None, virtual=0, control=False):
        base_event = {"key": key, "code": code or key, "windowsVirtualKeyCode": virtual, "modifiers": 2 if control else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **base_event, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **base_event)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.out)
        os.close(self.inp)
        shutil.rmtree(self.profile, ignore_errors=True)
