#!/usr/bin/env python3
"""Measures Hearth beside nginx and the floor, in one run, and writes docs/benchmarks.md; scripts/bench calls it."""
import argparse, contextlib, datetime, gzip, http.client, json, os, pathlib, platform, re, resource, shutil, signal
import socket, statistics, subprocess, sys, tempfile, threading, time, traceback

import changes, content
from table import Row, written

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts/shared.d"))
from ports import free_port
TICK = os.sysconf("SC_CLK_TCK")
LONG_ROUNDS = 3  # of what takes minutes
CHANGES = 20  # of an item, in a round
PATH = "/v1/home"
APP = ["Accept: application/json", "User-Agent: HomeApp/5.2 (iPhone; iOS 18.1)"]
ACCEPTED = 'sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519"'
AS_APP = ["Accept-Encoding: gzip"] + APP
BROTLI = "gzip, deflate, br"  # as URLSession and browsers send it
BROTLI_MODULE = pathlib.Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")


# Servers

class Bench:
    """The servers that are compared, each on a port of its own, and their processes."""

    def __init__(self, hearth, folder, loops):
        self.hearth, self.folder, self.loops, self.started = hearth, folder, loops, []
        self.load = os.getloadavg()[0]
        self.ports = {name: free_port() for name in ("hearth", "hearth-admin", "fresh", "fresh-admin", "nginx", "floor",
                                                     "floor-br", "floor304", "floor-part")}
        self.tokens = {}

    def serve_home(self, server, environment={}):
        """A server with a database of its own that has the demo's home; returns its process once it is ready."""
        folder = tempfile.mkdtemp(prefix=f"{server}-", dir=self.folder)
        config = ["--config", str(ROOT / "config"), "--database", f"{folder}/hearth.db"]
        command = lambda *words: subprocess.run(
            [self.hearth, *words, *config], check=True, capture_output=True, text=True)
        command("migrate", "up")
        command("demo")
        made = command("token", "create", "--name", "bench", "--role", "admin").stdout
        self.tokens[server] = made.strip().split()[-1]
        self.run([self.hearth, "serve", *config, "--listen", f"127.0.0.1:{self.ports[server]}",
                  "--admin-listen", f"127.0.0.1:{self.ports[f'{server}-admin']}"],
                 {"HEARTH_LOG_LEVEL": "error", "HEARTH_PUBLIC_LOOPS": str(self.loops),
                  "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **environment})
        self.poll(server, "/readyz", 200)
        return self.started[-1]

    @contextlib.contextmanager
    def fresh(self, environment={}):
        """A server of its own, called fresh: one that has grown before has room for what is measured already."""
        process = self.serve_home("fresh", environment)
        try: yield
        finally: self.stop([process])

    def start(self):
        self.serve_home("hearth")
        head, body = self.poll("hearth", PATH, 200)
        self.tag, self.body, self.brotli = head["etag"], body, self.poll("hearth", PATH, 200, "br")[1]
        root = self.folder / "root" / "v1"
        root.mkdir(parents=True)
        for name, form in (("gz", self.body), ("br", self.brotli)):
            (self.folder / f"home.{name}").write_bytes(form)
            (root / f"home.{name}").write_bytes(form)
        (root / "home").write_bytes(b"{}")  # brotli_static looks for it beside the other forms
        for path in (self.folder, self.folder / "root", root): path.chmod(0o755)
        text = (HERE / "nginx.conf.in").read_text()
        self.has_brotli = BROTLI_MODULE.exists()
        for word, value in (("FOLDER", self.folder), ("LOOPS", self.loops), ("PORT", self.ports["nginx"]),
                            ("MODULES", f"load_module {BROTLI_MODULE};" if self.has_brotli else ""),
                            ("BROTLI", "brotli_static on;" if self.has_brotli else "")):
            text = re.sub(rf"\b{word}\b", str(value), text)
        (self.folder / "nginx.conf").write_text(text)
        self.run(["nginx", "-e", str(self.folder / "nginx.log"), "-c", str(self.folder / "nginx.conf"),
                  "-g", "daemon off;"])
        floor, loops = str(self.folder / "floor"), str(self.loops)
        self.run([floor, str(self.ports["floor"]), str(self.folder / "home.gz"), loops])
        self.run([floor, str(self.ports["floor-br"]), str(self.folder / "home.br"), loops, "br"])
        self.run([floor, str(self.ports["floor304"]), "-", loops])
        head, same = self.poll("nginx", PATH, 200)
        if same != body: sys.exit("bench: nginx does not send the same bytes")
        self.nginx_tag = head["etag"]
        self.poll("floor", PATH, 200)
        if self.has_brotli and self.poll("nginx", PATH, 200, "br")[1] != self.brotli:
            sys.exit("bench: nginx does not send the same bytes as br")
        self.poll("floor-br", PATH, 200)
        self.poll("floor304", PATH, 304)

    def run(self, command, environment={}):
        self.started.append(subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL))

    def stop(self, processes=None):
        """Stops some of the servers, all of them by default."""
        processes = self.started if processes is None else processes
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try: process.wait(15)
            except subprocess.TimeoutExpired: process.kill()

    def poll(self, server, path, status, coding="gzip"):
        """One answer, once the server is there; with br, once it is made."""
        for attempt in range(200):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.ports[server], timeout=5)
                connection.request("GET", path, headers={"Accept-Encoding": coding})
                answer = connection.getresponse()
                body = answer.read()
                is_coded = coding == "gzip" or answer.headers["Content-Encoding"] == coding
                if answer.status == status and is_coded:
                    return {name.lower(): value for name, value in answer.getheaders()}, body
            except OSError: pass
            time.sleep(0.05)
        sys.exit(f"bench: {server} does not answer {status} on {path}")

    def pids(self, server):
        out = subprocess.run(["ss", "-ltnpH", f"sport = :{self.ports[server]}"], capture_output=True, text=True).stdout
        return sorted({int(pid) for pid in re.findall(r"pid=(\d+)", out)})

    def cpu(self, server):
        ticks = 0
        for pid in self.pids(server):
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICK

    def memory(self, server, kind="Pss"):
        lines = [line for pid in self.pids(server) for line in open(f"/proc/{pid}/smaps_rollup")]
        return sum(int(line.split()[1]) for line in lines if line.startswith(kind + ":")) * 1024


