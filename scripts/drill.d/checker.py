"""Reads a history, and says what in it must not be. Each guarantee is a function that yields sentences."""
import collections

from history import Fault, Poll, Write

GUARANTEES = {}
# Seconds in which all nodes that are well serve what was acknowledged; measured is far less, on a machine with time.
BOUND = 3
ANSWER = 12  # seconds in which a change is answered, one way or the other, by a node that is there
MOMENT = 0.05  # seconds between what happened and when the drill noted it
GOOD = (200, 226, 304)


def guarantee(name):
    def register(function):
        GUARANTEES[name] = function
        return function
    return register


class Facts:
    """What several guarantees ask of a history."""

    def __init__(self, history):
        self.history = history
        self.polls = sorted(history.of(Poll), key=lambda poll: poll.start)
        self.writes = sorted(history.of(Write), key=lambda write: write.start)
        self.faults = history.of(Fault)
        self.cuts = history.notes("cut")
        self.acknowledged = [write for write in self.writes if 200 <= write.status < 300]
        # What was answered while history was cut may be gone, as an operator decided.
        self.kept = [write for write in self.acknowledged if not any(
            write.end >= cut["since"] and write.start <= cut["restored"] for cut in self.cuts)]
        self.nodes = sorted({poll.node for poll in self.polls} - {"front"})
        found = history.notes("database")
        self.database = found[-1] if found else None

    def times(self, node, isAway):
        """From when until when a node may not answer, or may be behind, in order."""
        return sorted((fault.start, fault.end) for fault in self.faults
                      if node in fault.away or (not isAway and node in fault.behind))


@guarantee("nothing acknowledged is lost")
def lost(facts):
    if facts.database is None:
        return
    revisions = {(page, generation_free): (kind, message, title)
                 for page, generation_free, kind, message, title in facts.database["revisions"]}
    doubtful = {(write.page, write.number) for write in facts.writes if write.status not in (200, 201, 412, 409)}
    # What was to be published may have been cut with the rest.
    edits = {(write.page, write.number) for write in facts.kept if write.what in ("edit", "push")}
    for write in facts.kept:
        if write.edition and write.what in ("push", "publish", "rollback"):
            found = revisions.get((write.page, write.edition[1]))
            if not found:
                yield f"{write.page}: revision {write.edition[1]} was acknowledged by {write.node}, and is not there"
            elif write.number is not None and found[2] != str(write.number) and write.what != "rollback" \
                    and (write.page, write.number) in edits and (write.page, int(found[2] or -1)) not in doubtful:
                yield (f"{write.page}: revision {write.edition[1]} was acknowledged with {write.number}, "
                       f"and has {found[2]}")
    # What the editors' winner wrote stands until another wins.
    races = [write for write in facts.writes if write.page == "race" and write.what == "race"]
    last = next((write for write in reversed(races) if write.status not in (412, 409)), None)
    is_contested = last and any(
        write.start <= last.end and write.end >= last.start and write.group != last.group for write in races)
    if last and last.status == 200 and not is_contested \
            and facts.database["drafts"].get("race") != str(last.number):
        if last in facts.kept:
            yield f"race: {last.number} was acknowledged, and the draft has {facts.database['drafts'].get('race')}"


@guarantee("revision numbers grow")
def numbers(facts):
    latest, seen = {}, {}
    changes = [write for write in facts.kept if write.edition and write.what in ("push", "publish", "rollback")]
    ended = sorted(changes, key=lambda write: write.end)
    position = 0
    for write in changes:
        while position < len(ended) and ended[position].end < write.start:
            before = ended[position]
            latest[before.page] = max(latest.get(before.page, (0, 0)), before.edition)
            position += 1
        other = seen.setdefault((write.page, write.edition), write)
        replayed = write.group is not None and other.group == write.group
        if other is not write and not replayed:
            yield f"{write.page}: two changes were given the number {write.edition}"
        # A request that is sent again is answered as it was.
        is_again = bool(write.group) and any(
            first.group == write.group and first.start < write.start for first in changes)
        if not is_again and write.edition <= latest.get(write.page, (0, 0)):
            first_try = [one for one in facts.writes if write.group and one.group == write.group]
            if not first_try or first_try[0].start >= write.start:
                yield f"{write.page}: {write.edition} was given after {latest[write.page]} had been answered"


