import Synchronization

/// What everything that is kept ready for clients may take in memory, counted while it lives: bodies of every coding,
/// heads, change sets, encoded sections, the shapes of requests. Whoever keeps bytes that a client can make grow holds
/// a ``ByteCharge`` for them.
public final class ByteBudget: Sendable {
  /// The most bytes.
  public let bytesMax: Int
  private let count = Atomic<Int>(0)

  /// A budget of so many bytes.
  public init(bytesMax: Int) { self.bytesMax = max(bytesMax, 0) }

  /// The bytes that are kept now.
  public var bytes: Int { count.load(ordering: .relaxed) }

  /// Whether more is kept than may be: then what was used the longest ago has to go.
  public var isExceeded: Bool { bytes > bytesMax }

  fileprivate func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

/// Bytes counted in a budget for as long as this lives, perhaps of something that grows.
public struct ByteCharge: ~Copyable, Sendable {
  private let budget: ByteBudget
  private let count: Atomic<Int>

  /// Counts bytes.
  public init(_ bytes: Int = 0, in budget: ByteBudget) {
    self.budget = budget
    count = Atomic(bytes)
    budget.add(bytes)
  }

  deinit { budget.add(-bytes) }

  /// The bytes that it has counted.
  public var bytes: Int { count.load(ordering: .relaxed) }

  /// Counts more bytes.
  public func add(_ bytes: Int) {
    count.add(bytes, ordering: .relaxed)
    budget.add(bytes)
  }
}
