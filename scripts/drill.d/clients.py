"""Who polls: one client at each node, one behind the front that believes everything, and some that keep to
Hearth-Revision."""
import hashlib, http.client, json, random, re, subprocess, threading, time

from history import Poll, edition
from servers import ROOT

PAGES = ["push", "publish", "race", "due"]
TARGET = "/v1/pages/{}?locale=en"
TIMEOUT = 12


class Poller(threading.Thread):
    """Polls all pages over one connection: of one node (`of` is its name), or of the front."""

    def __init__(self, world, name, address, of, seed):
        super().__init__(daemon=True)
        self.history, self.name, self.address, self.of = world.history, name, address, of
        self.draw, self.ends, self.tags, self.looked = random.Random(seed), threading.Event(), {}, {}

    def run(self):
        connection = None
        while not self.ends.wait(0.02):
            for page in PAGES:
                start = time.monotonic()
                try:
                    if connection is None:
                        connection = http.client.HTTPConnection(self.address, timeout=TIMEOUT)
                    connection.request("GET", TARGET.format(page), headers=self.fields(page))
                    response = connection.getresponse()
                    body = response.read()
                except (OSError, http.client.HTTPException) as error:
                    connection.close()
                    connection = None
                    self.note(start, page, 0, None, None, None, f"{type(error).__name__}: {error}")
                    self.ends.wait(0.1)
                    continue
                self.take(start, page, response, body)

    def fields(self, page):
        """In turns: the whole page, whether it has changed, what has changed."""
        tag, turn = self.tags.get(page), self.draw.randrange(3)
        if not tag or turn == 0: return {}
        return {"If-None-Match": tag} | ({"A-IM": "hearth-changes"} if turn == 1 else {})

    def take(self, start, page, response, body):
        tag = response.headers["ETag"]
        version, title, trouble = tag and re.sub(r'^W/"|"$', "", tag), None, None
        if response.status == 200:
            title, trouble = self.look(page, version, body)
            self.tags[page] = tag
        self.note(start, page, response.status, edition(response.headers["Hearth-Revision"]), version, title, trouble)

    def note(self, start, page, status, its_edition, version, title, trouble):
        self.history.append(Poll(
            start, time.monotonic(), self.name, self.of, page, status, its_edition, version, title, trouble, None))

    def look(self, page, version, body):
        """The one title of a page, and what is wrong with its bytes; each version is looked at once."""
        key = (page, version, hash(body))
        if key not in self.looked:
            self.looked[key] = look(page, version, body)
        return self.looked[key]

    def end(self):
        self.ends.set()
        self.join(30)


def look(page, version, body):
    # docs/protocol.md, "The version": the hash of the body without it.
    without = re.sub(rb'^(\{"page":"[^"]*"),"version":"[^"]*"', rb"\1", body)
    found = hashlib.sha256(without).hexdigest()[:16]
    titles = set(re.findall(r'"title":"([^"]*)"', body.decode()))
    if found != version:
        return None, f"the bytes of {page} are {found}, and its tag says {version}"
    if len(titles) != 1 or f'"page":"{page}"' not in body.decode():
        return None, f"{page} is not of one revision: {sorted(titles)}"
    return titles.pop(), None


class RuleKeepers:
    """Clients of hearth-client in a process of their own: they apply changes, and never go back."""

    def __init__(self, world, count, is_careless):
        self.history = world.history
        self.first, self.all = set(), count * len(PAGES)
        self.process = subprocess.Popen(
            ["node", f"{ROOT}/scripts/drill.d/client.mjs", f"http://{world.front_address}", str(count),
             "careless" if is_careless else "careful", *PAGES],
            stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.ends = threading.Event()

    def read(self):
        # Their clock is not this one: what counts is when they were asked and answered here, nearly.
        shift = None
        for line in self.process.stdout:
            poll = json.loads(line)
            if poll["status"] == 200: self.first.add((poll["client"], poll["page"]))
            shift = time.monotonic() - poll["end"] if shift is None else min(shift, time.monotonic() - poll["end"])
            self.history.append(Poll(
                poll["start"] + shift, poll["end"] + shift, poll["client"], "front", poll["page"], poll["status"],
                edition(poll["edition"]), poll["version"], poll["title"], poll["trouble"], edition(poll["held"])))

    def have_begun(self):
        """Whether each has had its first page: what the front never had it cannot give while all nodes are away."""
        return len(self.first) == self.all

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        self.reader.join(30)
