#!/usr/bin/env python3
"""Measures what edits of the demo home cost on the wire: scripts/bench-changes calls it."""
import gzip, http.client, json, pathlib, shutil, socket, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).parent.parent.parent
TITLE = {"kind": "banner", "content": {"image": {"url": "https://cdn.example.com/a.png", "width": 3, "height": 1},
                                       "title": {"zh-Hans": "秋天来了", "vi": "Mùa thu", "en": "Autumn"}}}
BANNERS = {"items": [TITLE | {"id": "autumn", "action": {"url": "app://autumn", "event": "home_ad_tap"}}]}
EDITS = [  # what, the share of the page in percent that it may cost, and the calls
    ("one item's title changed", 6, lambda home: [home.retitle("otc")]),
    ("one section moved from last to first", 3, lambda home: [
        ("POST", f"/sections/{home.page()['sections'][-1]['id']}/move", {"first": True})]),
    ("one banner section added", 20, lambda home: [
        ("PUT", "/sections/autumn", {"kind": "middleAd"}), ("PUT", "/sections/autumn/content", BANNERS)]),
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
        return answer.status, answer.read(), answer.getheader("ETag")

    def poll(self, **fields):
        return self.ask(self.public, "GET", f"/v1/home?locale={self.locale}", Accept_Encoding="gzip", **fields)

    def page(self):
        return json.loads(gzip.decompress(self.poll()[1]))

    def edit(self, method, path, body):
        status, answer, _ = self.ask(self.admin, method, "/admin/v1/pages/home" + path, body, If_Match="*",
                                     Authorization="Bearer " + self.token)
        if status not in (200, 201): sys.exit(f"bench-changes: {method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    def retitle(self, section):
        content = self.edit("GET", f"/sections/{section}/content", None)
        content["items"][0]["content"]["title"] = TITLE["content"]["title"]
        return "PUT", f"/sections/{section}/content", content


missed = False
DEFAULT = "zh-Hans"  # the goals are for the page's default locale; the others are shown beside it
for locale in (DEFAULT, "vi", "en"):
    folder = pathlib.Path(tempfile.mkdtemp(dir=sys.argv[2]))
    home = Home(sys.argv[1], folder, locale)
    try:
        for what, most, calls in EDITS:
            _, whole, tag = home.poll()
            for call in calls(home): home.edit(*call)
            home.edit("POST", "/publish", {})
            status, changed, _ = home.poll(A_IM="hearth-changes", If_None_Match=tag)
            share = 100 * len(changed) / len(whole)
            good = status == 226 and share <= most
            missed |= not good and locale == DEFAULT
            print(f"{locale}: {what}: {status}, {len(changed)} of {len(whole)} bytes, {share:.2f} %"
                  f" (at most {most} %){'' if good else ': more'}")
    finally:
        home.process.terminate()
        home.process.wait()
        shutil.rmtree(folder)
sys.exit(1 if missed else 0)
