"""A real server over a database of its own, with the demo pages."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "shared.d"))

from ports import free_port
from servers import Node, run_hearth

HEARTH = Path(os.environ.get("BINARY_UNDER_TEST", ROOT / ".build" / "debug" / "hearth"))
CONFIG = ROOT / "config"


class Server:
    def __init__(self, folder: Path, environment: dict[str, str] = {}, has_pictures: bool = False):
        ready, self.token = ready_database(has_pictures)
        self.database = folder / "hearth.db"
        shutil.copytree(ready.name, folder, dirs_exist_ok=True)
        self.public, self.admin = free_port(), free_port()
        # It comes back where it was, as a server does.
        listen = (f"127.0.0.1:{self.public}", f"127.0.0.1:{self.admin}")
        self.node = Node(
            str(HEARTH), str(self.database), str(folder / "node"), listen=listen, environment=environment)
        self.start()

    def make_token(self, name: str, role: str, *scopes: str) -> str:
        return make_token(self.database, name, role, *scopes)

    def revoke(self, token: str) -> None:
        self.api("DELETE", f"/tokens/{token.removeprefix('hearth_').split('_')[0]}")

    def start(self) -> None:
        self.node.start()

    def stop(self) -> None:
        self.node.end()

    def poll(self, page: str = "home", **attributes: str) -> dict:
        query = "&".join(f"{name}={value}" for name, value in attributes.items())
        with urllib.request.urlopen(f"http://127.0.0.1:{self.public}/v1/pages/{page}?{query}", timeout=60) as response:
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
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error
        return json.loads(text) if text else {}

    @property
    def console(self) -> str:
        return f"http://127.0.0.1:{self.admin}/console/"


@functools.cache
def ready_database(has_pictures: bool) -> tuple[tempfile.TemporaryDirectory, str]:
    """A database with the demo pages, made once and copied by every server, and the token of its administrator. Most
    tests have the demo's pictures elsewhere, so that the library is empty and a phone asks the server for none."""
    folder = tempfile.TemporaryDirectory(prefix="hearth-ready-")
    database = Path(folder.name) / "hearth.db"
    if has_pictures:
        run_hearth(str(HEARTH), str(database), folder.name, "demo")
    else:
        with tempfile.TemporaryDirectory(prefix="hearth-demo-") as config:
            shutil.copytree(CONFIG, config, dirs_exist_ok=True)
            for file in Path(config, "demo").glob("*.yaml"):
                text = file.read_text().split("\nassets:\n")[0] + "\n"
                file.write_text(re.sub("/v1/assets/([0-9a-f]{16})[0-9a-f]{48}", r"https://cdn.example.com/\1", text))
            words = ["demo", "--config", config, "--database", str(database)]
            subprocess.run([str(HEARTH), *words], check=True, stdout=subprocess.DEVNULL)
    return folder, make_token(database, "lin", "admin")


def make_token(database: Path, name: str, role: str, *scopes: str) -> str:
    given = [word for scope in scopes for word in ("--scope", scope)]
    words = ["token", "create", "--name", name, "--role", role, *given]
    return re.search(r"hearth_\S+", run_hearth(str(HEARTH), str(database), str(database.parent), *words)).group()


def until(condition, what: str, seconds: float = 90):
    """Waits for a condition, not for a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"It never came that {what}.")
