import Synchronization

/// Who may have a connection: counted for all loops together, when one opens and when it closes, never a request.
final class Admission: Sendable {
  /// Connections that may be open at once.
  let connectionsMax: Int
  private let perAddressMax: Int
  private let loopbackIsUnlimited: Bool
  private let connections = Atomic<Int>(0)
  private let perAddress = Mutex<[UInt64: Int]>([:])
  private let lastLog = Atomic<Int64>(.min)

  init(limits: Limits) {
    connectionsMax = limits.connectionsMax ?? max(Linux.descriptorsMax() / 2, 16)
    perAddressMax = limits.connectionsPerAddressMax
    loopbackIsUnlimited = limits.loopbackIsUnlimited
  }

  /// Connections open now.
  var count: Int { connections.load(ordering: .relaxed) }

  /// Counts a connection in, or refuses it. What is counted in must ``leave(_:)``.
  func enter(_ peer: PeerAddress) -> Bool {
    guard connections.add(1, ordering: .relaxed).newValue <= connectionsMax else {
      connections.subtract(1, ordering: .relaxed)
      return false
    }
    guard isCounted(peer) else { return true }
    let isAdmitted = perAddress.withLock { counts in
      let count = counts[peer.client, default: 0]
      guard count < perAddressMax else { return false }
      counts[peer.client] = count + 1
      return true
    }
    if !isAdmitted { connections.subtract(1, ordering: .relaxed) }
    return isAdmitted
  }

  func leave(_ peer: PeerAddress) {
    connections.subtract(1, ordering: .relaxed)
    guard isCounted(peer) else { return }
    perAddress.withLock { counts in
      let count = counts[peer.client, default: 1] - 1
      counts[peer.client] = count > 0 ? count : nil
    }
  }

  /// Whether to tell that connections are turned away: once a second.
  ///
  /// - Parameter now: Nanoseconds since 1970.
  func logsShedding(at now: Int64) -> Bool {
    let second = now / 1_000_000_000
    return lastLog.exchange(second, ordering: .relaxed) != second
  }

  private func isCounted(_ peer: PeerAddress) -> Bool {
    perAddressMax > 0 && !(loopbackIsUnlimited && peer.isLoopback)
  }
}
