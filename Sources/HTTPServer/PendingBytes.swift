import Synchronization

/// What all connections of a server have waiting, in octets: answers that the kernel has not taken, and requests that are
/// not whole or wait behind an answer. A ready response that several wait for counts once.
///
/// It is touched where something waits, never where an answer goes out at once.
final class PendingBytes: Sendable {
  private let most: Int
  private let total = Atomic<Int>(0)
  private let holders = Atomic<Int>(0)
  private let isAsked = Atomic<Bool>(false)
  private let mailboxes = Mutex<[Mailbox]>([])
  private let shared = Mutex<[ObjectIdentifier: Int]>([:])

  init(limits: Limits) { most = limits.pendingBytesMax }

  /// Octets that wait now.
  var count: Int { total.load(ordering: .relaxed) }

  /// Whether more waits than may. The only connection that has something waiting may have one answer of any size.
  var isExceeded: Bool { count > most && holders.load(ordering: .relaxed) > 1 }

  /// Whether enough room was made. The aim lies below the limit, so room is made seldom.
  var isRelieved: Bool { count <= most - most / 4 }

  /// Whether so much waits that nothing more can be kept until there is room.
  var isFarExceeded: Bool { isExceeded && count > most + most / 4 }

  /// What a connection that has something waiting has on average.
  var average: Int { count / max(holders.load(ordering: .relaxed), 1) }

  func addHolder(_ change: Int) { holders.add(change, ordering: .relaxed) }

  /// Adds a loop that may be asked to make room.
  func join(_ mailbox: Mailbox) { mailboxes.withLock { $0.append(mailbox) } }

  /// Has every loop make room, unless they are at it.
  func askAll(_ makeRoom: @escaping @Sendable (EventLoop) -> Void) {
    guard !isAsked.exchange(true, ordering: .relaxed) else { return }
    for mailbox in mailboxes.withLock({ $0 }) {
      mailbox.post { loop in
        makeRoom(loop)
        self.isAsked.store(false, ordering: .relaxed)
      }
    }
  }

  func add(_ bytes: Int) { total.add(bytes, ordering: .relaxed) }

  /// One more connection waits for this response.
  func retain(_ response: ReadyResponse) {
    let isFirst = shared.withLock { counts in
      counts[ObjectIdentifier(response), default: 0] += 1
      return counts[ObjectIdentifier(response)] == 1
    }
    if isFirst { add(response.content.count) }
  }

  func release(_ response: ReadyResponse) {
    let isLast = shared.withLock { counts in
      let count = (counts[ObjectIdentifier(response)] ?? 1) - 1
      counts[ObjectIdentifier(response)] = count > 0 ? count : nil
      return count == 0
    }
    if isLast { add(-response.content.count) }
  }

  /// What would come free if one of the connections that wait for this response did no more.
  func share(of response: ReadyResponse) -> Int {
    response.content.count / max(shared.withLock { $0[ObjectIdentifier(response)] ?? 1 }, 1)
  }
}