# Measuring

def wrk(bench, server, seconds, connections=64, fields=AS_APP, script=None, shapes=None, path=PATH):
    """CPU microseconds a poll, polls a second."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", *sum((["-H", field] for field in fields), [])]
    if script: command += ["-s", str(HERE / script)]
    before = bench.cpu(server)
    out = subprocess.run(command + [f"http://127.0.0.1:{bench.ports[server]}{path}"], capture_output=True, text=True,
                         env={**os.environ, "SHAPES": str(shapes or "")}).stdout
    spent = bench.cpu(server) - before
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: .*", out)
    if bad: print(f"  {server}: {bad.group(0)}", file=sys.stderr)
    count = int(re.search(r"(\d+) requests in", out).group(1))
    return spent / count * 1e6, float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


def compare(bench, options, cases):
    """Loads each of `cases` (name: keywords of wrk) in turn, some rounds; medians, and the ratio of one to another in
    each round."""
    rounds = [{name: wrk(bench, seconds=options.seconds, **case) for name, case in cases.items()}
              for _ in range(options.rounds)]
    cpu = {name: statistics.median(turn[name][0] for turn in rounds) for name in cases}
    rate = {name: statistics.median(turn[name][1] for turn in rounds) for name in cases}
    return cpu, rate, lambda one, other, kind=0: [turn[one][kind] / turn[other][kind] for turn in rounds]


class Report:
    """The rows of each measurement that was made."""

    def __init__(self): self.rows = {}

    def begin(self, measure):
        self.measure, self.rows[measure] = measure, []

    def fail(self):
        """What was measured in part takes no row's place."""
        del self.rows[self.measure]

    def add(self, what, measured, values, goal, at_most=True):
        """A row of what was measured in rounds: one value for each."""
        self.note(Row(what, measured, values, goal, at_most))

    def add_exact(self, what, measured, value, goal):
        """A row of what is the same whenever it is measured."""
        self.note(Row(what, measured, [value], goal, exact=True))

    def note(self, row):
        self.rows[self.measure].append(row)
        _, what, measured, value, rounds, goal, verdict, _ = row.cells(self.measure, "")
        print(f"{verdict}: {what}: {measured}; {value} ({rounds}) {goal}", flush=True)

    def counts(self):
        verdicts = [row.verdict for rows in self.rows.values() for row in rows]
        return {verdict: verdicts.count(verdict) for verdict in ("held", "missed", "not decided", "no goal")}


