"""A site of an app beside a real server: it serves the client's files and what a test gives, and forwards `/v1/`."""

import http.server
import threading
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "typescript"
#: As strict as the console's.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src * data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stage</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/stage.css">
<script type="module" src="/stage.js"></script></head><body>{body}</body></html>"""


class Stage:
    def __init__(self, public: int | None = None):
        self.policy = POLICY
        self.files = {
            "/": PAGE.format(body='<main><hearth-page id="home"></hearth-page></main>'),
            "/stage.css": "body { margin: 0; }", "/stage.js": "import '/client/element.js';"}
        stage = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                path = self.path.split("?")[0]
                if path.startswith("/v1/") and public:
                    return self.forward()
                name = path.removeprefix("/client/")
                if path in stage.files:
                    body = stage.files[path].encode()
                elif path != name and (CLIENT / name).is_file():
                    body = (CLIENT / name).read_bytes()
                else:
                    return self.answer(404, {}, b"")
                kind = {"js": "text/javascript", "css": "text/css"}.get(path.rsplit(".")[-1], "text/html")
                self.answer(200, {"Content-Type": kind, "Content-Security-Policy": stage.policy}, body)

            def forward(self):
                fields = {name: value for name, value in self.headers.items()
                          if name.lower() in ("if-none-match", "a-im", "prefer", "accept")}
                request = urllib.request.Request(f"http://127.0.0.1:{public}{self.path}", headers=fields)
                try:
                    with urllib.request.urlopen(request, timeout=90) as response:
                        self.answer(response.status, dict(response.headers), response.read())
                except urllib.error.HTTPError as error:
                    self.answer(error.code, dict(error.headers), error.read())
                except OSError:
                    self.close_connection = True

            def answer(self, status, fields, body):
                self.send_response(status)
                for name, value in fields.items():
                    if name.lower() not in ("content-length", "connection", "date"):
                        self.send_header(name, value)
                if status != 304:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    # Nobody waits for it any more.
                    self.close_connection = True

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