@guarantee("one of many editors wins")
def winner(facts):
    won = collections.Counter((write.page, write.group) for write in facts.kept if write.what == "race")
    for (page, tag), count in won.items():
        if count > 1:
            yield f"{page}: {count} editors won with the tag {tag}"


@guarantee("a key happens once")
def key(facts):
    answers = collections.defaultdict(set)
    for write in facts.kept:
        if write.group and write.edition and write.what != "race":
            answers[write.page, write.group].add(write.edition)
    for (page, group), editions in answers.items():
        if len(editions) > 1:
            yield f"{page}: one key was answered with {sorted(editions)}"
    if facts.database is None:
        return
    made = collections.Counter((page, message) for page, _, kind, message, _ in facts.database["revisions"]
                               if message and kind != "scheduled")
    for (page, message), count in made.items():
        if count > 1:
            yield f"{page}: one key made {count} revisions"
    # What is pushed is sent once.
    pushed = collections.Counter(title for page, _, kind, _, title in facts.database["revisions"] if kind == "content")
    for title, count in pushed.items():
        if count > 1:
            yield f"push: {title} was sent once, and made {count} revisions"


@guarantee("what is scheduled happens once, in its time")
def schedule(facts):
    if facts.database is None:
        return
    made = collections.defaultdict(list)
    for page, number, kind, message, title, *at in facts.database["scheduled"]:
        made[message].append((number, at[0]))
    waiting = set(facts.database["waiting"])
    for one in facts.history.notes("scheduled"):
        revisions = made.get(one["key"], [])
        # What was scheduled before the generation was raised may have been cut, and is listed, not run, when it was due
        # before.
        is_excused = any(cut["since"] <= one["noted"] <= cut["until"] or one["key"] in waiting for cut in facts.cuts)
        if len(revisions) > 1:
            yield f"due: what was scheduled as {one['number']} made the revisions {[number for number, _ in revisions]}"
        elif not revisions and not is_excused and one["at"] < facts.database["now"] - BOUND:
            yield f"due: what was scheduled as {one['number']} did not happen"
        for number, at in revisions:
            # Whatever the nodes' clocks show: the database's counts.
            if at < one["at"]:
                yield f"due: revision {number} was made {one['at'] - at} s before its time"


@guarantee("a node never goes back, over restarts too")
def node_back(facts):
    served = {}
    for poll in sorted(facts.polls, key=lambda poll: poll.end):
        if poll.node == "front" or poll.status not in GOOD:
            continue
        key = (poll.node, poll.page)
        if poll.edition < served.get(key, (0, 0)):
            yield f"node {poll.node}: {poll.page} went back from {served[key]} to {poll.edition}"
        served[key] = max(served.get(key, (0, 0)), poll.edition)


@guarantee("what a node answered it serves")
def own(facts):
    yield from behind_of(facts, lambda write, node: write.end if write.node == node else None, "which it had answered")


@guarantee("what all nodes are said to serve they serve")
def served_by_all(facts):
    keys = {(note["page"], note["key"]) for note in facts.history.notes("served by all")}
    # By the last answer for that key it had been said.
    ends = {}
    for write in facts.kept:
        if (write.page, write.group) in keys:
            ends[write.page, write.group] = max(write.end, ends.get((write.page, write.group), 0))
    yield from behind_of(
        facts, lambda write, node: ends.get((write.page, write.group)), "which was answered as served by all")


@guarantee("all nodes serve what was answered, within the bound")
def behind(facts):
    def due(write, node):
        end = write.end + BOUND
        for start, over in facts.times(node, False):
            if start < end and over > write.start:
                end = max(end, over + BOUND)
        return end
    yield from behind_of(facts, due, f"which was answered more than {BOUND} s before")


