/// A change is committed, and this process does not serve what it made live: it cannot be read now. The next look at the
/// database makes up for it.
public struct NotServedYet: Error, CustomStringConvertible {
  /// Why it cannot be read.
  public let reason: String

  /// The fact, in words.
  public var description: String {
    "the change was committed, and this server does not serve it yet, because it cannot be read: \(reason)"
  }
}
