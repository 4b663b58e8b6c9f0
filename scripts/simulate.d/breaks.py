"""Breaks rules of publication on purpose, so that the simulator is seen to notice. Hearth has no such switch: the
sources are changed in a layer over them, which is gone afterwards."""
import collections, os

Break = collections.namedtuple("Break", "what path old new")
BREAKS = {}
SERVING, STORAGE = "Sources/Serving", "Sources/Storage"

SWITCH = """import Foundation

private let broken = ProcessInfo.processInfo.environment["HEARTH_BREAK"]

/// Whether a rule is broken on purpose.
package func isBroken(_ rule: String) -> Bool { broken == rule }
"""


def breaks(name, what, path, old, new):
    BREAKS[name] = Break(what, path, old, new.replace("BROKEN", f'isBroken("{name}")'))


breaks("late-edition", "an edition takes the place of a newer one", f"{SERVING}/Live.swift",
       "for edition in change.editions where state.admits(edition)",
       "for edition in change.editions where BROKEN || state.admits(edition)")
breaks("lost-lineup", "a loop does not learn that there is a newer lineup", f"{SERVING}/Live.swift",
       "before.end(with: state.lineup)", "if !BROKEN { before.end(with: state.lineup) }")
breaks("early-answer", "a publish is acknowledged before it is live", f"{SERVING}/Publisher.swift",
       "await makeLive(LiveChange(editions: [edition], wasDue: wasDue))",
       """let change = LiveChange(editions: [edition], wasDue: wasDue)
        if BROKEN { Task { await makeLive(change) } } else { await makeLive(change) }""")
breaks("other-kinds", "a publish goes on although the kinds are others", f"{SERVING}/Publisher.swift",
       "guard candidate.kinds.map({ $0 == kinds.hash }) ?? true else",
       "guard BROKEN || candidate.kinds.map({ $0 == kinds.hash }) ?? true else")
breaks("late-counter", "what others change during a look is taken for seen", f"{SERVING}/Publisher+Following.swift",
       "    foreignChanges.withLock { $0.read = counter }\n    return true",
       """    let later = try? await store.externalChangeCounter()
    foreignChanges.withLock { $0.read = BROKEN ? later : counter }
    return true""")
breaks("hasty-successor", "a successor does not wait for what is under way", f"{SERVING}/ChangeGate.swift",
       "        if state.underWay > 0 { state.waiting.append(continuation) }\n        return state.underWay == 0",
       """        if BROKEN { return true }
        if state.underWay > 0 { state.waiting.append(continuation) }
        return state.underWay == 0""")
breaks("stale-publish", "a publish does not notice that it comes to something else by now",
       f"{STORAGE}/Writing/ReadSet.swift", "guard try ReadSet(places, change.db).confirms(next.reads) else",
       "guard try BROKEN || ReadSet(places, change.db).confirms(next.reads) else")
breaks("lost-answer", "the answer of a request with a key is not kept", f"{STORAGE}/Writing/Store+Idempotency.swift",
       "guard let keeper else { return }", "guard let keeper, !BROKEN else { return }")
breaks("doubled-request", "a request counts although another node has answered it",
       f"{STORAGE}/Writing/Store+Idempotency.swift", "guard count > 0 else {\n      throw",
       "guard count > 0 || BROKEN else {\n      throw")
breaks("schedule-stays", "what was scheduled stays so once it is published",
       f"{STORAGE}/Publishing/Candidate+Making.swift",
       "case .scheduled: if let scheduled = prospect.scheduled { try remove(scheduled) }",
       "case .scheduled: if let scheduled = prospect.scheduled, !BROKEN { try remove(scheduled) }")
breaks("lost-push", "what a source pushes is undone by what is scheduled", f"{STORAGE}/Sections/Store+Overlays.swift",
       "guard let next = prospect.edited[former], next.fingerprint != former else",
       "guard let next = prospect.edited[former], next.fingerprint != former, !BROKEN else")
breaks("lost-turn", "who waits for the turn to write is not woken", f"{STORAGE}/Writing/WriteQueue.swift",
       "next?.turn.resume(returning: true)", "if !BROKEN { next?.turn.resume(returning: true) }")


def apply(root):
    """Changes the sources below a folder, each rule broken where the environment's HEARTH_BREAK names it."""
    with open(f"{root}/Sources/Threads/Broken.swift", "w") as file:
        file.write(SWITCH)
    for name, rule in BREAKS.items():
        path = os.path.join(root, rule.path)
        with open(path) as file:
            text = file.read()
        if text.count(rule.old) != 1:
            raise SystemExit(f"{rule.path} does not have what {name} breaks, or more than once; see {__file__}")
        text = text.replace(rule.old, rule.new)
        if "import Threads\n" not in text:
            text = f"import Threads\n{text}"
        with open(path, "w") as file:
            file.write(text)
