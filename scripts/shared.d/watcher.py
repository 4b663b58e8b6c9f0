"""A client of one node, for scripts that ask how far its pages have come."""
import http.client, threading, time


class Watcher(threading.Thread):
    """Polls all the time: which revision it saw first when, and that it never goes back."""

    def __init__(self, node, pause, violations):
        super().__init__(daemon=True)
        self.node, self.pause, self.violations, self.revision, self.ends = node, pause, violations, 0, False
        self.came, self.seen, self.polls = threading.Condition(), {}, 0
        self.start()

    def run(self):
        connection = http.client.HTTPConnection(self.node.addresses["public"], timeout=30)
        while not self.ends:
            connection.request("GET", "/v1/home", headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            response.read()
            self.polls += 1
            now, revision = time.perf_counter(), int(response.headers["Hearth-Revision"].split(".")[-1])
            if revision < self.revision:
                self.violations.append(
                    f"a client of {self.node.name} went back from revision {self.revision} to {revision}")
            if revision != self.revision:
                with self.came:
                    self.revision = revision
                    self.seen[revision] = now
                    self.came.notify_all()
            time.sleep(self.pause)

    def end(self):
        self.ends = True
        self.join(30)

    def wait(self, revision, seconds=10):
        """When it first saw this revision or a later one."""
        with self.came:
            if not self.came.wait_for(lambda: self.revision >= revision, seconds):
                self.violations.append(f"revision {revision} was not served by {self.node.name} within {seconds} s")
            return min((at for number, at in self.seen.items() if number >= revision), default=time.perf_counter())
