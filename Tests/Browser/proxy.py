"""A proxy in front of the admin listener that delays answers, lets them overtake each other, and cuts them off."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Held:
    """Answers that wait: `seen` once the server has answered the first, let go by `release`."""

    def __init__(self, method: str, path: str, is_cut: bool):
        self.method, self.path, self.is_cut = method, path, is_cut
        self.seen, self.released = threading.Event(), threading.Event()

    def release(self) -> None:
        self.released.set()


class Proxy:
    def __init__(self, port: int):
        self.rules: list[Held] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                server = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                try:
                    head = {name: value for name, value in self.headers.items()
                            if name.lower() not in ("connection", "host")}
                    server.request(self.command, self.path, body or None, head | {"Host": f"127.0.0.1:{port}"})
                    answer = server.getresponse()
                    content = answer.read()
                except OSError:
                    self.close_connection = True
                    return
                finally:
                    server.close()
                rule = next((rule for rule in proxy.rules
                             if rule.method == self.command and rule.path in self.path
                             and not (rule.is_cut and "dryRun" in self.path)), None)
                if rule:
                    if rule.is_cut:
                        proxy.rules.remove(rule)
                    rule.seen.set()
                    rule.released.wait(30)
                is_cut = rule is not None and rule.is_cut
                # An answer without a body ends with its head, which is no place to cut it.
                self.send_response_only(200 if is_cut and answer.status == 204 else answer.status)
                for name, value in answer.getheaders():
                    # What never came has not told what the audit calls it, either.
                    left = ("x-request-id",) if is_cut else ()
                    if name.lower() not in ("connection", "content-length", "transfer-encoding", "keep-alive", *left):
                        self.send_header(name, value)
                if is_cut or answer.status not in (204, 304):
                    self.send_header("Content-Length", str(len(content) + is_cut))
                self.end_headers()
                if is_cut:
                    # A beginning of an answer: browsers send again what got none at all.
                    self.wfile.write(content[: len(content) // 2])
                    self.close_connection = True
                elif self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = forward

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A browser that goes away is none."""

        self.server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def console(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/console/"

    def hold(self, method: str, path: str) -> Held:
        """Answers to such requests wait from now on, after the server has carried them out."""
        self.rules.append(Held(method, path, False))
        return self.rules[-1]

    def cut(self, method: str, path: str, times: int = 1) -> None:
        """The next such request, but for dry runs, is carried out, and its answer never comes."""
        for _ in range(times):
            self.rules.append(Held(method, path, True))
            self.rules[-1].release()

    def cut_off(self, method: str, path: str) -> None:
        """Cuts the next such request, and the one by which the console asks again."""
        self.cut(method, path, 2)

    def let_go(self, held: Held) -> None:
        self.rules.remove(held)
        held.release()

    def close(self) -> None:
        for rule in self.rules:
            rule.release()
        self.server.shutdown()
        self.server.server_close()