def behind_of(facts, due, words):
    """Polls of a node that were answered with less than what was due when they were asked."""
    for node in facts.nodes:
        dues = collections.defaultdict(list)
        for write in facts.kept:
            if write.edition and write.what in ("push", "publish", "rollback") and (at := due(write, node)) is not None:
                dues[write.page].append((at, write.edition))
        for page, list_ in dues.items():
            list_.sort()
            position, least = 0, (0, 0)
            for poll in facts.polls:
                if poll.node != node or poll.page != page:
                    continue
                while position < len(list_) and list_[position][0] < poll.start:
                    least, position = max(least, list_[position][1]), position + 1
                if poll.status in GOOD and poll.edition < least:
                    yield f"node {node}: {page} is {poll.edition} instead of {least}, {words}"
                    break


@guarantee("no client that keeps to the rule goes back")
def client_back(facts):
    held, versions = {}, {}
    for poll in facts.polls:
        if poll.held is None:
            continue
        key = (poll.client, poll.page)
        if poll.held < held.get(key, (0, 0)):
            yield f"{poll.client}: {poll.page} went back from {held[key]} to {poll.held}"
        held[key] = max(poll.held, held.get(key, (0, 0)))


@guarantee("one number, one content")
def content(facts):
    versions = {}
    for poll in facts.polls:
        if poll.status not in GOOD or poll.version is None:
            continue
        other = versions.setdefault((poll.page, poll.edition), poll)
        if other.version != poll.version:
            yield (f"{poll.page}: {poll.edition} is {other.version} at {other.node} and {poll.version} at {poll.node}")
    titles = {(write.page, write.edition): str(write.number) for write in facts.kept
              if write.edition and write.what == "push"}
    for poll in facts.polls:
        wanted = titles.get((poll.page, poll.edition))
        if wanted and poll.status == 200 and poll.title is not None and poll.title != wanted and poll.held is None:
            yield f"{poll.page}: {poll.edition} is {poll.title}, and {wanted} was acknowledged"


@guarantee("every answer's bytes are of one revision and what its version says, changes too")
def sound(facts):
    for poll in facts.polls:
        is_said = poll.trouble and "dropped" not in poll.trouble and "the answer is of the edition" not in poll.trouble
        if poll.status in GOOD and is_said:
            yield f"{poll.client}: {poll.trouble}"


@guarantee("polls are answered whatever is broken behind the node")
def answered(facts):
    for poll in facts.polls:
        if poll.status in GOOD:
            continue
        times = facts.times(poll.node, True)
        if not any(start - MOMENT <= poll.end and poll.start <= over for start, over in times):
            yield f"{poll.client}: {poll.page} was answered {poll.status} ({poll.trouble}) by {poll.node}"


@guarantee("changes are answered as documented, and in time")
def answers(facts):
    allowed = {200, 201, 204, 409, 412, 503, 507}
    for write in facts.writes:
        away = any(start - MOMENT <= write.end and write.start <= over for start, over in facts.times(write.node, True))
        # Tried again after it was due, or of a revision that was cut.
        late = (write.what, write.status) in {("schedule", 422), ("rollback", 404 if facts.cuts else None)}
        if write.status not in allowed and not (write.status == 0 and away) and not late:
            yield (f"{write.node}: {write.what} on {write.page} was answered {write.status} ({write.code}) "
                   f"after {write.end - write.start:.1f} s")
        elif write.status == 503 and not away \
                and write.code not in ("database-unavailable", "database-gone", "busy", "draining"):
            yield f"{write.node}: {write.what} was refused with {write.code}"
        elif write.end - write.start > ANSWER and not away:
            yield (f"{write.node}: {write.what} on {write.page} was answered {write.status} "
                   f"only after {write.end - write.start:.1f} s")


@guarantee("all is well again by itself")
def recovery(facts):
    for failure in facts.history.notes("failure"):
        yield failure["what"]
    for crash in facts.history.notes("crash"):
        yield f"node {crash['node']}: {crash['line']}"


@guarantee("the audit has no gap")
def audit(facts):
    if facts.database and facts.database["gaps"] != 0:
        yield f"the audit's numbers have {facts.database['gaps']} gaps"


def check(history):
    """What must not be, by guarantee."""
    facts = Facts(history)
    return {name: list(function(facts)) for name, function in GUARANTEES.items()}
