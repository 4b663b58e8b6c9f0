"""What happened: every request with its answer, every fault, and what was found in the database at the end."""
import collections, json, threading, time

# One answer to a poll. `edition` is (generation, revision); `version` what its entity tag names; `trouble` what is
# wrong with its bytes by themselves, or nothing; `held` the edition that a client held that keeps to the rule,
# otherwise nothing.
Poll = collections.namedtuple("Poll", "start end client node page status edition version title trouble held")
# One answer to a change. `group` joins those of which one may win (one tag), or that are one (one Idempotency-Key).
Write = collections.namedtuple("Write", "start end node page what number group status code edition")
# What was broken from when until when (all is well again), whose polls may fail, and who may be behind.
Fault = collections.namedtuple("Fault", "start end name away behind recovery")
# Anything else, by name.
Note = collections.namedtuple("Note", "at what facts")
KINDS = {kind.__name__: kind for kind in (Poll, Write, Fault, Note)}


class History:
    def __init__(self):
        self.events, self.lock = [], threading.Lock()

    def append(self, event):
        with self.lock:
            self.events.append(event)

    def add(self, what, /, **facts):
        self.append(Note(time.monotonic(), what, facts))

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def notes(self, what):
        return [note.facts for note in self.of(Note) if note.what == what]

    def save(self, path):
        with open(path, "w") as file:
            for event in self.events:
                file.write(json.dumps([type(event).__name__, *event]) + "\n")

    @classmethod
    def load(cls, path):
        history = cls()
        pairs = lambda value: tuple(value) if isinstance(value, list) else value
        with open(path) as file:
            for line in file:
                name, *members = json.loads(line)
                history.events.append(KINDS[name](*map(pairs, members)))
        return history


def edition(text):
    """(generation, revision) of a field Hearth-Revision; `None` without one."""
    parts = (text or "").split(".")
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 else None
