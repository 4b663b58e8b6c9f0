"""What a run prints."""
import collections, statistics

from checker import GUARANTEES
from history import Fault, Poll, Write


def tell(history):
    """Faults, requests, and how long things took."""
    faults, polls, writes = history.of(Fault), history.of(Poll), history.of(Write)
    by_name = collections.defaultdict(list)
    for fault in faults:
        by_name[fault.name].append(fault)
    print("\n| broken | times | seconds | all well again after, at most |\n|---|---|---|---|")
    for name, list_ in sorted(by_name.items(), key=lambda pair: -len(pair[1])):
        took = sum(one.end - one.start for one in list_)
        print(f"| {name} | {len(list_)} | {took:.0f} | {max(one.recovery for one in list_):.1f} s |")
    print(f"\n{len(faults)} faults of {len(by_name)} kinds")
    statuses = lambda events: ", ".join(f"{status or 'none'} {count:,}" for status, count in sorted(
        collections.Counter(event.status for event in events).items()))
    at_front = [poll for poll in polls if poll.node == "front"]
    print(f"{len(polls) - len(at_front):,} polls of nodes ({statuses(poll for poll in polls if poll.node != 'front')})")
    print(f"{len(at_front):,} polls through the front ({statuses(at_front)})")
    print(f"{len(writes):,} changes ({statuses(writes)}); acknowledged: " + ", ".join(
        f"{what} {count:,}" for what, count in sorted(collections.Counter(
            write.what for write in writes if 200 <= write.status < 300).items()))
        + f"; {len(history.notes('served by all')):,} publishes were said to be served by all nodes")
    for status, what in ((200, "acknowledged"), (503, "refused with 503")):
        times = sorted(write.end - write.start for write in writes if write.status == status)
        if times:
            print(f"changes were {what} after {1000 * statistics.median(times):.0f} ms (median), "
                  f"{times[-1]:.1f} s at most")


def show(found):
    """The violations by guarantee; whether there are any."""
    print("\n| guarantee | violations |\n|---|---|")
    for name, violations in found.items():
        print(f"| {name} | {len(violations)} |")
    for name, violations in found.items():
        for violation in violations[:8]:
            print(f"VIOLATION of «{name}»: {violation}")
    print(f"{sum(map(len, found.values()))} violations", flush=True)
    return any(found.values())


def self_test(found):
    """Each guarantee was broken on purpose: whether one was not caught."""
    missed = [name for name, violations in found.items() if not violations]
    for name, violations in found.items():
        example = f" (such as: {violations[0]})" if violations else ""
        print(f"{'caught' if violations else 'NOT CAUGHT'}: {name}{example}")
    print(f"{len(found) - len(missed)} of {len(GUARANTEES)} broken guarantees were caught")
    return bool(missed)