def polls(bench, options, report):
    for what, tag, floor in (("200", None, "floor"), ("304", bench.tag, "floor304")):
        own = AS_APP + ([f"If-None-Match: {tag}"] if tag else [])
        theirs = AS_APP + ([f"If-None-Match: {bench.nginx_tag}"] if tag else [])
        cpu, rate, ratio = compare(bench, options, {
            "floor": dict(server=floor, fields=own), "hearth": dict(server="hearth", fields=own),
            "nginx": dict(server="nginx", fields=theirs)})
        measured = ", ".join(f"{name} {cpu[name]:.2f} µs" for name in cpu)
        report.add(f"CPU of a {what} poll, to the floor", measured, ratio("hearth", "floor"), 1.05)
        report.add(f"CPU of a {what} poll, to nginx", measured, ratio("hearth", "nginx"), 0.80)
        if what == "200":
            report.add("polls a second at 64 connections, to nginx",
                       f"hearth {rate['hearth']:.0f}, nginx {rate['nginx']:.0f}",
                       ratio("hearth", "nginx", 1), 1, at_most=False)
    brotli = [f"Accept-Encoding: {BROTLI}"] + APP
    cases = {"floor": dict(server="floor-br", fields=brotli), "hearth": dict(server="hearth", fields=brotli),
             "hearth gzip'd": dict(server="hearth")}
    if bench.has_brotli: cases["nginx"] = dict(server="nginx", fields=brotli)
    cpu, rate, ratio = compare(bench, options, cases)
    measured = ", ".join(f"{name} {cpu[name]:.2f} µs" for name in cpu)
    report.add("CPU of a 200 poll with br, to one with gzip", measured, ratio("hearth", "hearth gzip'd"), 1.03)
    report.add("CPU of a 200 poll with br, to the floor with the same bytes", measured, ratio("hearth", "floor"), 1.05)
    if bench.has_brotli:
        report.add("CPU of a 200 poll with br, to nginx with brotli_static", measured, ratio("hearth", "nginx"), 0.80)
    cpu, rate, ratio = compare(bench, options, {
        "floor": dict(server="floor", script="rotate.lua"), "hearth": dict(server="hearth", script="rotate.lua")})
    report.add("CPU of a 200 poll, 50 shapes in rotation, to the floor",
               f"floor {cpu['floor']:.2f} µs, hearth {cpu['hearth']:.2f} µs", ratio("hearth", "floor"), 1.25)
    for what, fields in (("200", AS_APP), ("304", AS_APP + [f"If-None-Match: {bench.tag}"])):
        cpu, rate, ratio = compare(bench, options, {
            "one": dict(server="hearth", fields=fields),
            "sixteen": dict(server="hearth", fields=fields, script="pipeline.lua")})
        report.add(f"CPU of a {what} poll, 16 pipelined, to one at a time",
                   f"one {cpu['one']:.2f} µs, of sixteen {cpu['sixteen']:.2f} µs", ratio("sixteen", "one"), 0.35)
    cpu, rate, ratio = compare(bench, options, {
        "nginx": dict(server="nginx", connections=2000), "hearth": dict(server="hearth", connections=2000)})
    report.add("polls a second at 2,000 connections, to nginx",
               f"hearth {rate['hearth']:.0f}, nginx {rate['nginx']:.0f}",
               ratio("hearth", "nginx", 1), 1, at_most=False)


def signed(bench, options, report):
    """Polls with signatures and without, of one server that has a key."""
    keys = bench.folder / "keys"
    subprocess.run([bench.hearth, "keys", "create", "--folder", keys], check=True, stdout=subprocess.DEVNULL)
    with bench.fresh({"HEARTH_SIGNING_KEYS_FOLDER": str(keys)}):
        for what, fields in (("200", AS_APP), ("304", AS_APP + [f"If-None-Match: {bench.tag}"])):
            cpu, rate, ratio = compare(bench, options, {
                "unsigned": dict(server="fresh", fields=fields),
                "signed": dict(server="fresh", fields=fields + [f"Accept-Signature: {ACCEPTED}"])})
            report.add(f"CPU of a signed {what} poll, to an unsigned one",
                       ", ".join(f"{name} {cpu[name]:.2f} µs" for name in cpu), ratio("signed", "unsigned"), 1.03)


