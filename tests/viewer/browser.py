"""A headless Chromium driven through the DevTools protocol over a plain websocket: pages, keys,
pointer, pictures.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu-watchdog",
    "--disable-hang-monitor",
    "--disable-renderer-backgrounding",  # a busy computer is not a failure
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--remote-debugging-port=0",
)
VIEWER_IS_READY = "!!window.viewer && (viewer.ready || !!viewer.error)"
PATIENCE = 300.0  # s, for events whose time depends on the load of the computer


def found() -> str | None:
    """Path of the installed browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser process; `open` returns tabs."""

    def __init__(self) -> None:
        from websockets.sync.client import connect

        self.folder = tempfile.mkdtemp(prefix="viewer-browser-")
        self.process = subprocess.Popen(
            [found(), *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port, path = waited(self._address, "the browser to start")
        self.opened = ExitStack()
        self.socket = self.opened.enter_context(
            connect(f"ws://127.0.0.1:{port}{path}", max_size=None)
        )
        self.count, self.replies, self.events = 0, {}, []

    def _address(self):
        file = Path(self.folder) / "DevToolsActivePort"
        lines = file.read_text().split() if file.exists() else []
        return lines if len(lines) == 2 else None

    def call(self, method: str, session: str | None = None, **params) -> dict:
        """Send a command and wait for its reply; events received meanwhile are kept."""
        self.count += 1
        wanted = self.count
        message = {
            "id": wanted,
            "method": method,
            "params": params,
            **({"sessionId": session} if session else {}),
        }
        self.socket.send(json.dumps(message))
        while wanted not in self.replies:
            got = json.loads(self.socket.recv(timeout=PATIENCE))
            if "id" in got:
                self.replies[got["id"]] = got
            else:
                self.events.append(got)
        reply = self.replies.pop(wanted)
        assert "error" not in reply, f"{method}: {reply['error']}"
        return reply["result"]

    def open(
        self,
        path: os.PathLike,
        before: str = "",
        dark: bool = False,
        size: tuple[int, int] = (640, 480),
        ready: str = VIEWER_IS_READY,
    ) -> Tab:
        return Tab(self, path, before, dark, size, ready)

    def close(self) -> None:
        self.opened.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class Tab:
    """A page in its own context; `before` runs before the script of the page, `ready` is an
    expression that is true when the page is complete.
    """

    def __init__(
        self,
        browser: Browser,
        path: os.PathLike,
        before: str,
        dark: bool,
        size: tuple[int, int],
        ready: str,
    ) -> None:
        self.browser = browser
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call(
            "Target.createTarget", url="about:blank", browserContextId=self.context
        )["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(*size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.go(path, ready)

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *reason) -> None:
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)

    def go(self, path: os.PathLike, ready: str, query: str = "") -> None:
        """Load a page and wait until it is complete."""
        self.call("Page.navigate", url=Path(path).resolve().as_uri() + query)
        self.wait(ready)

    def call(self, method: str, **params) -> dict:
        return self.browser.call(method, self.session, **params)

    def ask(self, expression: str):
        """The value of an expression in the page; promises are awaited."""
        reply = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in reply, f"{expression}: {reply['exceptionDetails']}"
        return reply["result"].get("value")

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def wait(self, expression: str) -> None:
        waited(lambda: self.ask(expression), expression)

    def picture(self) -> bytes:
        """The canvas of the scene, byte by byte."""
        return base64.b64decode(
            self.ask("document.getElementById('picture').toDataURL().split(',')[1]")
        )

    def screenshot(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def key(self, key: str) -> None:
        for kind, text in (("keyDown", {"text": key} if len(key) == 1 else {}), ("keyUp", {})):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def pointer(self, kind: str, x: float, y: float, **more) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, and exceptions."""
        self.ask("0")  # all pending messages have arrived
        return [
            json.dumps(e["params"])
            for e in self._events()
            if e["method"] == "Runtime.exceptionThrown"
            or (
                e["method"] == "Runtime.consoleAPICalled"
                and e["params"]["type"] in ("error", "warning", "assert")
            )
            or (
                e["method"] == "Log.entryAdded"
                and e["params"]["entry"]["level"] in ("error", "warning")
            )
        ]

    def requests(self) -> list[str]:
        """Requests of the page, except for itself."""
        self.ask("0")
        asked = [e["params"] for e in self._events() if e["method"] == "Network.requestWillBeSent"]
        return [a["request"]["url"] for a in asked if a["type"] != "Document"]

    def _events(self) -> list[dict]:
        return [e for e in self.browser.events if e.get("sessionId") == self.session]


def waited(condition, what: str):
    """Wait for a condition and return its first true value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if reply := condition():
            return reply
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")
