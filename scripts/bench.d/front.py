"""Many clients with HearthClient's requests behind config/nginx.conf; scripts/bench-front calls it."""
import argparse, heapq, http.client, itertools, json, multiprocessing, os, pathlib, random, re, resource, select, shutil
import socket, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/shared.d"))
from fronts import configure
from ports import free_port
PROCESSES = 4
APPS = (("ios", "android"), ("5.9.0", "6.0.0", "6.1.0"), ("zh-Hans", "en", "vi"))
MIXES = {
    "one": [("ios", "6.0.0", "en", None)],
    "apps": [(*app, None) for app in itertools.product(*APPS)],
    "buckets": list(itertools.product(*APPS, range(100))),
}


def target(attributes):
    """The URL as HearthClient writes it: attributes by name."""
    names = ("platform", "appVersion", "locale", "bucket")
    pairs = sorted((name, value) for name, value in zip(names, attributes) if value is not None)
    return "/v1/pages/home?" + "&".join(f"{name}={value}" for name, value in pairs)


# Clients

class Client:
    """One app: it holds a version and an edition, and keeps its connection."""
    __slots__ = ("target", "socket", "tag", "edition", "sent", "buffer", "is_anew")

    def __init__(self, target):
        self.target, self.socket, self.tag, self.edition, self.is_anew = target, None, None, (0, 0), False

    def request(self):
        lines = [f"GET {self.target} HTTP/1.1", "Host: home.example.com", "Accept: application/json",
                 "Accept-Encoding: gzip, deflate, br", "Accept-Language: en-GB,en;q=0.9", "User-Agent: Home/6.0.0"]
        if self.is_anew: lines.append("Cache-Control: no-cache")
        elif self.tag: lines += [f"If-None-Match: {self.tag}", "A-IM: hearth-changes"]
        return "\r\n".join(lines + ["", ""]).encode()

    def send(self, port, poller):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", port))
            self.socket.setblocking(False)
            poller.register(self.socket, select.EPOLLIN)
        self.sent, self.buffer = time.time(), b""
        self.socket.send(self.request())

    def answer(self):
        """The head and whether it is whole; `None` while it is not; an error when the connection is over."""
        data = self.socket.recv(262144)
        if not data: raise ConnectionError
        self.buffer += data
        head, separator, body = self.buffer.partition(b"\r\n\r\n")
        if not separator: return None
        fields = {name.lower(): value for name, value in (line.split(b": ", 1) for line in head.split(b"\r\n")[1:])}
        length = int(fields.get(b"content-length", 0))
        return None if len(body) < length else (int(head[9:12]), fields)


def run_clients(port, targets, end, results):
    """Polls until `end`, and hands over one tuple for each answer."""
    poller, clients, due, polls, failures = select.epoll(), {}, [], [], 0
    start = time.monotonic()
    for number, at in enumerate(targets):
        heapq.heappush(due, (start + random.random() * 30, number, Client(at)))
    while time.time() < end:
        now = time.monotonic()
        while due and due[0][0] <= now:
            _, number, client = heapq.heappop(due)
            client.send(port, poller)
            clients[client.socket.fileno()] = (number, client)
        wait = max(0.001, min(0.1, due[0][0] - now)) if due else 0.1
        for descriptor, _ in poller.poll(wait):
            number, client = clients[descriptor]
            try:
                answer = client.answer()
            except OSError:
                failures += 1
                poller.unregister(client.socket)
                client.socket.close()
                client.socket = None
                heapq.heappush(due, (time.monotonic() + 1 + random.random(), number, client))
                continue
            if answer is None: continue
            status, fields = answer
            edition = tuple(map(int, fields.get(b"hearth-revision", b"0.0").split(b".")))
            took = time.time() - client.sent
            went_back = edition < client.edition
            polls.append((client.sent, took, status, edition[1], fields.get(b"x-cache", b"").decode(),
                          went_back, client.is_anew))
            if status >= 400: failures += 1
            elif went_back and not client.is_anew:
                # Once more, past caches.
                client.is_anew = True
                heapq.heappush(due, (time.monotonic(), number, client))
                continue
            elif not went_back:
                client.tag, client.edition = fields[b"etag"].decode(), edition
            client.is_anew = False
            fresh = max(1, int(re.search(rb"max-age=(\d+)", fields.get(b"cache-control", b"max-age=30")).group(1)))
            heapq.heappush(due, (time.monotonic() + fresh + max(1, fresh / 10) * random.random(), number, client))
    results.put((polls, failures))


# Servers

