"""A real server over a database of its own, with the demo pages."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "shared.d"))

from ports import free_port

HEARTH = Path(os.environ.get("BINARY_UNDER_TEST", ROOT / ".build" / "debug" / "hearth"))
CONFIG = ROOT / "config"


class Server:
    def __init__(self, folder: Path):
        self.database = folder / "hearth.db"
        self.log = (folder / "log").open("wb")
        self.public, self.admin = free_port(), free_port()
        self.run("demo")
        self.token = self.make_token("lin", "admin")
        self.process = None
        self.start()

    def run(self, *words: str) -> str:
        command = [HEARTH, *words, "--config", CONFIG, "--database", self.database]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def make_token(self, name: str, role: str, *scopes: str) -> str:
        given = [word for scope in scopes for word in ("--scope", scope)]
        return re.search(r"hearth_\S+", self.run("token", "create", "--name", name, "--role", role, *given)).group()

    def revoke(self, token: str) -> None:
        self.api("DELETE", f"/tokens/{token.removeprefix('hearth_').split('_')[0]}")

    def start(self) -> None:
        self.process = subprocess.Popen(
            [HEARTH, "serve", "--config", CONFIG, "--database", self.database,
             "--listen", f"127.0.0.1:{self.public}", "--admin-listen", f"127.0.0.1:{self.admin}"],
            stdout=self.log, stderr=self.log)
        until(lambda: self.answers("/readyz"), "the server is ready")

    def answers(self, path: str) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.public}{path}", timeout=5).read()
            return True
        except OSError:
            return False

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)

    def poll(self, page: str = "home", **attributes: str) -> dict:
        query = "&".join(f"{name}={value}" for name, value in attributes.items())
        with urllib.request.urlopen(f"http://127.0.0.1:{self.public}/v1/pages/{page}?{query}", timeout=10) as response:
            return json.load(response)

    def order(self, **attributes: str) -> list[str]:
        return [section["id"] for section in self.poll(**attributes)["sections"]]

    def api(self, method: str, path: str, body: object = None, **fields: str) -> dict:
        """An admin request as another program makes it."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.admin}/admin/v1{path}", method=method, headers=headers,
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error
        return json.loads(text) if text else {}

    @property
    def console(self) -> str:
        return f"http://127.0.0.1:{self.admin}/console/"


def until(condition, what: str, seconds: float = 30):
    """Waits for a condition, not for a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"It never came that {what}.")