def idle(bench, options, report):
    def open_one():
        connection = socket.create_connection(("127.0.0.1", bench.ports["fresh"]))
        connection.sendall(f"GET {PATH} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data: data += connection.recv(65536)
        head, body = data.split(b"\r\n\r\n", 1)
        left = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1)) - len(body)
        while left > 0: left -= len(connection.recv(65536))
        return connection
    each = []
    for _ in range(options.rounds):
        with bench.fresh():
            open_one().close()
            before = bench.memory("fresh")
            held = [open_one() for _ in range(options.idle)]
            time.sleep(2)
            each.append((bench.memory("fresh") - before) / len(held))
            for connection in held: connection.close()
    report.add("bytes of an idle keep-alive connection", f"{options.idle} held", each, 512)


class Publishing:
    """Publishes the demo's home of one server ten times a second, for as long as this is entered."""

    def __init__(self, bench, server):
        self.bench, self.server, self.times, self.over = bench, server, [], threading.Event()
        self.thread = threading.Thread(target=self.publish)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *failure):
        self.over.set()
        self.thread.join()

    def publish(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.bench.ports[f"{self.server}-admin"], timeout=10)
        own = {"Authorization": f"Bearer {self.bench.tokens[self.server]}", "Content-Type": "application/json"}
        due = time.monotonic()
        while not self.over.wait(max(due - time.monotonic(), 0)):
            due = max(due + 0.1, time.monotonic())
            item = {"id": "bench", "kind": "ticker", "content": {"text": f"Number {time.time_ns()}"}}
            body = json.dumps({"items": [item]})
            started = time.monotonic()
            connection.request("PUT", "/admin/v1/pages/home/sections/marquee/content?publish=true", body, own)
            answer = connection.getresponse()
            text = answer.read()
            self.times.append(time.monotonic() - started)
            if answer.status >= 300: sys.exit(f"bench: a publish was answered {answer.status}: {text[:300]}")


def ripple(bench, options, report):
    """What publishes cost polls of the same server. A publisher takes processor time wherever it publishes, on two
    cores from polls: so the same publishes to another process of the program, by themselves, are the control.
    """
    def paced():
        words = [str(bench.folder / "paced"), str(bench.ports["hearth"]), PATH, str(most / 2)]
        out = subprocess.run([*words, str(options.seconds * 2), "64"],
                             capture_output=True, text=True, check=True).stdout.split()
        return float(out[2])

    def while_publishing(server):
        with Publishing(bench, server) as publishing: return paced(), publishing.times
    most = wrk(bench, "hearth", options.seconds)[1]
    turns, publishes = [], []
    with bench.fresh():
        for number in range(options.rounds):
            # Whoever comes second finds the machine otherwise: they take turns.
            servers = ("fresh", "hearth") if number % 2 else ("hearth", "fresh")
            turn = {"quiet": paced()}
            for server in servers:
                turn[server], times = while_publishing(server)
                if server == "hearth": publishes += times
            turns.append(turn)
    quiet, own, others = (statistics.median(turn[name] for turn in turns) for name in ("quiet", "hearth", "fresh"))
    # At half the most polls, with ten publishes a second.
    what = "p99.9 latency, publishes"
    measured = f"here {own:.0f} µs, elsewhere {others:.0f} µs, none {quiet:.0f} µs"
    ratio = lambda one, other: [turn[one] / turn[other] for turn in turns]
    report.add(f"{what} here to publishes elsewhere", measured,
               ratio("hearth", "fresh"), 1.15)
    report.add(f"{what} here to none",
               f"{len(publishes)} publishes, median {statistics.median(publishes) * 1e3:.1f} ms",
               ratio("hearth", "quiet"), 2)
    report.add(f"{what} elsewhere to none", measured,
               ratio("fresh", "quiet"), None)


def growth(bench, options, report):
    def send(count):
        sent = 0
        while sent < count:
            rate = wrk(bench, "fresh", 2, script="pipeline.lua")[1]
            sent += rate * 2
    grown, before = [], []
    for _ in range(options.rounds):
        with bench.fresh():
            send(50_000)
            before.append(bench.memory("fresh", "Rss"))
            send(options.requests)
            grown.append((bench.memory("fresh", "Rss") - before[-1]) / 2**20)
    report.add("MiB grown from 50 thousand polls to all",
               f"{statistics.median(before) / 2**20:.1f} MiB before, {options.requests} polls", grown, 2)


