"""The server of a studio: on the loopback interface alone, behind a random token.

    GET  /<token>/                 the page of the studio
    GET  /<token>/state?after=3    the file, once its version is not 3
    GET  /<token>/page/run-2       a page of the viewer
    POST /<token>/run, /live       compute; JSON in, JSON out

A web page from elsewhere knows no token. Requests for another host name are refused, so that no name
of another site can be pointed to this address.
"""

from __future__ import annotations

import json
import secrets
import sys
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ...viewer.page import document
from .session import Session

WEB = Path(__file__).parent / "web"
HOST, MOST = "127.0.0.1", 1 << 20  # bytes of a request
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """The server of one session."""

    daemon_threads = True

    def __init__(self, session: Session, port: int = 0) -> None:
        super().__init__((HOST, port), Handler)
        self.session, self.token = session, secrets.token_urlsafe(16)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report a defect; a page that was closed while it waited is none."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Address of the page."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"


class Handler(BaseHTTPRequestHandler):
    """Answers requests."""

    server: Server

    def do_GET(self) -> None:
        asked = self._asked()
        if asked is None:
            return
        path, query = asked
        session = self.server.session
        if path == "":
            self._send(page(session.path.name), "text/html")
        elif path == "state":
            after = query.get("after", ["-1"])[0]
            self._json(session.state(int(after) if after.lstrip("-").isdigit() else -1))
        elif path.startswith("page/") and (text := session.page(path[5:])) is not None:
            self._send(text, "text/html")
        else:
            self._refuse(404, "there is no such page.")

    def do_POST(self) -> None:
        asked = self._asked()
        if asked is None:
            return
        given = self._given()
        if given is None or asked[0] not in ("run", "live"):
            self._refuse(400, "the request is not understood.")
            return
        session = self.server.session
        values, until, compare = given
        if asked[0] == "run":
            self._json(session.run(values, until, compare))
        else:
            self._json(session.live(values, until))

    def _asked(self) -> tuple[str, dict[str, list[str]]] | None:
        """Path behind the token, and query; None if the request was refused."""
        parts = urlsplit(self.path)
        _, token, *rest = parts.path.split("/", 2)
        names = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        if self.headers.get("Host") not in names:
            self._refuse(403, "this server is for this computer alone.")
        elif not rest or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(404, "open the address that kinetree studio has printed.")
        else:
            return rest[0], parse_qs(parts.query)
        return None

    def _given(self) -> tuple[dict[str, float], float, bool] | None:
        """Values of parameters, end time, and whether to compare; None if they are not there."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MOST:
            return None
        try:
            found = json.loads(self.rfile.read(int(length)))
            values = {str(name): float(value) for name, value in found["values"].items()}
            return values, float(found["until"]), bool(found.get("compare"))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def _json(self, found: dict[str, Any]) -> None:
        self._send(json.dumps(found), "application/json")

    def _refuse(self, code: int, why: str) -> None:
        self._send(why, "text/plain", code)

    def _send(self, text: str, kind: str, code: int = 200) -> None:
        data = text.encode("utf-8")
        self.send_response(code)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Requests are not listed."""


@cache
def page(title: str) -> str:
    """The page of the studio."""
    script, style, body = (
        (WEB / name).read_text("utf-8") for name in ("studio.js", "studio.css", "studio.html")
    )
    return document(title, script, style, body, {}, more="connect-src 'self'; frame-src 'self'")