class Setting:
    """One Hearth at two addresses, and the front before both."""

    def __init__(self, hearth, folder):
        os.chmod(folder, 0o755)
        self.node, self.admin, self.front, inner = (free_port() for _ in range(4))
        place = ["--config", str(ROOT / "config"), "--database", f"{folder}/hearth.db"]
        run = lambda *words: subprocess.run([hearth, *words, *place], check=True, capture_output=True, text=True).stdout
        run("demo")
        self.token = run("token", "create", "--name", "bench", "--role", "admin").split()[-1]
        self.processes = [subprocess.Popen(
            [hearth, "serve", *place, "--listen", f"0.0.0.0:{self.node}", "--admin-listen", f"127.0.0.1:{self.admin}"],
            env={**os.environ, "HEARTH_LOG_LEVEL": "error"})]
        nodes = [f"127.0.0.{n}:{self.node}" for n in (1, 2)]
        self.processes.append(subprocess.Popen(configure(
            folder, f"127.0.0.1:{self.front} backlog=4096", f"127.0.0.1:{inner}", nodes,
            {"proxy_cache second;": "proxy_cache second; add_header X-Cache $upstream_cache_status always;"})))
        while not self.is_ready(): time.sleep(0.05)

    def is_ready(self):
        assert all(process.poll() is None for process in self.processes), "a server ended"
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.front, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=60)
        connection.request(method, path, body and json.dumps(body), {
            "Authorization": f"Bearer {self.token}", "If-Match": "*", "Content-Type": "application/json"})
        response = connection.getresponse()
        data = response.read()
        assert response.status < 300, (path, response.status, data)
        return data

    def answered(self):
        text = self.ask("GET", "/metrics").decode()
        return sum(int(line.split()[-1]) for line in text.splitlines()
                   if line.startswith("hearth_http_responses_total{") and 'listener="public"' in line)

    def cpu(self):
        """Seconds of processor time of Hearth and of nginx with its workers."""
        def seconds(pid):
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        front = self.processes[1].pid
        workers = pathlib.Path(f"/proc/{front}/task/{front}/children").read_text().split()
        return seconds(self.processes[0].pid), sum(map(seconds, [front, *workers]))

    def stop(self):
        for process in self.processes: process.terminate()
        for process in self.processes: process.wait()


def publish(setting, turn):
    """Publishes another order and, in turns, goes back: returns when it was acknowledged, and the revision."""
    base = "/admin/v1/pages/home"
    if turn % 2 == 0:
        setting.ask("POST", f"{base}/sections/localService/move", {"first": True})
        answer = setting.ask("POST", f"{base}/publish", {})
    else:
        answer = setting.ask("POST", f"{base}/rollback", {"revision": 1, "draft": "reset"})
    return time.time(), json.loads(answer)["revision"]


def measure(options, mix):
    folder = tempfile.mkdtemp(prefix="hearth-front-")
    setting = Setting(options.hearth, folder)
    try:
        random.seed(7)
        targets = [target(random.choice(MIXES[mix])) for _ in range(options.clients)]
        # All have come once, and have come again.
        begin = time.time() + 40
        end = begin + options.seconds
        results = multiprocessing.Queue()
        workers = [
            multiprocessing.Process(target=run_clients, args=(setting.front, targets[n::PROCESSES], end + 1, results))
            for n in range(PROCESSES)]
        for worker in workers: worker.start()
        time.sleep(begin - time.time())
        published, turn = [(0, 1)], 0
        before, cpu = setting.answered(), setting.cpu()
        while time.time() < end:
            published.append(publish(setting, turn))
            turn += 1
            time.sleep(max(0, min(end, begin + turn * options.every) - time.time()))
        reached = setting.answered() - before
        used = [(after - first) / options.seconds * 100 for after, first in zip(setting.cpu(), cpu)]
        gathered = [results.get() for _ in workers]
        for worker in workers: worker.join()
    finally:
        setting.stop()
        shutil.rmtree(folder)
    polls = [poll for process, _ in gathered for poll in process if begin <= poll[0] < end]
    failures = sum(count for _, count in gathered)
    # How long before the poll something newer than its answer was acknowledged.
    staleness = []
    for sent, _, status, revision, *_ in polls:
        newer = next((at for at, number in published if number > revision and at > 0), None)
        if status < 400 and newer is not None and newer < sent: staleness.append(sent - newer)
    latencies = sorted(poll[1] * 1000 for poll in polls)
    at = lambda share: latencies[min(len(latencies) - 1, int(len(latencies) * share))]
    hits = sum(poll[4] == "HIT" for poll in polls)
    back, kept = sum(poll[5] and not poll[6] for poll in polls), sum(poll[5] and poll[6] for poll in polls)
    counts = {status: sum(poll[2] == status for poll in polls) for status in sorted({poll[2] for poll in polls})}
    worst = max(staleness, default=0)
    print(f"| {mix}, {len(set(targets))} URLs | {len(polls) / options.seconds:.0f} | {reached / options.seconds:.1f} | "
          f"{100 * hits / len(polls):.1f} % | "
          f"{100 * len(staleness) / len(polls):.2f} %, {worst:.2f} s | {back}, {kept} | "
          f"{at(0.5):.1f}, {at(0.99):.1f}, {at(0.999):.0f} ms | {used[1]:.0f} %, {used[0]:.0f} % |", flush=True)
    print(f"bench-front: {mix}: {counts}, {failures} failures, {len(published) - 1} publishes and rollbacks",
          file=sys.stderr)
    return worst <= 1.05 and kept == 0 and failures == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hearth", required=True)
    parser.add_argument("--clients", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--mix", default="one,apps,buckets")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("| clients | polls a second | reach nodes a second | from the cache "
          "| older than what was published: share, at most | handed something older, and again past the cache "
          "| p50, p99, p99.9 | CPU of nginx, of Hearth |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    sys.exit(0 if all([measure(options, mix) for mix in options.mix.split(",")]) else 1)


main()