def change(bench, method, path, body, precondition="If-Match", server="hearth"):
    """One change by an operator, whatever the state of what is there; or of what is not, with If-None-Match."""
    connection = http.client.HTTPConnection("127.0.0.1", bench.ports[f"{server}-admin"], timeout=60)
    head = {"Authorization": f"Bearer {bench.tokens[server]}", "Content-Type": "application/json", precondition: "*"}
    connection.request(method, "/admin/v1" + path, json.dumps(body), head)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 300: sys.exit(f"bench: {method} {path} was answered {answer.status}: {text[:300]}")


def shapes(bench, name, clients, server="hearth"):
    """Files of polls without and with what each client holds, and how many pages differ; each poll has been answered
    once."""
    connection = http.client.HTTPConnection("127.0.0.1", bench.ports[server], timeout=60)
    plain, held, tags = [], [], set()
    for query, language in clients:
        connection.request("GET", f"{PATH}?{query}", headers={"Accept-Encoding": "gzip", "Accept-Language": language})
        answer = connection.getresponse()
        answer.read()
        tag = answer.headers["ETag"]
        tags.add(tag)
        plain.append(f"{query}\t{language}\t")
        held.append(f"{query}\t{language}\t{tag}")
    files = [bench.folder / f"{name}-{kind}" for kind in ("plain", "held")]
    for file, lines in zip(files, (plain, held)): file.write_text("\n".join(lines) + "\n")
    return *files, len(tags)


def audiences(bench, options, report):
    """Eight audiences on the home's sections, three locales, four rules by bucket."""
    members = [("wallet", "memberTier", 2), ("otc", "memberTier", 4), ("hxPrefecture", "memberTier", 6),
               ("broadcast", "memberTier", 8)]
    platforms = [("middleAd", "ios"), ("localService", "android"), ("beltAndRoad", "ios"), ("bottomNav", "android")]
    predicates = {section: {"attribute": name, "atLeast": least} for section, name, least in members}
    predicates |= {section: {"attribute": "platform", "in": [platform]} for section, platform in platforms}
    for section, predicate in predicates.items():
        change(bench, "PUT", f"/audiences/bench-{section.lower()}", predicate, "If-None-Match")
        document = read(bench, f"/pages/home/sections/{section}")
        audience = {"audience": f"bench-{section.lower()}"}
        change(bench, "PUT", f"/pages/home/sections/{section}", document | {"audience": audience})
    for arm in range(4):
        change(bench, "PUT", f"/pages/home/sort-rules/arm-{arm}", {
            "priority": 20 + arm, "audience": {"attribute": "bucket", "between": [arm * 25, arm * 25 + 24]},
            "indices": {"otc": arm, "wallet": 3 - arm}}, "If-None-Match")
    change(bench, "POST", "/pages/home/publish", {})
    clients = [(f"platform={platform}&memberTier={tier}&bucket={bucket}", language)
               for platform in ("ios", "android") for tier in (1, 3, 5, 9) for bucket in (7, 33, 60, 99)
               for language in ("zh-CN,zh;q=0.9", "vi-VN,vi;q=0.8", "en-GB,en;q=0.9")]
    plain, held, count = shapes(bench, "audiences", clients)
    rotate(bench, options, report, f"8 audiences, 3 locales, 4 rules ({count} variants in rotation)", plain, held, 1.25)


def rotate(bench, options, report, what, plain, held, goal, hearth="hearth"):
    for status, floor, file in (("200", "floor", plain), ("304", "floor304", held)):
        cpu, _, ratio = compare(bench, options, {
            name: dict(server=server, script="shapes.lua", shapes=file)
            for name, server in (("floor", floor), ("hearth", hearth))})
        report.add(f"CPU of a {status} poll with {what}, to the floor",
                   f"floor {cpu['floor']:.2f} µs, hearth {cpu['hearth']:.2f} µs", ratio("hearth", "floor"), goal)


#: The sections of 10,000 pages: for every bit of the bucket, the member's tier, the country and the platform.
COUNTRIES = ["VN", "US", "CN", "DE", "FR"]
BITS = {
    **{f"bucket-{bit}": ("bucket", [n for n in range(100) if n >> bit & 1]) for bit in range(7)},
    **{f"tier-{bit}": ("memberTier", [n for n in range(10) if n >> bit & 1]) for bit in range(4)},
    **{f"country-{bit}": ("country", [c for n, c in enumerate(COUNTRIES) if n >> bit & 1]) for bit in range(3)},
    "platform": ("platform", ["ios"])}
CLIENTS = [(f"platform={platform}&memberTier={tier}&bucket={bucket}&country={country}", "zh-CN")
           for platform in ("ios", "android") for tier in range(10) for bucket in range(100) for country in COUNTRIES]


