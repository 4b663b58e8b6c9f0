import Synchronization

/// Where other threads leave work for a loop: it is run on the loop's thread, between two requests.
final class Mailbox: Sendable {
  typealias Work = @Sendable (EventLoop) -> Void

  private struct Contents {
    var work: [Work] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  /// What wakes the loop.
  let event: Int32

  init() throws(SystemError) {
    event = try Linux.makeEventDescriptor()
  }

  deinit { Linux.close(event) }

  /// Leaves work for the loop; false when it has ended and will not run it.
  @discardableResult
  func post(_ work: @escaping Work) -> Bool {
    let (accepted, wasEmpty) = contents.withLock { contents in
      guard !contents.isClosed else { return (false, false) }
      contents.work.append(work)
      return (true, contents.work.count == 1)
    }
    if wasEmpty { Linux.signal(event) }
    return accepted
  }

  /// All work left so far, in order.
  func takeAll() -> [Work] {
    contents.withLock { contents in
      defer { contents.work = [] }
      return contents.work
    }
  }

  /// Takes no more work, and returns what was left.
  func close() -> [Work] {
    contents.withLock { $0.isClosed = true }
    return takeAll()
  }
}
