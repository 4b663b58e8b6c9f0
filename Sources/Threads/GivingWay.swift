import Foundation
import Glibc

/// From now on the thread that calls this is scheduled for what the threads of loops leave of the cores, and for a small
/// share where they leave nothing.
///
/// Whatever takes longer than a poll calls it first: compiling, compressing, linting, everything in the database. It runs
/// on threads that Dispatch and Swift's tasks share, none of which answers polls, so that none is ever raised again. It
/// costs one system call.
///
/// The main thread is never lowered: a thread begins with the priority of the one that starts it, and only the main
/// thread starts those of loops.
public func giveWayToLoops() {
  guard !Thread.isMainThread else { return }
  _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
}

/// A tenth of the share of a loop on the same core (docs/decisions/0038).
private let niceness: Int32 = 10