def variants(bench, options, report):
    """10,000 pages that one home is."""
    plain, both, seconds, before = [], [], [], []
    rounds = min(options.rounds, LONG_ROUNDS)
    for turn in range(rounds):
        with bench.fresh():
            edit = lambda *words: change(bench, *words, server="fresh")
            image = {"url": "https://cdn.example.com/b.png", "width": 1047, "height": 342}
            item = {"id": "one", "kind": "banner", "content": {"image": image}}
            for name, (attribute, values) in BITS.items():
                audience = {"attribute": attribute, "in": values}
                edit("PUT", f"/pages/home/sections/{name}", {"kind": "middleAd", "audience": audience}, "If-None-Match")
                edit("PUT", f"/pages/home/sections/{name}/content", {"items": [item | {"id": f"{name}-one"}]})
            edit("POST", "/pages/home/publish", {})
            before.append(bench.memory("fresh", "Rss"))
            grown = lambda: (bench.memory("fresh", "Rss") - before[-1]) / 2**20
            *files, count = shapes(bench, "variants", CLIENTS, "fresh")
            plain.append(grown())
            seconds.append(as_brotli(bench, CLIENTS))
            both.append(grown())
            if turn == rounds - 1:
                rotate(bench, options, report, f"{count:,} variants in rotation", *files, 1.15, "fresh")
    report.add(f"MiB of {count:,} variants of the home when clients ask for gzip",
               f"{statistics.median(before) / 2**20:.0f} MiB before", plain, 70)
    report.add(f"MiB of {count:,} variants of the home when clients ask for gzip and br",
               f"br made in {statistics.median(seconds):.0f} s behind the loops", both, 115)


def as_brotli(bench, clients):
    """Asks for the page of each client as br, again and again until all have it; the seconds until then."""
    connection = http.client.HTTPConnection("127.0.0.1", bench.ports["fresh"], timeout=60)
    began = time.monotonic()
    while clients:
        left = []
        for query, language in clients:
            head = {"Accept-Encoding": BROTLI, "Accept-Language": language}
            connection.request("GET", f"{PATH}?{query}", headers=head)
            answer = connection.getresponse()
            answer.read()
            if answer.headers["Content-Encoding"] != "br": left.append((query, language))
        clients = left
        # One core makes some thirty a second of them: asking goes on when it has made a good part.
        if left: time.sleep(min(len(left) / 40, 20))
    return time.monotonic() - began


def sync_milliseconds(bench):
    """What it takes by itself to have a few bytes on the disk: a publish waits for that twice."""
    with open(bench.folder / "sync", "w+b", buffering=0) as file:
        file.write(bytes(65536))
        os.fsync(file.fileno())
        times = []
        for _ in range(50):
            file.seek(0)
            file.write(os.urandom(4096))
            started = time.monotonic()
            os.fdatasync(file.fileno())
            times.append(time.monotonic() - started)
    return statistics.median(times) * 1e3


def big(bench, options, report):
    """One item changed on a page of 200 sections of 100 items, in both ways that there are."""
    def item(section, number, title):
        image = {"url": f"https://img.example.com/{number}/{section}.png", "width": 88, "height": 88}
        return {"id": f"i{number}", "kind": "navigation", "action": {"url": f"app://items/{number}"},
                "content": {"title": title, "image": image}}
    change(bench, "PUT", "/pages/big", {"title": "Big", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30},
           "If-None-Match")
    for section in range(200):
        items = [item(section, number, f"Item {number} of {section * 2654435761 % 2**32:x}") for number in range(100)]
        change(bench, "PUT", f"/pages/big/sections/s{section}", {"kind": "middleNav", "items": items}, "If-None-Match")
    change(bench, "POST", "/pages/big/publish", {})
    took = {"at once": [], "draft and publish": []}
    for number in range(100):
        section = number * 37 % 200
        path = f"/pages/big/sections/s{section}/items/i{number % 100}"
        for way, times in took.items():
            title = f"Changed at {time.time_ns()}"
            if way == "at once":
                started = time.monotonic()
                change(bench, "PUT", path + "?publish=true", item(section, number % 100, title))
            else:
                change(bench, "PUT", path, item(section, number % 100, title))
                started = time.monotonic()
                change(bench, "POST", "/pages/big/publish", {})
            times.append((time.monotonic() - started) * 1e3)
    sync = sync_milliseconds(bench)
    for way, times in took.items():
        report.add(f"milliseconds of one item's change, published {way}, 200 sections of 100 items",
                   f"medians of 20 each, slowest {max(times):.0f} ms, one sync of the disk {sync:.1f} ms",
                   [statistics.median(times[first:first + 20]) for first in range(0, len(times), 20)], 15)


