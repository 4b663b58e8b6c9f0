#!/usr/bin/env python3
"""Measures what edits of the demo home cost on the wire: scripts/bench-changes calls it, and scripts/bench takes its
rows."""
import gzip, http.client, json, pathlib, shutil, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/shared.d"))
from ports import free_port
TITLE = {"kind": "banner", "content": {"image": {"url": "https://cdn.example.com/a.png", "width": 3, "height": 1},
                                       "title": {"zh-Hans": "秋天来了", "vi": "Mùa thu", "en": "Autumn"}}}
BANNERS = {"items": [TITLE | {"id": "autumn", "action": {"url": "app://autumn", "event": "home_ad_tap"}}]}


def banner(home, name="autumn"):
    return [("PUT", f"/sections/{name}", {"kind": "middleAd"}), ("PUT", f"/sections/{name}/content", BANNERS)]


EDITS = [  # what, the share of the page in percent that it may cost gzip'd, and the calls
    ("one item's title changed", 6, lambda home: [home.retitle("otc")]),
    ("one section moved from last to first", 3, lambda home: [
        ("POST", f"/sections/{home.page()['sections'][-1]['id']}/move", {"first": True})]),
    ("one banner section added", 20, banner),
    ("several changes: a title, two moves, a section more and one less", 25, lambda home: [
        home.retitle("wallet"), ("POST", "/sections/otc/move", {"first": True}),
        ("POST", "/sections/broadcast/move", {"after": "marquee"}), *banner(home, "winter"),
        ("POST", "/sections/beltAndRoad/hide", {})]),
]
BROTLI_SHARE = 0.82  # what br may take of gzip's bytes; a banner is not among the goals
WITHOUT_BROTLI_GOAL = {"one banner section added"}


class Home:
    """The demo home on a server of its own, seen in one locale."""

    def __init__(self, hearth, folder, locale):
        self.locale, self.public, self.admin = locale, free_port(), free_port()
        config = ["--config", str(ROOT / "config"), "--database", str(folder / "hearth.db")]
        command = lambda *words: subprocess.run([hearth, *words, *config], check=True, capture_output=True, text=True)
        command("migrate", "up")
        command("demo")
        self.token = command("token", "create", "--name", "bench", "--role", "publisher").stdout.strip().split()[-1]
        listen = ["--listen", f"127.0.0.1:{self.public}", "--admin-listen", f"127.0.0.1:{self.admin}"]
        self.process = subprocess.Popen([hearth, "serve", *config, *listen], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                if self.ask(self.public, "GET", "/readyz")[0] == 200: return
            except OSError: pass
            time.sleep(0.05)
        sys.exit("bench-changes: the server does not start")

    def ask(self, port, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if body is not None: fields["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body).encode(), fields)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def poll(self, coding="gzip", page="home", **fields):
        return self.ask(self.public, "GET", f"/v1/pages/{page}?locale={self.locale}", Accept_Encoding=coding, **fields)

    def brotli(self, **fields):
        """The same poll with br: a client that takes nothing else waits for it."""
        status, body, head = self.poll("br, gzip;q=0, identity;q=0", **fields)
        if head["Content-Encoding"] != "br": sys.exit(f"bench-changes: {status} without br")
        return body

    def page(self):
        return json.loads(gzip.decompress(self.poll()[1]))

    def edit(self, method, path, body):
        status, answer, _ = self.ask(self.admin, method, "/admin/v1/pages/home" + path, body, If_Match="*",
                                     Authorization="Bearer " + self.token)
        if status not in (200, 201, 204): sys.exit(f"bench-changes: {method} {path}: {status} {answer.decode()}")
        return json.loads(answer) if answer else None

    def retitle(self, section):
        content = self.edit("GET", f"/sections/{section}/content", None)
        content["items"][0]["content"]["title"] = TITLE["content"]["title"]
        return "PUT", f"/sections/{section}/content", content

    def end(self):
        self.process.terminate()
        self.process.wait()


def measure(hearth, parent, locale):
    """For each edit: what, its goal in percent, and the bytes of the page and of its changes, both gzip'd, and as
    br."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
    home = Home(hearth, folder, locale)
    try:
        for what, most, calls in EDITS:
            _, whole, head = home.poll()
            for call in calls(home): home.edit(*call)
            home.edit("POST", "/publish", {})
            wants = dict(A_IM="hearth-changes", If_None_Match=head["ETag"])
            status, changed, _ = home.poll(**wants)
            if status != 226: sys.exit(f"bench-changes: {what}: {status}")
            yield what, most, len(whole), len(changed), len(home.brotli(**wants))
    finally:
        home.end()
        shutil.rmtree(folder)


def main(hearth, parent):
    missed = False
    default = "zh-Hans"  # the goals are for the page's default locale; the others are shown beside it
    for locale in (default, "vi", "en"):
        for what, most, whole, changed, brotli in measure(hearth, parent, locale):
            share = 100 * changed / whole
            good = share <= most and (brotli <= BROTLI_SHARE * changed or what in WITHOUT_BROTLI_GOAL)
            missed |= not good and locale == default
            print(f"{locale}: {what}: {changed} of {whole} bytes, {share:.2f} % (at most {most} %), as br {brotli},"
                  f" {brotli / changed:.2f} of gzip{'' if good else ': more'}", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__": main(sys.argv[1], sys.argv[2])
