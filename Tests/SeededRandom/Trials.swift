import Foundation

/// How many random cases a property is tried on.
package enum Trials {
  /// All of them where the environment's `HEARTH_TEST_TRIALS` is `all`, as in `scripts/prove`; otherwise, as in
  /// `scripts/test`, the first tenth of them, at least one.
  package static func count(_ all: Int) -> Int {
    ProcessInfo.processInfo.environment["HEARTH_TEST_TRIALS"] == "all" ? all : max(1, all / 10)
  }
}