def feed(bench, options, report):
    """A feed of 10,000 items, of which 20 stand in the page."""
    rounds = []
    for turn in range(options.rounds):
        with bench.fresh():
            rounds.append(feed_round(bench))
            if turn == options.rounds - 1:
                path = rounds[-1]["path"]
                (bench.folder / "part.gz").write_bytes(bench.poll("fresh", path, 200)[1])
                bench.run([str(bench.folder / "floor"), str(bench.ports["floor-part"]), str(bench.folder / "part.gz"),
                           str(bench.loops)])
                bench.poll("floor-part", path, 200)
                cpu, _, ratio = compare(bench, options, {
                    "floor": dict(server="floor-part", path=path), "hearth": dict(server="fresh", path=path)})
    last, of = rounds[-1], lambda name: [one[name] for one in rounds]
    report.add_exact("bytes of a page with a feed of 10,000 items, 20 of them in the page", "gzip'd", last["page"],
                     4096)
    sizes = last["sizes"]
    report.add_exact("bytes of a part of 100 items",
                     f"gzip'd, median of {len(sizes)}, {min(sizes)} to {max(sizes)}", statistics.median(sizes), 8192)
    report.add("milliseconds of the first poll of a part when nothing of the list is ready",
               f"the others {statistics.median(of('others')):.1f} ms", of("first"), 500)
    report.add("MiB grown by the feed with all of its parts ready",
               f"{statistics.median(of('before')):.0f} MiB before, "
               f"{statistics.median(of('held')):.0f} by the publish alone", of("grown"), 100)
    report.add("CPU of a poll of a part, to the floor",
               f"floor {cpu['floor']:.2f} µs, hearth {cpu['hearth']:.2f} µs", ratio("hearth", "floor"), 1.10)
    report.add("milliseconds of one item's change of the feed, published at once",
               f"medians of {CHANGES} each, slowest {max(of('slowest')):.0f} ms", of("change"), 500)


def feed_round(bench):
    """What one server that gets the feed tells of it."""
    edit = lambda *words: change(bench, *words, server="fresh")
    mib = lambda: bench.memory("fresh", "Rss") / 2**20

    def item(number, title=None):
        title = title or f"Story {number}: what {number * 2654435761 % 2**32:x} means to you"
        url = f"https://img.example.com/stories/{number * 7919 % 2**24:06x}.jpg"
        return {"id": f"story-{number}", "kind": "article", "action": {"url": f"app://stories/{number}"}, "content": {
            "date": "2026-11-22T08:00:00Z", "title": title, "image": {"url": url, "width": 690, "height": 388}}}

    before = mib()
    edit("PUT", "/pages/feed", {"title": "Feed", "defaultLocale": "en", "locales": ["en"]}, "If-None-Match")
    stories = {"kind": "feed", "firstItems": 20, "items": [item(n) for n in range(10_000)]}
    edit("PUT", "/pages/feed/sections/stories", stories, "If-None-Match")
    edit("POST", "/pages/feed/publish", {})
    held = mib() - before
    page = bench.poll("fresh", "/v1/pages/feed", 200)[1]
    first = link = json.loads(gzip.decompress(page))["sections"][0]["more"]["href"]
    sizes, times = [], []
    while link:
        started = time.monotonic()
        _, part = bench.poll("fresh", link, 200)
        times.append((time.monotonic() - started) * 1e3)
        sizes.append(len(part))
        link = json.loads(gzip.decompress(part)).get("more", {}).get("href")
    grown, changes = mib() - before, []
    for number in range(CHANGES):
        started = time.monotonic()
        edit("PUT", f"/pages/feed/sections/stories/items/story-{number * 37}?publish=true",
             item(number * 37, f"Changed at {time.time_ns()}"))
        changes.append((time.monotonic() - started) * 1e3)
    return {"path": first, "page": len(page), "sizes": sizes, "first": times[0], "others": statistics.median(times[1:]),
            "before": before, "held": held, "grown": grown,
            "change": statistics.median(changes), "slowest": max(changes)}


def read(bench, path):
    connection = http.client.HTTPConnection("127.0.0.1", bench.ports["hearth-admin"], timeout=60)
    connection.request("GET", "/admin/v1" + path, headers={"Authorization": f"Bearer {bench.tokens['hearth']}"})
    return json.loads(connection.getresponse().read())


def large(bench, options, report):
    """100,000 items: the import, the memory, the start."""
    rounds = [content.measure(options.hearth, ROOT / "config", bench.folder / f"large-{turn}", free_port(), free_port())
              for turn in range(options.rounds)]
    of = lambda name: [one[name] for one in rounds]
    report.add(f"{content.WHAT}: resident memory, MB",
               f"{statistics.median(of('loaded')):.0f} after a start without a snapshot, "
               f"{statistics.median(of('again')):.0f} after one with", list(map(max, of("loaded"), of("again"))), 110)
    report.add("the same: start to the first 200, s", f"{statistics.median(of('first')):.2f} without a snapshot",
               of("start"), 0.25)
    report.add("the same: hearth import --publish, s", "", of("import"), 5)


def sizes(bench, options, report):
    """Bytes on the wire: the demo's pages and change sets as br, beside gzip."""
    report.add_exact("bytes of the demo home as br", f"gzip'd {len(bench.body)}", len(bench.brotli), 5500)
    spring = [len(bench.poll("hearth", "/v1/pages/activity-spring", 200, coding)[1]) for coding in ("gzip", "br")]
    report.add_exact("the demo's activity-spring: br to gzip",
                     f"{spring[1]} and {spring[0]} bytes", spring[1] / spring[0], 0.80)
    for what, _, _, gzipped, brotli in changes.measure(options.hearth, bench.folder, "zh-Hans"):
        if what in changes.WITHOUT_BROTLI_GOAL: continue
        report.add_exact(f"change set of the demo home, {what}: br to gzip",
                         f"{brotli} and {gzipped} bytes", brotli / gzipped, changes.BROTLI_SHARE)


def stamp(bench, options):
    """What a run says of itself in the table: the program, the machine, the time."""
    version = subprocess.run([options.hearth, "version"], check=True, capture_output=True, text=True).stdout.strip()
    models = re.findall(r"^model name\s*: (.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    when = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    nginx = "" if bench.has_brotli else "; this nginx has no module for br"
    return (f"{version}, {when}, {os.cpu_count()} cores of {models[0] if models else platform.machine()}, "
            f"Linux {platform.release()}, {options.rounds} rounds of {options.seconds} s, {bench.loops} loops, "
            f"the demo home of {len(bench.body)} bytes gzip'd, load average before {bench.load:.1f}{nginx}")


MEASURES = [sizes, idle, polls, signed, ripple, growth, big, large, feed, audiences, variants]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hearth", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--idle", type=int, default=8000)
    parser.add_argument("--requests", type=int, default=5_000_000)
    parser.add_argument("--loops", type=int, default=os.cpu_count())
    parser.add_argument("--only", nargs="+", default=[], choices=[measure.__name__ for measure in MEASURES],
                        help="this measurement alone, or several: only their rows of docs/benchmarks.md change")
    parser.add_argument("--dry", action="store_true", help="print the rows, and leave docs/benchmarks.md as it is")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-bench-"))
    bench, report, failed = Bench(options.hearth, folder, options.loops), Report(), []
    try:
        for name in ("floor", "paced"):
            subprocess.run(["cc", "-O2", "-pthread", str(HERE / f"{name}.c"), "-o", str(folder / name)], check=True)
        bench.start()
        for measure in MEASURES:
            if options.only and measure.__name__ not in options.only: continue
            began = time.monotonic()
            report.begin(measure.__name__)
            try: measure(bench, options, report)
            # What others have measured is not lost by it.
            except (Exception, SystemExit):
                traceback.print_exc()
                report.fail()
                failed.append(measure.__name__)
            print(f"{measure.__name__}: {time.monotonic() - began:.0f} s", flush=True)
        if not options.dry:
            file = ROOT / "docs" / "benchmarks.md"
            names = [measure.__name__ for measure in MEASURES]
            file.write_text(written(file.read_text(), names, report.rows, stamp(bench, options)))
    finally:
        bench.stop()
        shutil.rmtree(folder, ignore_errors=True)
    counts = report.counts()
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items())
          + (f"; not measured: {', '.join(failed)}" if failed else ""))
    sys.exit(bool(failed or counts["missed"]))


main()
